import { createSession } from '../../bounds/core/session.ts';
import { certainOrder, type Stretch, type TwoFunctions } from '../../numeric/convex/certain-order.ts';
import { Decimal, encloseDecimal, ZERO } from '../../numeric/decimal.ts';
import { asLower, asUpper, enclosure, exactly, width, type Bracket, type Enclosure } from '../../numeric/enclosure.ts';
import { exponential, subtract } from '../../numeric/enclosure-arithmetic.ts';
import { nextUp } from '../../numeric/rounding.ts';
import { compose, type ComposeOptions } from '../compose/compose.ts';
import { eachOnce, type Refusal, type Warning } from '../core/outcome.ts';
import {
  farEpsilon,
  usualEpsilons,
  relationWarnings,
  riskCurve,
  type NamedProblem,
  type RiskCurve,
  type RiskMeasure,
} from '../risk-curve/risk-curve.ts';
import { profilesOf, smallestDelta, type Profiles } from '../risk/profile.ts';
import { RISK_TOLERANCE } from '../risk/risk.ts';
import { tradeOff } from '../risk/trade-off.ts';

/** Something of each of two designs. */
export type Both<T> = readonly [first: T, second: T];

export interface CompareQuestion {
  readonly designs: Both<NamedProblem>;
  /** Where epsilons, deltas and true-positive rates are compared. */
  readonly deltas: readonly Decimal[];
  readonly epsilons: readonly Decimal[];
  readonly falsePositiveRates: readonly Decimal[];
  /** Whether curves are to be drawn. */
  readonly isDrawn: boolean;
}

/** A number of both designs at a delta, an epsilon or a false-positive rate. */
export interface ComparedAt {
  readonly at: Decimal;
  readonly values: Both<Bracket>;
}

/** Two designs, and where each is better. */
export interface DesignComparison {
  readonly names: Both<string>;
  readonly epsilons: readonly ComparedAt[];
  readonly deltas: readonly ComparedAt[];
  readonly truePositiveRates: readonly ComparedAt[];
  /** The largest true-positive rate minus false-positive rate: delta at epsilon 0. */
  readonly advantage: Both<Bracket>;
  /** Over epsilons from 0 on, which are the shortest decimals of these doubles: whose smallest delta is smaller. */
  readonly byEpsilon: readonly Stretch[];
  /** Over false-positive rates: whose smallest false-negative rate is smaller, so that the other one protects more. */
  readonly byRate: readonly Stretch[];
  /** Whose delta is proved to be nowhere larger than the other's, at no epsilon whatever; both where neither's is. */
  readonly neverLarger: Both<boolean>;
  /** The profiles and the trade-off functions; null where they are not drawn. */
  readonly curves: Readonly<Record<RiskMeasure, RiskCurve>> | null;
  readonly warnings: readonly Warning[];
}

/** What is under way. */
export type CompareStage = 'profiles' | 'deltas' | 'tests' | 'curves';

export interface CompareOptions extends Omit<ComposeOptions, 'progress'> {
  /** Receives how much of a stage is done, 0 to 1. */
  readonly progress?: (stage: CompareStage, share: number) => void;
}

export type CompareOutcome =
  | { readonly kind: 'comparison'; readonly comparison: DesignComparison }
  | { readonly kind: 'refusal'; readonly refusal: Refusal };

/** Relative widths at which rates are told apart well enough: where they are far from each other, and else. */
const ROUGH_RATE = 0.01;
const RATE_TOLERANCE = 1e-7;

/** So many times as far apart as they are wide, two values are far from each other. */
const FAR_APART = 8;

const areFarApart = ([first, second]: Both<Enclosure>): boolean =>
  Math.max(first.lower - second.upper, second.lower - first.upper) > FAR_APART * (width(first) + width(second));

/** Crossings are enclosed to this part of the largest epsilon, and to this ratio of odds of false-positive rates. */
const NARROWEST = { epsilon: 1e-6, odds: 1e-3 };

/** Between these false-positive rates designs are compared. */
const RATES = [1e-6, 1e-4, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 1 - 1e-4, 1 - 1e-6];

const logit = (rate: number): number => Math.log(rate / (1 - rate));

/** The smallest delta of all mechanisms of the classes: convex in e^eps, as the largest of functions that are. */
function overEpsilons(designs: Both<Profiles>): TwoFunctions {
  const last = farEpsilon(designs);
  // A double above, so that delta is 0 at the decimal that it is written as.
  const corners = designs.map(({ claimed }) => nextUp(Math.max(...claimed.map(({ largest }) => largest))));
  const nodes = [...usualEpsilons(last, 'linear').map((eps) => eps.toNumber()), ...corners.filter(Number.isFinite)];
  const to = nodes.reduce((a, b) => Math.max(a, b));
  return {
    evaluate: (epsilon) => {
      const at = new Decimal(epsilon);
      const valueOf = (profiles: Profiles): Enclosure => {
        const { lower, upper } = smallestDelta(profiles, at);
        return enclosure(lower ?? 0, upper);
      };
      return { x: exponential(encloseDecimal(at)), values: [valueOf(designs[0]), valueOf(designs[1])] };
    },
    nodes: [...new Set(nodes)].sort((a, b) => a - b),
    middle: (a, b) => (a + b) / 2,
    length: (a, b) => b - a,
    narrowest: NARROWEST.epsilon * to,
    isConvex: true,
  };
}

/** A single pair is bound by itself in either order, so that its trade-off function, which is convex, is that of both. */
const isSinglePair = ({ claimed, attained }: Profiles): boolean => claimed === attained && claimed.length === 1;

/** The smallest false-negative rate of all mechanisms of the classes. */
const overRates = (designs: Both<Profiles>): TwoFunctions => ({
  evaluate: (rate) => {
    const at = new Decimal(rate);
    const valuesTo = (tolerance: number): Both<Enclosure> => {
      const valueOf = (profiles: Profiles): Enclosure => {
        const { lower, upper } = tradeOff(profiles, at, tolerance);
        return enclosure(lower, upper ?? 1);
      };
      return [valueOf(designs[0]), valueOf(designs[1])];
    };
    const rough = valuesTo(ROUGH_RATE);
    return { x: encloseDecimal(at), values: areFarApart(rough) ? rough : valuesTo(RATE_TOLERANCE) };
  },
  nodes: RATES,
  middle: (a, b) => 1 / (1 + Math.exp(-(logit(a) + logit(b)) / 2)),
  length: (a, b) => logit(b) - logit(a),
  narrowest: NARROWEST.odds,
  isConvex: designs.every(isSinglePair),
});

/**
 * Whether the first (or the second) delta is nowhere larger: on all stretches up to the last epsilon, and 0 there, so that
 * it is from there on. At negative epsilons it is 1 - e^eps + e^eps delta(-eps), as with (P, Q) also (Q, P) is a pair.
 */
function isNeverLarger(stretches: readonly Stretch[], which: 'first' | 'second', designs: Both<Profiles>): boolean {
  if (!stretches.every(({ smaller }) => smaller === which || smaller === 'both-0')) return false;
  const last = new Decimal(stretches.at(-1)!.to);
  return (smallestDelta(designs[which === 'first' ? 0 : 1], last).upper as number) === 0;
}

/** 1 - beta, rounded outward. */
function truePositiveRate(profiles: Profiles, rate: Decimal, tolerance: number): Bracket {
  const { lower, upper } = tradeOff(profiles, rate, tolerance);
  const flipped = subtract(exactly(1), enclosure(lower, upper ?? 1));
  return {
    lower: upper === null ? null : asLower(Math.max(0, flipped.lower)),
    upper: asUpper(Math.min(1, flipped.upper)),
  };
}

/** The epsilon of one design at a delta; infinite where no theorem gives one. */
function epsilonAt({ problem }: NamedProblem, delta: Decimal, work: ComposeOptions): Bracket {
  const outcome = compose(problem, { solveFor: 'epsilon', delta }, work);
  return outcome.kind === 'answer' ? outcome.answer.epsilon : { lower: null, upper: asUpper(Infinity) };
}

/**
 * Compares two designs: what they cost at usual targets, what tests on them have, and where the smallest delta and the
 * smallest false-negative rate, of all mechanisms of the declared classes, is certainly smaller for one of them. Refused
 * where no theorem covers one.
 */
export function compareDesigns(
  question: CompareQuestion,
  { progress, ...options }: CompareOptions = {},
): CompareOutcome {
  const { designs, deltas, epsilons, falsePositiveRates, isDrawn } = question;
  const { tolerance = RISK_TOLERANCE } = options;
  const work = { session: createSession(), ...options };
  const during = (stage: CompareStage) => (progress ? { progress: progress.bind(null, stage) } : {});
  progress?.('profiles', 0);
  const outcomes = designs.map(({ problem }) => profilesOf(problem, work));
  for (const outcome of outcomes) if (outcome.kind === 'refusal') return outcome;
  const [first, second] = outcomes.flatMap((outcome) => (outcome.kind === 'profiles' ? [outcome.profiles] : []));
  const profiles: Both<Profiles> = [first!, second!];
  const both = <T, U>(items: Both<T>, map: (item: T) => U): Both<U> => [map(items[0]), map(items[1])];
  const byEpsilon = certainOrder({ ...overEpsilons(profiles), ...during('deltas') });
  const curveOf = (of: RiskMeasure): RiskCurve => {
    const scales = { x: 'linear', y: of === 'profile' ? 'log' : 'linear' } as const;
    progress?.('curves', of === 'profile' ? 0 : 0.5);
    const outcome = riskCurve({ of, problems: designs, values: null, scales, isDrawn }, work);
    if (outcome.kind === 'refusal') throw new Error('refused as a curve, but not before');
    return outcome.curve;
  };
  const warnings = [...relationWarnings(designs), ...profiles.flatMap(({ atZero }) => atZero.warnings)];
  return {
    kind: 'comparison',
    comparison: {
      names: both(designs, ({ name }) => name),
      epsilons: deltas.map((at) => ({ at, values: both(designs, (design) => epsilonAt(design, at, work)) })),
      deltas: epsilons.map((at) => ({ at, values: both(profiles, (profile) => smallestDelta(profile, at)) })),
      truePositiveRates: falsePositiveRates.map((at) => ({
        at,
        values: both(profiles, (profile) => truePositiveRate(profile, at, tolerance)),
      })),
      advantage: both(profiles, (profile) => smallestDelta(profile, ZERO)),
      byEpsilon,
      byRate: certainOrder({ ...overRates(profiles), ...during('tests') }),
      neverLarger: [isNeverLarger(byEpsilon, 'first', profiles), isNeverLarger(byEpsilon, 'second', profiles)],
      curves: isDrawn ? { profile: curveOf('profile'), tradeoff: curveOf('tradeoff') } : null,
      warnings: eachOnce(warnings),
    },
  };
}
