import { brRdp } from '../../bounds/bounded-range/rdp.ts';
import { gaussianCurve } from '../../bounds/closed-form/gaussian.ts';
import type { Bound } from '../../bounds/core/bound.ts';
import { dpOptimal } from '../../bounds/dp-optimal/dp-optimal.ts';
import { zcdp } from '../../bounds/renyi/renyi.ts';
import { Decimal, decimalFromDouble, encloseDecimal, toLower } from '../../numeric/decimal.ts';
import { exactly, type Enclosure } from '../../numeric/enclosure.ts';
import {
  add,
  expm1,
  exponential,
  logarithm,
  multiply,
  negate,
  squareRoot,
  subtract,
} from '../../numeric/enclosure-arithmetic.ts';
import type { PrivacyCurve } from '../../privacy/curve.ts';
import { NEVER } from '../../privacy/failure.ts';
import { curveWithFailure } from '../../privacy/finite-loss-curve.ts';
import type { Mechanism } from '../../privacy/mechanism.ts';
import { fakeSwitchOf, isWithoutY, transitions, withoutFake, type L2pSetting, type Measure } from '../core/setting.ts';
import { curveAfterFlag } from './accounting.ts';
import { firstFlag, keepProbability, type Flag } from './first-flag.ts';
import {
  NO_COUNT,
  quantile,
  resamplingCount,
  spreadOf,
  tailBeyond,
  type CountLaw,
  always,
  guaranteesOf,
  repeated,
  resamplings,
  type GuaranteeKind,
  type Resampling,
  type ResamplingGuarantee,
} from './resampling.ts';

/**
 * How a cap is found. joint: the flag and the capped resamplings composed together. The others leave to the resamplings
 * what the flag's largest loss does not take of epsilon: zcdp-simple is the filter sum rho_i <= rho* with
 * rho* + 2 sqrt(rho* ln(1/delta)) = epsilon, zcdp the same with the optimal conversion; br-rdp, dp-optimal and gaussian
 * compose as many resamplings as there may be, whose parameters, if not their rounds, are fixed in advance.
 */
type CapRule = 'zcdp-simple' | 'zcdp' | 'br-rdp' | 'dp-optimal' | 'gaussian' | 'joint';

/** How many resamplings one rule allows. */
interface SwitchCap {
  readonly rule: CapRule;
  /** Null where the flag alone takes all of epsilon. */
  readonly most: number | null;
}

/** A budget. */
interface Budget {
  readonly epsilon: Decimal;
  readonly delta: Decimal;
}

/** How far k resamplings are beyond a budget: at most 0 where they stay within it. It grows with k. */
type Excess = (k: number) => number;

/** Steps away from where a cap may be are so long at first, as a factor. */
const FIRST_STEP = 1.2;

/** Two numbers of resamplings, of which the first stays within the budget and the second does not, with their excesses. */
interface Between {
  low: number;
  high: number;
  below: number;
  above: number;
}

/** Goes up or down from `near` with steps that grow until the cap is passed; 0 always fits, and `limit` + 1 is beyond it. */
function around(excess: Excess, limit: number, near: number): Between {
  const bracket: Between = { low: 0, high: limit + 1, below: -Infinity, above: Infinity };
  let k = Math.max(1, Math.min(limit, Math.round(near)));
  for (let step = FIRST_STEP; bracket.high - bracket.low > 1; step *= step) {
    const value = excess(k);
    if (value <= 0) [bracket.low, bracket.below] = [k, value];
    else [bracket.high, bracket.above] = [k, value];
    if (bracket.low > 0 && bracket.high <= limit) break;
    k = value <= 0 ? Math.min(limit, Math.ceil(k * step)) : Math.floor(k / step);
    if (k <= bracket.low || k >= bracket.high) break;
  }
  return bracket;
}

/** The largest k up to `limit` that fits, every smaller one doing so too; 0 where none does. By false position (Illinois). */
function largestFitting(excess: Excess, limit: number, near = 1): number {
  const bracket = around(excess, limit, near);
  let moved: 'low' | 'high' | null = null;
  while (bracket.high - bracket.low > 1) {
    const { low, high, below, above } = bracket;
    const share = -below / (above - below);
    const guess = Number.isFinite(share) ? low + share * (high - low) : (low + high) / 2;
    // A little to the other side of where the last one was, so that good guesses close in from both sides.
    const middle = moved === 'high' ? Math.ceil(guess) - 1 : Math.floor(guess) + 1;
    const k = Math.max(low + 1, Math.min(high - 1, middle));
    const value = excess(k);
    if (value <= 0) {
      if (moved === 'low') bracket.above /= 2;
      [bracket.low, bracket.below, moved] = [k, value, 'low'];
    } else {
      if (moved === 'high') bracket.below /= 2;
      [bracket.high, bracket.above, moved] = [k, value, 'high'];
    }
  }
  return bracket.low;
}

/** rho of one resampling: e^2 / 8 of e-bounded range, e^2 / 2 of (e, 0)-DP, mu^2 / 2. */
function rhoOf(guarantee: ResamplingGuarantee): Enclosure {
  if (guarantee.kind === 'gaussian') return multiply(exactly(0.5), guarantee.muSquared);
  const e = encloseDecimal(guarantee.epsilon);
  return multiply(exactly(guarantee.kind === 'bounded-range' ? 0.125 : 0.5), multiply(e, e));
}

/** By rho + 2 sqrt(rho ln(1/delta)) <= epsilon. Source: Bun, Steinke (2016), Proposition 1.3. */
function bySimpleConversion(guarantee: ResamplingGuarantee, { epsilon, delta }: Budget): Excess {
  const [rhoOfOne, log, target] = [rhoOf(guarantee), negate(logarithm(encloseDecimal(delta))), encloseDecimal(epsilon)];
  return (k) => {
    const rho = multiply(exactly(k), rhoOfOne);
    return add(rho, multiply(exactly(2), squareRoot(multiply(rho, log)))).upper - target.lower;
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

const within = (curveOf: CurveOf, { epsilon, delta }: Budget): Excess => {
  const logMost = Math.log(delta.toNumber());
  return (k) => {
    const { upper } = curveOf(k).delta(epsilon);
    const excess = Math.log(upper) - logMost;
    return delta.gte(upper) ? Math.min(0, excess) : Math.max(Number.MIN_VALUE, excess);
  };
};

/** How many resamplings with this guarantee alone stay within a budget, by each rule; `limit` >= 1: there are no more. */
export function capsOfResamplings(
  guarantee: ResamplingGuarantee,
  budget: Budget,
  limit: number,
): (SwitchCap & { readonly most: number })[] {
  const simple = largestFitting(bySimpleConversion(guarantee, budget), limit);
  return [
    { rule: 'zcdp-simple', most: simple },
    ...boundsFor(guarantee).map(([rule, curveOf]) => ({
      rule,
      most: largestFitting(within(curveOf, budget), limit, simple),
    })),
  ];
}

/** The rest of epsilon after the larger loss of a flag, rounded down; null where nothing is. */
export function leftAfter(flags: readonly Flag[], epsilon: Decimal): Decimal | null {
  const cost = flags.reduce((max, [{ loss }]) => Math.max(max, loss.upper), 0);
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
function switchCaps(
  guarantee: ResamplingGuarantee,
  flags: readonly Flag[],
  budget: Budget,
  limit: number,
): SwitchCap[] {
  const remainder = leftAfter(flags, budget.epsilon);
  const alone: SwitchCap[] =
    remainder === null
      ? boundsFor(guarantee).map(([rule]) => ({ rule, most: null }))
      : capsOfResamplings(guarantee, { ...budget, epsilon: remainder }, limit);
  const joint = largestFitting(
    within(
      (k) => curveWithFailure(curveAfterFlag(guarantee, flags, [always(k)], 'upper'), NEVER, 'upper-only'),
      budget,
    ),
    limit,
    Math.max(...alone.map(({ most }) => most ?? 1)),
  );
  return [...alone, { rule: 'joint', most: joint === 0 && remainder === null ? null : joint }];
}

/**
 * The events that are counted. fake: rounds with S'_s = 0 or A_s = 0, as in the event E_G of the paper; real: with S_s = 0, at most;
 * ofX and ofY: resamplings of x, at most, and of y; all: both together, at most.
 */
export type SwitchKind = 'fake' | 'real' | 'ofX' | 'ofY' | 'all';

/** How often something happens. */
export interface SwitchCount {
  readonly kind: SwitchKind;
  readonly mean: number;
  readonly deviation: number;
  /** For each chance asked for, the least number that is exceeded with at most that chance. */
  readonly quantiles: readonly number[];
  readonly law: CountLaw;
}

/** A cap on the resamplings that keeps a run within a budget. */
export interface CapRow extends SwitchCap {
  readonly resampling: GuaranteeKind;
  /** An upper bound on the chance that a run asks for more; null where there is no cap. */
  readonly beyond: number | null;
}

export interface SwitchQuestion {
  readonly setting: L2pSetting;
  readonly measure: Measure;
  /** The chances with which quantiles may be exceeded, from LEAST_BEYOND to 1. */
  readonly beyond: readonly Decimal[];
  /** Null: no caps. */
  readonly budget: Budget | null;
}

/** The number of switches of L2P, and what may be capped. */
export interface Switches {
  readonly question: SwitchQuestion;
  /** Rounds in which something can be switched. */
  readonly transitions: number;
  readonly counts: readonly SwitchCount[];
  readonly caps: readonly CapRow[];
}

const ONE = exactly(1);

function partsOf({ setting, measure }: SwitchQuestion, rounds: number): Record<SwitchKind, readonly Resampling[]> {
  const keep = keepProbability(setting, measure);
  const fakeSwitch = fakeSwitchOf(setting);
  const p = encloseDecimal(fakeSwitch);
  const notFake = withoutFake(fakeSwitch);
  const all = resamplings(keep, fakeSwitch, rounds);
  const fake = repeated(rounds, multiply(p, add(ONE, notFake)), multiply(notFake, notFake));
  const real = repeated(rounds, negate(expm1(keep.logLeast)), exponential(keep.logLeast));
  return {
    fake: fakeSwitch.isZero() ? [] : [fake],
    real: [real],
    ofX: all.slice(0, 1),
    ofY: all.slice(1),
    all,
  };
}

const KINDS: readonly SwitchKind[] = ['fake', 'real', 'ofX', 'ofY', 'all'];

/** Without y nothing else is sampled anew, and no switch is fake. */
const KINDS_WITHOUT_Y: readonly SwitchKind[] = ['ofX'];

function countOf(kind: SwitchKind, parts: readonly Resampling[], beyond: readonly Decimal[]): SwitchCount {
  const law = parts.length === 0 ? NO_COUNT : resamplingCount(parts);
  return {
    kind,
    ...spreadOf(parts),
    quantiles: beyond.map((chance) => quantile(law, toLower(chance))),
    law,
  };
}

function capsOf(
  { setting, measure, budget }: SwitchQuestion,
  parts: readonly Resampling[],
  { largest, ...rest }: CountLaw,
): CapRow[] {
  const keep = keepProbability(setting, measure);
  const mayReveal = fakeSwitchOf(setting).isZero() && keep.logMost.upper >= 0;
  if (budget === null || parts.length === 0 || mayReveal) return [];
  const flags = firstFlag(keep, fakeSwitchOf(setting));
  return guaranteesOf(measure, setting.eta).flatMap((guarantee) =>
    switchCaps(guarantee, flags, budget, largest).map((cap) => ({
      ...cap,
      resampling: guarantee.kind,
      beyond: cap.most === null ? null : tailBeyond({ largest, ...rest }, cap.most),
    })),
  );
}

/**
 * The laws of the numbers of fake and of real switches: exact binomials where the chance is p, and where the losses have
 * a say of the largest chance they can give. With them the caps under which a run stays within a budget by construction.
 *
 * Source: derived.
 */
export function switches(question: SwitchQuestion): Switches {
  const { setting, beyond } = question;
  const rounds = transitions(setting);
  const parts = rounds === 0 ? null : partsOf(question, rounds);
  const counts = (isWithoutY(setting) ? KINDS_WITHOUT_Y : KINDS).map((kind) =>
    countOf(kind, parts?.[kind] ?? [], beyond),
  );
  return {
    question,
    transitions: rounds,
    counts,
    caps: parts === null ? [] : capsOf(question, parts.all, counts.at(-1)!.law),
  };
}
