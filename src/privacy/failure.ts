import { Decimal, ONE, ZERO } from '../numeric/decimal.ts';
import { equalTogether } from './mechanism-key.ts';

/** 1 - prod (1 - d_i)^(c_i), exactly or between two decimals. */
export interface Failure {
  readonly lower: Decimal;
  readonly upper: Decimal;
}

/** The decimal places up to which a product is kept exact. */
const EXACT_DIGITS = 2400;
/** The digits to which a result is enclosed. */
const PRECISION = 120;

/** No failure. */
export const NEVER: Failure = { lower: ZERO, upper: ZERO };

/** x^n for 0 <= x <= 1 in the rounding of `Context`: every product is rounded the same way, so the result errs that way. */
function power(Context: typeof Decimal, x: Decimal, n: number): Decimal {
  let result = new Context(1);
  let square = new Context(x);
  for (let rest = n; ; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = result.times(square);
    if (rest < 2) return result;
    square = square.times(square);
  }
}

interface Part {
  readonly delta: Decimal;
  readonly count: number;
  /** Where the probability is only known to lie between two: the smaller. */
  readonly lowerDelta?: Decimal;
}

/**
 * The probability that at least one of the mechanisms reveals everything: 1 - prod (1 - d_i)^(c_i), each d_i in [0, 1].
 *
 * Exact while the product has at most 2,400 decimal places, else enclosed to about 120 digits by directed decimal arithmetic; the
 * product is carried with as many more digits as the smallest d_i has zeros.
 */
export function failureProbability(parts: readonly Part[]): Failure {
  if (parts.every(({ lowerDelta }) => lowerDelta === undefined)) return failureOfKnown(parts);
  const lowerParts = parts.map(({ delta, count, lowerDelta = delta }) => ({ delta: lowerDelta, count }));
  return { lower: failureOfKnown(lowerParts).lower, upper: failureOfKnown(parts).upper };
}

function failureOfKnown(parts: readonly Part[]): Failure {
  const positive = equalTogether(
    parts.filter(({ delta }) => delta.gt(0)),
    ({ delta }) => delta.toString(),
  );
  if (positive.length === 0) return NEVER;
  const digits = positive.reduce((sum, { delta, count }) => sum + delta.decimalPlaces() * count, 0);
  const product = (Context: typeof Decimal): Decimal =>
    positive.reduce(
      (all, { delta, count }) => all.times(power(Context, new Context(1).minus(delta), count)),
      new Context(1),
    );
  if (digits <= EXACT_DIGITS) {
    const exact = ONE.minus(product(Decimal));
    return { lower: exact, upper: exact };
  }
  const zeros = positive.reduce((max, { delta }) => Math.max(max, -delta.e), 0);
  const Down = Decimal.clone({ precision: PRECISION + zeros, rounding: 1 });
  const Up = Decimal.clone({ precision: PRECISION + zeros, rounding: 0 });
  return {
    lower: new Decimal(new Down(1).minus(product(Up))),
    upper: new Decimal(new Up(1).minus(product(Down))),
  };
}
