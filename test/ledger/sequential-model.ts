/** A fraction of whole numbers, the denominator above 0. */
export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

/** The fraction that a decimal of at most `digits` places is: 1234 and 3 for 1.234. */
export const fraction = (over: number | bigint, digits: number): Fraction => ({
  over: BigInt(over),
  under: 10n ** BigInt(digits),
});

const plus = (a: Fraction, b: Fraction): Fraction =>
  a.under === b.under
    ? { over: a.over + b.over, under: a.under }
    : { over: a.over * b.under + b.over * a.under, under: a.under * b.under };

const times = (a: Fraction, b: Fraction): Fraction => ({ over: a.over * b.over, under: a.under * b.under });

const isAtMost = (a: Fraction, b: Fraction): boolean => a.over * b.under <= b.over * a.under;

/** An interval that a real number is in. */
type Enclosure = readonly [least: Fraction, most: Fraction];

const exactly = (value: Fraction): Enclosure => [value, value];

/** e^x for 0 <= x <= 1: the Taylor sum, and with a bound of what is left of it. */
function exponential(x: Fraction): Enclosure {
  let [sum, term]: [Fraction, Fraction] = [fraction(1, 0), fraction(1, 0)];
  for (let n = 1n; n <= 20n; n++) {
    term = times(term, { over: x.over, under: x.under * n });
    sum = plus(sum, term);
  }
  return [sum, plus(sum, term)];
}

/** Fractions of these digits at most: below the one, above the other. */
const short = ([least, most]: Enclosure): Enclosure => {
  const under = 10n ** 40n;
  return [
    { over: (least.over * under) / least.under, under },
    { over: (most.over * under) / most.under + 1n, under },
  ];
};

/** epsilon tanh(epsilon / 2), the rho of what is epsilon-DP, for epsilon up to 1. */
function rhoOf(epsilon: Fraction): Enclosure {
  const tanh = ({ over, under }: Fraction): Fraction => ({ over: over - under, under: over + under });
  const [least, most] = exponential(epsilon);
  return short([times(epsilon, tanh(least)), times(epsilon, tanh(most))]);
}

/** A request: so many mechanisms of (epsilon, delta)-DP. */
export interface Request {
  readonly epsilon: Fraction;
  readonly delta: Fraction;
  readonly count: number;
}

/** The budget of a ledger of the model, in the totals of its rule. */
export interface Budget {
  readonly rule: 'pure' | 'basic' | 'zcdp';
  readonly limits: readonly Fraction[];
}

/** Rounding up of what no decimal says, relative to it. */
const ROUNDING = fraction(1_000_000_001, 9);

/** The amount that a request adds to the totals of a rule; null where the rule counts no such mechanism. */
function chargeOf({ rule }: Budget, { epsilon, delta, count }: Request): readonly Enclosure[] | null {
  const all = (value: Fraction): Fraction => times(value, fraction(count, 0));
  if (rule === 'basic') return [exactly(all(epsilon)), exactly(all(delta))];
  if (delta.over !== 0n) return null;
  if (rule === 'pure') return [exactly(all(epsilon))];
  const [least, most] = rhoOf(epsilon);
  return [[all(least), times(all(most), ROUNDING)]];
}

/** Ledgers that are asked one request after the other, in exact arithmetic. */
export class SequentialModel {
  readonly #budgets: readonly Budget[];
  readonly #spent: (readonly Enclosure[])[];

  constructor(budgets: readonly Budget[]) {
    this.#budgets = budgets;
    this.#spent = budgets.map(({ limits }) => limits.map(() => exactly(fraction(0, 0))));
  }

  /** Whether a request is granted by all of these ledgers; null where rounding decides that. */
  ask(ledgers: readonly number[], request: Request): boolean | null {
    const after = ledgers.map((at) => {
      const charge = chargeOf(this.#budgets[at]!, request);
      return charge?.map(([least, most], i): Enclosure => {
        const [before, atMost] = this.#spent[at]![i]!;
        return [plus(before, least), plus(atMost, most)];
      });
    });
    const fits = ledgers.map((at, n) => {
      const { limits } = this.#budgets[at]!;
      const totals = after[n];
      if (totals === undefined) return false;
      if (totals.every(([, most], i) => isAtMost(most, limits[i]!))) return true;
      return totals.every(([least], i) => isAtMost(least, limits[i]!)) ? null : false;
    });
    if (fits.includes(false)) return false;
    if (fits.includes(null)) return null;
    ledgers.forEach((at, n) => {
      this.#spent[at] = after[n]!;
    });
    return true;
  }
}
