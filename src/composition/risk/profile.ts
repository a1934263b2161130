import { createSession } from '../../bounds/core/session.ts';
import { Decimal } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import type { PrivacyCurve } from '../../privacy/curve.ts';
import type { Query } from '../../privacy/query.ts';
import { compose, type ComposeOptions, type Problem } from '../compose/compose.ts';
import { answererOf, type Answerer } from '../entries/compose-entries.ts';
import { attainedCurves, pairCurves } from '../entries/pair-curves.ts';
import { once } from '../core/collections.ts';
import { flatEntries } from '../core/plan-node.ts';
import type { Answer, Refusal } from '../core/outcome.ts';
import { isUsual, USUAL_SETTING } from '../core/setting.ts';

/** The smallest delta at a real epsilon, P(S) - e^epsilon Q(S) at most, for one order of two neighbouring data sets. */
export interface Profile extends Pick<PrivacyCurve, 'delta'> {
  /** A double that no loss exceeds; Infinity where there is none, or none is known. */
  readonly largest: number;
}

/** Everything that is known of how far the results on two neighbouring data sets can be told apart. */
export interface Profiles {
  /**
   * Whoever looks at two neighbouring data sets, in whichever order, is bound by one of these: the upper ends of each are
   * valid for those that it is about, so that the largest over them is a claim.
   */
  readonly claimed: readonly Profile[];
  /** Each of one pair of distributions that mechanisms of the declared classes have, both ends certified; perhaps none. */
  readonly attained: readonly Profile[];
  /** Where they differ, since a record is added or removed: the first of `claimed` is that of removals, the second of additions. */
  readonly isDirected: boolean;
  /** The smallest delta at epsilon 0, with the theorem behind it and the warnings. */
  readonly atZero: Answer;
}

export type ProfilesOutcome =
  { readonly kind: 'profiles'; readonly profiles: Profiles } | { readonly kind: 'refusal'; readonly refusal: Refusal };

const ZERO = new Decimal(0);

/** The profile of one pair. */
const ofPair = (curve: PrivacyCurve): Profile => ({
  delta: (epsilon) => curve.delta(epsilon),
  largest: curve.epsilon(ZERO).upper,
});

/** The profile that `compose` claims. */
function answered(answer: Answerer): Profile {
  const known = once((epsilon: string): Bracket => {
    const outcome = answer({ solveFor: 'delta', epsilon: new Decimal(epsilon) });
    if (outcome.kind === 'refusal') throw new Error(`refused at epsilon ${epsilon}, but not at 0`);
    return { ...outcome.answer.delta, lower: null };
  });
  return { largest: Infinity, delta: (epsilon) => known(epsilon.toString()) };
}

/**
 * The privacy profiles of a composition. Where its mechanisms have dominating pairs that they attain, those of the pairs
 * themselves; else what the best theorem claims at every epsilon, and beside it pairs that are attained.
 */
export function profilesOf(problem: Problem, options: ComposeOptions = {}): ProfilesOutcome {
  const work: ComposeOptions = { session: createSession(), ...options };
  const outcome = compose(problem, { solveFor: 'delta', epsilon: ZERO }, work);
  if (outcome.kind === 'refusal') return outcome;
  const { answer: atZero } = outcome;
  const { adaptivity, order = 'any', setting = USUAL_SETTING } = problem;
  const entries = flatEntries(problem.entries);
  const isPlain = entries !== null && atZero.plan === undefined && isUsual(setting);
  const flat = isPlain ? { entries, adaptivity, order } : null;
  const pairs = flat === null || options.bounds !== undefined ? null : pairCurves(flat, work);
  if (pairs !== null) {
    const both = pairs.map(ofPair);
    const profiles = { claimed: both, attained: both, isDirected: atZero.directions !== undefined, atZero };
    return { kind: 'profiles', profiles };
  }
  const answer = flat === null ? (query: Query) => compose(problem, query, work) : answererOf(flat, work);
  return {
    kind: 'profiles',
    profiles: {
      claimed: [answered(answer)],
      attained: flat === null ? [] : attainedCurves(flat.entries, work).map(ofPair),
      isDirected: false,
      atZero,
    },
  };
}
