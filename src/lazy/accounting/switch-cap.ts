import { Decimal, decimalFromDouble, encloseDecimal } from '../../numeric/decimal.ts';
import { add, logarithm, multiply, negate, squareRoot, subtract } from '../../numeric/enclosure-arithmetic.ts';
import { exactly, type Enclosure } from '../../numeric/enclosure.ts';
import type { Bound } from '../../bounds/core/bound.ts';
import { brRdp } from '../../bounds/bounded-range/rdp.ts';
import { dpOptimal } from '../../bounds/dp-optimal/dp-optimal.ts';
import { gaussianCurve } from '../../bounds/closed-form/gaussian.ts';
import { zcdp } from '../../bounds/renyi/zcdp.ts';
import type { PrivacyCurve } from '../../privacy/curve.ts';
import { NEVER } from '../../privacy/failure.ts';
import { curveWithFailure } from '../../privacy/finite-loss-curve.ts';
import type { Mechanism } from '../../privacy/mechanism.ts';
import { curveAfterFlag } from './accounting.ts';
import type { Flag } from './first-flag.ts';
import type { ResamplingGuarantee } from './resampling-guarantee.ts';
import { always } from './resampling.ts';

/**
 * How a cap is found. joint: the flag and the capped resamplings composed together. The others leave to the resamplings
 * what the flag's largest loss does not take of epsilon: zcdp-simple is the filter sum rho_i <= rho* with
 * rho* + 2 sqrt(rho* ln(1/delta)) = epsilon, zcdp the same with the optimal conversion; br-rdp, dp-optimal and gaussian
 * compose as many resamplings as there may be, whose parameters, if not their rounds, are fixed in advance.
 */
export type CapRule = 'zcdp-simple' | 'zcdp' | 'br-rdp' | 'dp-optimal' | 'gaussian' | 'joint';

/** How many resamplings one rule allows. */
export interface SwitchCap {
  readonly rule: CapRule;
  /** Null where the flag alone takes all of epsilon. */
  readonly most: number | null;
}

/** A budget. */
export interface Budget {
  readonly epsilon: Decimal;
  readonly delta: Decimal;
}

/** Whether k resamplings stay within a budget. */
type Fits = (k: number) => boolean;

/** The largest k from 1 to `limit` that fits, every smaller one doing so too; 0 where none does. */
function largestFitting(fits: Fits, limit: number): number {
  if (fits(limit)) return limit;
  let [low, high] = [0, limit];
  while (high - low > 1) {
    const base = Math.max(1, low);
    const middle = high > 4 * base ? Math.sqrt(base * high) : (low + high) / 2;
    const next = Math.min(high - 1, Math.max(low + 1, Math.floor(middle)));
    if (fits(next)) low = next;
    else high = next;
  }
  return low;
}

/** rho of one resampling: e^2 / 8 of e-bounded range, e^2 / 2 of (e, 0)-DP, mu^2 / 2. */
function rhoOf(guarantee: ResamplingGuarantee): Enclosure {
  if (guarantee.kind === 'gaussian') return multiply(exactly(0.5), guarantee.muSquared);
  const e = encloseDecimal(guarantee.epsilon);
  return multiply(exactly(guarantee.kind === 'bounded-range' ? 0.125 : 0.5), multiply(e, e));
}

/** By rho + 2 sqrt(rho ln(1/delta)) <= epsilon. Source: Bun, Steinke (2016), Proposition 1.3. */
function bySimpleConversion(guarantee: ResamplingGuarantee, { epsilon, delta }: Budget): Fits {
  const [each, log, most] = [rhoOf(guarantee), negate(logarithm(encloseDecimal(delta))), encloseDecimal(epsilon)];
  return (k) => {
    const rho = multiply(exactly(k), each);
    return add(rho, multiply(exactly(2), squareRoot(multiply(rho, log)))).upper <= most.lower;
  };
}

function composed(bound: Bound, mechanism: Mechanism, count: number): PrivacyCurve {
  const entries = [{ mechanism, count, kind: 'noninteractive', label: null }] as const;
  const applied = bound.apply({ entries, adaptivity: 'adaptive', order: 'any' }, { exhausted: () => true });
  if ('reason' in applied) throw new Error(`${bound.id} does not apply: ${applied.reason.code}`);
  return applied.curve;
}

type CurveOf = (k: number) => PrivacyCurve;

/** The curves of k resamplings by the bounds that suit their guarantee. */
function boundsFor(guarantee: ResamplingGuarantee): readonly (readonly [CapRule, CurveOf])[] {
  const by =
    (bound: Bound, mechanism: Mechanism): CurveOf =>
    (k) =>
      composed(bound, mechanism, k);
  switch (guarantee.kind) {
    case 'gaussian': {
      const curve: CurveOf = (k) =>
        curveWithFailure(gaussianCurve(multiply(exactly(k), guarantee.muSquared)), NEVER, 'tight');
      return [['gaussian', curve]];
    }
    case 'bounded-range': {
      const mechanism: Mechanism = { type: 'bounded-range', epsilon: guarantee.epsilon };
      return [
        ['zcdp', by(zcdp, mechanism)],
        ['br-rdp', by(brRdp, mechanism)],
      ];
    }
    case 'randomized-response': {
      const mechanism: Mechanism = { type: 'dp', epsilon: guarantee.epsilon, delta: new Decimal(0) };
      return [
        ['zcdp', by(zcdp, mechanism)],
        ['dp-optimal', by(dpOptimal, mechanism)],
      ];
    }
  }
}

const within =
  (curveOf: CurveOf, { epsilon, delta }: Budget): Fits =>
  (k) =>
    delta.gte(curveOf(k).delta(epsilon).upper);

/** How many resamplings with this guarantee alone stay within a budget, by each rule; `limit` >= 1: there are no more. */
export const capsOfResamplings = (
  guarantee: ResamplingGuarantee,
  budget: Budget,
  limit: number,
): (SwitchCap & { readonly most: number })[] => [
  { rule: 'zcdp-simple', most: largestFitting(bySimpleConversion(guarantee, budget), limit) },
  ...boundsFor(guarantee).map(([rule, curveOf]) => ({
    rule,
    most: largestFitting(within(curveOf, budget), limit),
  })),
];

/** The rest of epsilon after the larger loss of a flag, rounded down; null where nothing is. */
export function leftAfter(flags: readonly Flag[], epsilon: Decimal): Decimal | null {
  const cost = flags.reduce((most, [{ loss }]) => Math.max(most, loss.upper), 0);
  const { lower } = subtract(encloseDecimal(epsilon), exactly(cost));
  return lower > 0 ? decimalFromDouble(lower) : null;
}

/**
 * How many resamplings a run may make, by each rule, if it is stopped from making more: with the flag they are within the
 * budget whatever the chance of a switch is.
 *
 * Source: derived; a cap on the number of mechanisms whose parameters are fixed is a filter with any bound on their
 * adaptive composition.
 */
export function switchCaps(
  guarantee: ResamplingGuarantee,
  flags: readonly Flag[],
  budget: Budget,
  limit: number,
): SwitchCap[] {
  const left = leftAfter(flags, budget.epsilon);
  const alone: SwitchCap[] =
    left === null
      ? boundsFor(guarantee).map(([rule]) => ({ rule, most: null }))
      : capsOfResamplings(guarantee, { ...budget, epsilon: left }, limit);
  const joint = largestFitting(
    within((k) => curveWithFailure(curveAfterFlag(guarantee, flags, [always(k)]), NEVER, 'tight'), budget),
    limit,
  );
  return [...alone, { rule: 'joint', most: joint === 0 && left === null ? null : joint }];
}
