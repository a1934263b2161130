import type { Caveat } from '../core/caveat.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Guarantee, ApproximateZcdp } from '../core/guarantee.ts';
import type { Budgets, Concurrency, Rule, RuleId, Deltas } from '../core/terms.ts';
import type { Accumulator, Coordinate } from './accumulate.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { quotientUp } from '../../numeric/quotient.ts';
import { RoundDown, RoundUp } from '../../numeric/round-up.ts';

/**
 * An assumption about interactive and continual mechanisms, beside guarantees against adaptive adversaries: nothing more of
 * Renyi DP, discrete answers of (e, d)-DP, finite communication of trade-off functions.
 *
 * Source: Henzinger, Safavi, Vadhan 2025 (second version), Corollary 13.8, Theorem 12.4, Corollary 14.10.
 */
export type Assumption = Extract<Caveat, 'adaptive-adversaries' | 'discrete-answers' | 'finite-communication'>;

/** A theorem about parameters that are chosen along the way: a filter where there is a budget, else an odometer. */
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

const ZERO = new Decimal(0);

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
