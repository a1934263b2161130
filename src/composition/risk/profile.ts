import { createSession } from '../../bounds/core/session.ts';
import { Decimal, encloseDecimal } from '../../numeric/decimal.ts';
import { asUpper, exactly, type Bracket, type UpperBound } from '../../numeric/enclosure.ts';
import { add, exponential, expm1, multiply, negate } from '../../numeric/enclosure-arithmetic.ts';
import type { PrivacyCurve } from '../../privacy/curve.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import type { Query } from '../../privacy/query.ts';
import { compose, type ComposeOptions, type Problem } from '../compose/compose.ts';
import { answererOf, type Answerer } from '../entries/compose-entries.ts';
import { attainedCurves, attainingEntries, pairCurves } from '../entries/pair-curves.ts';
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
   * valid for those that it is about, so that the largest over them is a claim. One that holds for both orders, or two of
   * which each is the other with the neighbours exchanged.
   */
  readonly claimed: readonly Profile[];
  /** Each of one pair of distributions that mechanisms of the declared classes have, both ends certified; perhaps none. */
  readonly attained: readonly Profile[];
  /** Where they differ, since a record is added or removed: the first of `claimed` is that of removals, the second of additions. */
  readonly isDirected: boolean;
  /** The smallest delta at epsilon 0, with the theorem behind it and the warnings. */
  readonly atZero: Answer;
  /** The mechanisms one by one; null where they are parts of a plan, or where single theorems were asked for. */
  readonly entries: readonly Entry[] | null;
  /** Mechanisms whose composition, fixed in advance, has the pairs of `attained`. */
  readonly attaining: readonly Entry[];
}

export type ProfilesOutcome =
  { readonly kind: 'profiles'; readonly profiles: Profiles } | { readonly kind: 'refusal'; readonly refusal: Refusal };

const ZERO = new Decimal(0);

/** Pairs whose claim is wider than that of another theorem by more than this are not taken. */
const PAIRS_WIDTH = 1e-3;

/** The profile of one pair. */
const ofPair = (curve: PrivacyCurve): Profile => ({
  delta: (epsilon) => curve.delta(epsilon),
  largest: curve.epsilon(ZERO).upper,
});

/**
 * The profile that `compose` claims: of both orders of the neighbours at once, so that below 0 it is at most
 * delta(-e) = 1 - e^-e + e^-e delta(e).
 */
function answered(answer: Answerer): Profile {
  let largest: number | null = null;
  const known = once((epsilon: string): UpperBound => {
    const outcome = answer({ solveFor: 'delta', epsilon: new Decimal(epsilon) });
    if (outcome.kind === 'refusal') throw new Error(`refused at epsilon ${epsilon}, but not at 0`);
    return outcome.answer.delta.upper;
  });
  return {
    get largest() {
      if (largest === null) {
        const outcome = answer({ solveFor: 'epsilon', delta: ZERO });
        largest = outcome.kind === 'refusal' ? Infinity : outcome.answer.epsilon.upper;
      }
      return largest;
    },
    delta(epsilon): Bracket {
      const upper = known(epsilon.abs().toString());
      if (!epsilon.isNegative()) return { lower: null, upper };
      const exponent = encloseDecimal(epsilon);
      const mirrored = add(negate(expm1(exponent)), multiply(exponential(exponent), exactly(upper)));
      return { lower: null, upper: asUpper(Math.min(1, mirrored.upper)) };
    },
  };
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
  const isOpen = flat !== null && options.bounds === undefined;
  const found = isOpen ? pairCurves(flat, work) : null;
  // Of more mechanisms than are added up, pairs say nothing where other theorems do.
  const most = Math.max(...(found ?? []).map((curve) => curve.delta(ZERO).upper));
  const pairs = most <= atZero.delta.upper * (1 + PAIRS_WIDTH) ? found : null;
  const known = { atZero, entries: isOpen ? entries : null };
  if (pairs !== null) {
    const both = pairs.map(ofPair);
    const isDirected = atZero.directions !== undefined;
    return {
      kind: 'profiles',
      profiles: { ...known, claimed: both, attained: both, isDirected, attaining: entries ?? [] },
    };
  }
  const answer: Answerer = flat === null ? (query: Query) => compose(problem, query, work) : answererOf(flat, work);
  const attaining = flat === null ? [] : attainingEntries(flat.entries, work);
  return {
    kind: 'profiles',
    profiles: {
      ...known,
      claimed: [answered(answer)],
      attained: attainedCurves(attaining, work).map(ofPair),
      isDirected: false,
      attaining,
    },
  };
}
