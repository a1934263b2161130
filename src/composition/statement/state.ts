import { BOUND_IDS } from '../../bounds/core/bound.ts';
import { Decimal, decimalFromDouble, toLower, toUpper, ZERO, HALF } from '../../numeric/decimal.ts';
import { asLower, type Bracket, type LowerBound, type UpperBound } from '../../numeric/enclosure.ts';
import { unlessInterrupted } from '../../numeric/watch.ts';
import { compose, type ComposeOptions, type Problem } from '../compose/compose.ts';
import type { Answer, Refusal } from '../core/outcome.ts';
import { guessSuccess, truePositiveRate } from '../risk/inference.ts';
import { profilesOf, type Profile } from '../risk/profile.ts';
import { RISK_TOLERANCE, type Guess, type TestRates } from '../risk/risk.ts';
import { claimedProfile, gaussianLine } from '../risk/claimed.ts';
import { createSession } from '../../bounds/core/session.ts';
import type { Query } from '../../privacy/curve.ts';
import { checkDesign, isPrivate, type DesignCheck } from '../design/check-design.ts';
import type { Design } from '../design/design.ts';
import { groupPrivacy, type GroupClaim } from '../group-privacy/group-privacy.ts';
import { resolvePlan } from '../plan/resolve-plan.ts';
import type { ResolvedNode } from '../plan/resolved-node.ts';
import { USUAL_SETTING } from '../core/setting.ts';
import type { Condition, Theorem } from '../theorems/theorem.ts';
import { ofSubmechanisms } from '../theorems/design.ts';

/** How often somebody tells two neighbouring data sets apart: upper ends hold for everybody, lower ends are attained. */
export interface StatedRisk {
  /** The largest true-positive rate minus false-positive rate. */
  readonly advantage: Bracket;
  /** Where both are equally likely. */
  readonly guess: Guess;
  readonly tests: readonly Pick<TestRates, 'falsePositiveRate' | 'truePositiveRate'>[];
}

/** The false-positive rates of which a statement speaks. */
const RATES: readonly Decimal[] = [new Decimal('0.1'), new Decimal('0.01')];

const Up = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_CEIL });

/** An upper end of delta, for every order of two neighbouring data sets. */
type Claim = (epsilon: Decimal) => UpperBound;

const smaller = (a: UpperBound, b: UpperBound): UpperBound => (a < b ? a : b);

const largestOf =
  (profiles: readonly Profile[]): Claim =>
  (epsilon) =>
    profiles.map((profile) => profile.delta(epsilon).upper).reduce((max, delta) => (delta > max ? delta : max));

/** Lines that are steeper bound no rate of at least 0.01 below 1. */
const STEEPEST = 5;

/**
 * The risks where each delta may take long, as where a game is solved for it: rates by three lines, each of which bounds
 * them, one of which would be best for the Gaussian profile with the same advantage; upper ends alone.
 *
 * Source: `truePositiveRate`, every e^epsilon alpha + delta(epsilon) of which is an upper end.
 */
function byLines(claim: Claim, atZero: Bracket, answer: Answer): StatedRisk {
  const own = claimedProfile(answer);
  const advantageBound = smaller(atZero.upper, own.delta(ZERO).upper);
  const end = answer.epsilon.upper < STEEPEST ? [decimalFromDouble(answer.epsilon.upper)] : [];
  const lineAt = (alpha: Decimal, epsilon: Decimal, delta: UpperBound): Decimal =>
    new Up(new Up(epsilon).exp()).times(alpha).plus(decimalFromDouble(delta));
  const rateAt = (alpha: Decimal): Bracket => {
    if (advantageBound >= 1) return { lower: null, upper: advantageBound };
    const best = gaussianLine(advantageBound, alpha);
    const lines = [
      lineAt(alpha, ZERO, advantageBound),
      ...end.map((epsilon) => lineAt(alpha, epsilon, own.delta(epsilon).upper)),
      lineAt(alpha, best, smaller(claim(best), own.delta(best).upper)),
    ];
    return { lower: null, upper: toUpper(Decimal.max(alpha, Decimal.min(1, ...lines))) };
  };
  const lower: LowerBound = asLower(Math.min(atZero.lower ?? 0, advantageBound));
  const half = (value: number): Decimal => decimalFromDouble(value).plus(1).times(HALF);
  return {
    advantage: { lower, upper: advantageBound },
    guess: { prior: HALF, success: { lower: toLower(half(lower)), upper: toUpper(half(advantageBound)) } },
    tests: RATES.map((rate) => ({ falsePositiveRate: rate, truePositiveRate: rateAt(rate) })),
  };
}

/** Of what takes milliseconds alone. */
function quickly(problem: Problem, answer: Answer, options: ComposeOptions): StatedRisk {
  const claim = quickClaim(problem, options) ?? largestOf([claimedProfile(answer)]);
  return byLines(claim, { lower: null, upper: claim(ZERO) }, answer);
}

/** The claim of closed forms and sums; null where no theorem covers the mechanisms. */
function quickClaim(problem: Problem, { bounds = BOUND_IDS, session }: ComposeOptions): Claim | null {
  const outcome = profilesOf(problem, { bounds, quick: true, ...(session && { session }) });
  return outcome.kind === 'refusal' ? null : largestOf(outcome.profiles.claimed);
}

/**
 * How often somebody who sees everything that comes out names the right one of two neighbouring data sets, for the worst
 * two: exact where the mechanisms' dominating pairs are attained, and else by what the theorems claim, of which `answer` is
 * one.
 */
function statedRisk(problem: Problem, answer: Answer, options: ComposeOptions = {}): StatedRisk {
  const exactRisk = unlessInterrupted((): StatedRisk | null => {
    const outcome = profilesOf(problem, options);
    if (outcome.kind === 'refusal') return null;
    const { profiles } = outcome;
    const { claimed, attained } = profiles;
    if (claimed !== attained) return byLines(largestOf(claimed), profiles.atZero.delta, answer);
    return {
      advantage: profiles.atZero.delta,
      guess: { prior: HALF, success: guessSuccess(profiles, HALF) },
      tests: RATES.map((falsePositiveRate) => ({
        falsePositiveRate,
        truePositiveRate: truePositiveRate(profiles, falsePositiveRate, RISK_TOLERANCE),
      })),
    };
  });
  return exactRisk ?? quickly(problem, answer, options);
}

/** The privacy of a composition, and on what it rests. */
export interface Stated {
  readonly answer: Answer;
  /** How often somebody tells neighbouring data apart. */
  readonly risk: StatedRisk;
  /** The theorems beside the bound, from the whole to the parts. */
  readonly theorems: readonly Theorem[];
  /** Their assumptions, each once: failing where it fails anywhere, assumed where it is assumed anywhere. */
  readonly conditions: readonly Condition[];
  /** For data several neighbouring steps apart, where that was asked. */
  readonly group: GroupClaim | null;
}

/** That; or why there is no statement. */
export type StateOutcome =
  | ({ readonly kind: 'stated' } & Stated)
  | { readonly kind: 'fails'; readonly check: DesignCheck; readonly design: Design }
  | { readonly kind: 'refusal'; readonly refusal: Refusal };

const nodesOf = (node: ResolvedNode): ResolvedNode[] => [node, ...node.children.flatMap(nodesOf)];

const WORST = ['failing', 'assumed', 'met'] as const;

function conditionsIn(nodes: readonly ResolvedNode[]): Condition[] {
  const all = nodes.flatMap(({ conditions }) => conditions);
  const ids = [...new Set(all.map(({ id }) => id))];
  return ids.map((id) => {
    const states = all.filter((condition) => condition.id === id).map(({ state }) => state);
    return { id, state: WORST.find((state) => states.includes(state)) ?? 'assumed' };
  });
}

/**
 * The guarantee of a composition, with everything that it rests on: its theorems and their conditions; `distance`: also for
 * data so many neighbouring steps apart. Refused as {@link compose} refuses, and where a design does not have the privacy
 * of its mechanisms.
 */
export function state(
  problem: Problem & { readonly design: Design | null },
  query: Query,
  distance: number | null,
  options: ComposeOptions = {},
): StateOutcome {
  const { entries: nodes, adaptivity, order = 'any', setting = USUAL_SETTING, design } = problem;
  const check = design === null ? null : checkDesign(design, nodes);
  if (design !== null && check !== null && !isPrivate(check)) return { kind: 'fails', check, design };
  const work = { session: createSession(), ...options };
  const outcome = compose(problem, query, work);
  if (outcome.kind === 'refusal') return outcome;
  if (adaptivity === 'parameters') throw new Error('parameters adaptively chosen are refused');
  const resolved = nodesOf(resolvePlan({ nodes, adaptivity, order, setting }).tree);
  const theorems = resolved.flatMap((node) => node.theorems);
  return {
    kind: 'stated',
    answer: outcome.answer,
    risk: statedRisk(problem, outcome.answer, work),
    theorems: [...new Set([...(design === null ? [] : [ofSubmechanisms]), ...theorems])],
    conditions: conditionsIn(resolved),
    group: distance === null ? null : groupPrivacy(problem, query, distance, work),
  };
}
