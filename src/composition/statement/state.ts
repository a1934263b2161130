import { BOUND_IDS } from '../../bounds/core/bound.ts';
import { Decimal, ZERO, HALF } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import { unlessInterrupted } from '../../numeric/watch.ts';
import { compose, type ComposeOptions, type Problem } from '../compose/compose.ts';
import type { Answer, Refusal } from '../core/outcome.ts';
import { guessSuccess, membershipAdvantage, truePositiveRate, type RiskProfiles } from '../risk/inference.ts';
import { profilesOf } from '../risk/profile.ts';
import { riskTolerance, type Guess, type TestRates } from '../risk/risk.ts';
import { claimedProfile } from '../risk/claimed.ts';
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

const statedRisk = (profiles: RiskProfiles): StatedRisk => ({
  advantage: membershipAdvantage(profiles),
  guess: { prior: HALF, success: guessSuccess(profiles, HALF) },
  tests: RATES.map((falsePositiveRate) => ({
    falsePositiveRate,
    truePositiveRate: truePositiveRate(profiles, falsePositiveRate, riskTolerance(profiles)),
  })),
});

/** The profile that `answer` alone proves. */
function claimedAlone(answer: Answer): RiskProfiles {
  const profile = claimedProfile(answer);
  return { claimed: [profile], attained: [], atZero: { delta: profile.delta(ZERO) } };
}

/**
 * The risks that {@link risk} gives of the same mechanisms; where time runs out, those that closed forms and sums prove,
 * or `answer` alone.
 */
function risksOf(problem: Problem, answer: Answer, options: ComposeOptions = {}): StatedRisk {
  const { bounds = BOUND_IDS, session } = options;
  const quick = { bounds, quick: true, ...(session && { session }) };
  const outcome = unlessInterrupted(() => profilesOf(problem, options)) ?? profilesOf(problem, quick);
  return statedRisk(outcome.kind === 'refusal' ? claimedAlone(answer) : outcome.profiles);
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
    risk: risksOf(problem, outcome.answer, work),
    theorems: [...new Set([...(design === null ? [] : [ofSubmechanisms]), ...theorems])],
    conditions: conditionsIn(resolved),
    group: distance === null ? null : groupPrivacy(problem, query, distance, work),
  };
}
