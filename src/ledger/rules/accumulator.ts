import { Decimal, ZERO, ONE, RoundDown, RoundUp, quotientUp } from '../../numeric/decimal.ts';
import { failureProbability } from '../../privacy/failure.ts';
import type { Refusal } from './refusal.ts';
import type { ApproximateZcdp, LedgerGuarantee, Guarantee, Added, CompiledRule, Launch, Caveat } from './rule.ts';
import type { Deltas, Budgets, Concurrency, Rule, RuleId } from './terms.ts';

export interface Coordinate {
  readonly name: string;
  /** sum: a + b; product: 1 - (1 - a)(1 - b), for probabilities. */
  readonly adding: Deltas;
  readonly initial: Decimal;
  /** The most it may be; null: no limit. */
  readonly limit: Decimal | null;
}

/** The amount that one mechanism adds to each coordinate, each at least 0, or why that is not known. */
export type Charge = { readonly parts: readonly Decimal[] } | { readonly refusal: Refusal };

/** A rule whose decision is whether each of its running totals is within a limit. */
export interface Accumulator extends Pick<CompiledRule, 'reading'> {
  readonly coordinates: readonly Coordinate[];
  readonly charge: (guarantee: Launch['guarantees'][number], launch: Launch) => Charge;
  /** That of earlier versions, which is at least as large; absent: the same. */
  readonly earlierCharge?: Accumulator['charge'];
  /** Absent: the reading says all that the totals do. */
  readonly underlying?: (spent: readonly Decimal[]) => ApproximateZcdp | null;
  /** The guarantee of the whole ledger; absent: the reading of the limits. */
  readonly guarantee?: LedgerGuarantee | null;
  /** The remaining capacity of each coordinate as a guarantee that one more mechanism may have; absent: its reading. */
  readonly leftOf?: (remainders: readonly Decimal[]) => LedgerGuarantee;
}

/** Digits that a product is rounded up to; shorter ones are exact. */
const PRODUCT_DIGITS = 120;
const ROUND_UP = 0;
const ShortDown = Decimal.clone({ precision: PRODUCT_DIGITS, rounding: 1 });

/** 1 - (1 - a)(1 - b), as a sum of positive terms. */
const either = (a: Decimal, b: Decimal): Decimal =>
  new Decimal(new RoundUp(a).plus(new RoundUp(1).minus(a).times(b))).toSignificantDigits(PRODUCT_DIGITS, ROUND_UP);

function extended({ adding }: Coordinate, total: Decimal, part: Decimal, count: number): Decimal {
  if (part.isZero()) return total;
  if (adding === 'sum') return new Decimal(new RoundUp(total).plus(new RoundUp(part).times(count)));
  if (part.gt(1)) return ONE;
  return either(total, count === 1 ? part : failureProbability([{ delta: part, count }]).upper);
}

/** How many times `part` fits in what is left of a sum. */
const capacityOfSum = (limit: Decimal, total: Decimal, part: Decimal): Decimal =>
  limit.lt(total) ? ZERO : new Decimal(new RoundDown(limit).minus(total).dividedToIntegerBy(part));

/** How many times `part` fits in what is left of a product: by bisection, counts beyond 2^53 - 1 aside. */
function capacityOfProduct(coordinate: Coordinate, limit: Decimal, total: Decimal, part: Decimal): Decimal | null {
  if (limit.gte(1)) return null;
  const fits = (count: number): boolean => extended(coordinate, total, part, count).lte(limit);
  if (fits(Number.MAX_SAFE_INTEGER)) return new Decimal(Number.MAX_SAFE_INTEGER);
  let [from, to] = [0, 1];
  while (fits(to)) [from, to] = [to, Math.min(2 * to, Number.MAX_SAFE_INTEGER)];
  while (to - from > 1) {
    const middle = from + Math.floor((to - from) / 2);
    if (fits(middle)) from = middle;
    else to = middle;
  }
  return new Decimal(from);
}

/** The remaining capacity of a coordinate, rounded down. */
function leftOfCoordinate({ adding, limit }: Coordinate, total: Decimal): Decimal {
  if (limit === null) return new Decimal(Infinity);
  if (limit.lte(total)) return ZERO;
  if (adding === 'sum') return new Decimal(new RoundDown(limit).minus(total));
  return new Decimal(new ShortDown(new RoundDown(limit).minus(total)).div(new RoundUp(1).minus(total)));
}

/** The largest of several charges, coordinate by coordinate, or the first that is not known. */
function largestCharge({ charge }: Accumulator, launch: Launch): Charge {
  let largest: readonly Decimal[] | null = null;
  for (const guarantee of launch.guarantees) {
    const own = charge(guarantee, launch);
    if ('refusal' in own) return own;
    largest = largest === null ? own.parts : largest.map((part, i) => Decimal.max(part, own.parts[i]!));
  }
  return { parts: largest ?? [] };
}

/**
 * The rule that lets a mechanism run while every running total, it included, is at most its limit: equality is within.
 *
 * Sums of decimals are exact, so 0.1 three times is within 0.3; products are exact up to 120 digits, beyond that rounded
 * up. A decision takes the totals and the mechanism, not the past.
 */
export function accumulating(rule: Accumulator, caveats: CompiledRule['caveats']): CompiledRule {
  const { coordinates, earlierCharge, ...rest } = rule;
  const limits = coordinates.map(({ limit }) => limit);
  const finiteLimits = limits.filter((limit) => limit !== null);
  const { reading, leftOf = reading } = rule;
  const ofLimits = (): LedgerGuarantee | null => (finiteLimits.length === limits.length ? reading(finiteLimits) : null);
  const guarantee = rule.guarantee === undefined ? ofLimits() : rule.guarantee;
  const excess = (totals: readonly Decimal[]): Refusal | null => {
    const over = coordinates.findIndex(({ limit }, i) => limit !== null && totals[i]!.gt(limit));
    const coordinate = coordinates[over];
    if (!coordinate) return null;
    const [total, limit] = [String(totals[over]), String(coordinate.limit)];
    return { code: 'insufficient-budget', coordinate: coordinate.name, total, limit };
  };
  const extend = (spent: readonly Decimal[], launch: Launch): Added => {
    const charge = largestCharge(rule, launch);
    if ('refusal' in charge) return charge;
    return {
      spent: coordinates.map((coordinate, i) => extended(coordinate, spent[i]!, charge.parts[i]!, launch.count)),
    };
  };
  const capacity = (spent: readonly Decimal[], launch: Launch): Decimal | null => {
    const charge = largestCharge(rule, launch);
    if ('refusal' in charge) return ZERO;
    return coordinates.reduce<Decimal | null>((minimum, coordinate, i) => {
      const [{ adding, limit }, total, part] = [coordinate, spent[i]!, charge.parts[i]!];
      if (limit === null || part.isZero()) return minimum;
      const own =
        adding === 'sum' ? capacityOfSum(limit, total, part) : capacityOfProduct(coordinate, limit, total, part);
      return own === null || minimum?.lt(own) === true ? minimum : own;
    }, null);
  };
  return {
    names: coordinates.map(({ name }) => name),
    limits,
    initial: coordinates.map(({ initial }) => initial),
    extend,
    ...(earlierCharge && { earlier: accumulating({ ...rest, coordinates, charge: earlierCharge }, caveats) }),
    combine: (spent, amounts) => coordinates.map((coordinate, i) => extended(coordinate, spent[i]!, amounts[i]!, 1)),
    excess,
    capacity,
    reading,
    underlying: (spent) => rule.underlying?.(spent) ?? null,
    guarantee,
    left: (spent) =>
      guarantee === null ? null : leftOf(coordinates.map((coordinate, i) => leftOfCoordinate(coordinate, spent[i]!))),
    caveats,
  };
}

/** A total that starts at 0 and grows by addition. */
export const summed = (name: string, limit: Decimal | null): Coordinate => ({
  name,
  adding: 'sum',
  initial: ZERO,
  limit,
});

/**
 * An assumption about interactive and continual mechanisms, beside guarantees against adaptive adversaries: nothing more of
 * Renyi DP, discrete answers of (e, d)-DP, finite communication of trade-off functions.
 *
 * Source: Henzinger, Safavi, Vadhan 2025 (second version), Corollary 13.8, Theorem 12.4, Corollary 14.10.
 */
export type Assumption = Extract<Caveat, 'adaptive-adversaries' | 'discrete-answers' | 'finite-communication'>;

/** A theorem about parameters that are chosen adaptively: a filter where there is a budget, else an odometer. */
export interface FilterRule<Id extends RuleId> {
  readonly id: Id;
  readonly name: string;
  readonly reference: string;
  /** Whether it is known to hold where interactive mechanisms are asked in turns. */
  readonly concurrent: 'proved' | 'open';
  /** What it assumes of interactive and continual mechanisms there. */
  readonly assumes: Assumption;
  readonly accumulator: (
    rule: Extract<Rule, { id: Id }>,
    budget: Budgets[Id] | null,
    concurrency: Concurrency,
  ) => Accumulator;
}

export const wrongMeasure = (rule: RuleId, { type }: Guarantee): { readonly refusal: Refusal } => ({
  refusal: { code: 'unverified', reason: 'wrong-measure', rule, found: type },
});

export const positiveDelta = (rule: RuleId, { type }: Guarantee): { readonly refusal: Refusal } => ({
  refusal: { code: 'unverified', reason: 'positive-delta', rule, found: type },
});

/** The assumption about interactive and continual mechanisms; one after the other they need adaptive adversaries only. */
export const assumedOf = (assumes: Assumption, concurrency: Concurrency): readonly Caveat[] => [
  concurrency === 'concurrent' ? assumes : 'adaptive-adversaries',
];

interface ConversionDelta {
  readonly delta: Decimal;
  readonly deltaPrime: Decimal;
  readonly deltas: Deltas;
}

/** The running total of the d_i, which begins with what the conversion costs. */
export const convertedDelta = ({ delta, deltaPrime, deltas }: ConversionDelta, limited: boolean): Coordinate => ({
  name: 'delta',
  adding: deltas,
  initial: deltaPrime,
  limit: limited ? delta : null,
});

/** The most that the d_i may come to: D = delta - delta', or the D of 1 - (1 - delta')(1 - D) = delta, rounded up. */
function ownDelta({ delta, deltaPrime, deltas }: ConversionDelta): Decimal {
  if (deltaPrime.gte(delta)) return ZERO;
  const rest = new Decimal(new RoundUp(delta).minus(deltaPrime));
  return deltas === 'sum' ? rest : quotientUp(rest, new Decimal(new RoundDown(1).minus(deltaPrime)));
}

/**
 * The guarantee behind a reading that was converted from rho at delta': with D, the most that the d_i may come to, fixed at the
 * start, delta(eps) <= D + (1 - D) delta_rho(eps) at every eps, delta_rho the curve of rho-zCDP.
 *
 * [derived] Mechanisms of (e_i, d_i)-DP reveal everything with probability d_i, the same for both neighbours, and are
 * (e_i, 0)-DP otherwise. With p and q the densities of a path of the latter, a run of the zCDP filter of rho, and w the
 * product of 1 - d_i along it, delta(eps) is at most 1 - E_p[w] + integral of w (p - e^eps q)^+ = 1 - integral of
 * w min(p, e^eps q), and w >= 1 - D on every path, whether the d_i are added up or multiplied.
 *
 * D is what the rule allows, not what was spent of it: a rho and a D that both depend on the path are two numbers, of
 * which no theorem converts the better one.
 */
export const behindConversion = (rule: ConversionDelta, rho: Decimal): ApproximateZcdp => ({
  type: 'approximate-zcdp',
  rho,
  delta: ownDelta(rule),
});
