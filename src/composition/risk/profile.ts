import { ALL_BOUNDS } from '../../bounds/all.ts';
import type { BoundId, Composition, RowId } from '../../bounds/core/bound.ts';
import { type PrivacyCurve, effectiveOrder } from '../../privacy/curve.ts';
import type { Entry, Gdp, Mechanism } from '../../privacy/mechanism.ts';
import { Decimal, encloseDecimal, ZERO } from '../../numeric/decimal.ts';
import { mergeEqual } from '../../privacy/mechanism-key.ts';
import { effortFor, answererOf, type EntriesProblem, type Answerer } from '../entries/compose-entries.ts';
import { problemAnswerer, type ComposeOptions, type Problem } from '../compose/compose.ts';
import { createSession } from '../../bounds/core/session.ts';
import { asLower, asUpper, exactly, type Bracket, type UpperBound } from '../../numeric/enclosure.ts';
import { add, exponential, expm1, multiply, negate } from '../../numeric/enclosure-arithmetic.ts';
import { unlessInterrupted } from '../../numeric/watch.ts';
import { once } from '../core/collections.ts';
import { flatEntries } from '../core/plan-node.ts';
import type { Answer, Refusal } from '../core/outcome.ts';
import { isUsual, USUAL_SETTING } from '../core/setting.ts';

/** The curves of single pairs, and the bound by which they are computed. */
interface BoundPairs {
  readonly bound: BoundId;
  readonly curves: readonly PrivacyCurve[];
}

function pairsIn(composition: Composition, options: ComposeOptions): BoundPairs | null {
  for (const bound of ALL_BOUNDS) {
    const { id } = bound;
    if (id !== 'dp-optimal' && id !== 'gaussian' && id !== 'loss-distribution') continue;
    const applied = bound.apply(composition, effortFor(id, bound.isSlow?.(composition) === true, options));
    if ('curve' in applied && applied.curve.pairs !== undefined) return { bound: id, curves: applied.curve.pairs };
  }
  return null;
}

/**
 * The curves of the single pairs of distributions of which the largest is, at every epsilon, the smallest claim for a
 * list of mechanisms: what holds for each of them holds for the mechanisms, and the mechanisms may have each of them.
 * Null where no such pairs are known.
 */
function pairCurves(
  { entries, adaptivity, order: declared }: EntriesProblem,
  options: ComposeOptions = {},
): BoundPairs | null {
  if (adaptivity === 'parameters') return null;
  const order = effectiveOrder(adaptivity, declared);
  return pairsIn({ entries: mergeEqual(entries, order), adaptivity, order }, options);
}

const Down = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_DOWN });

/** Gaussian noise of this rho, or a little less. */
const gaussianOf = (rho: Decimal): Gdp => ({ type: 'gdp', mu: new Decimal(new Down(rho.times(2)).sqrt()) });

/**
 * A mechanism of a class that has a pair: bounded range contains RR(e, e/2), which is RR(e/2); rho-zCDP, and Renyi DP of
 * finite orders where rho is the least e / a, Gaussian noise with mu^2 = 2 rho. All others are taken themselves.
 */
function legalMechanism(mechanism: Mechanism): Mechanism {
  if (mechanism.type === 'bounded-range') {
    return { type: 'dp', epsilon: mechanism.epsilon.times('0.5'), delta: ZERO };
  }
  if (mechanism.type === 'zcdp') return gaussianOf(mechanism.rho);
  if (mechanism.type !== 'rdp' || mechanism.orders.some(({ alpha }) => !alpha.isFinite())) return mechanism;
  return gaussianOf(Decimal.min(...mechanism.orders.map(({ alpha, epsilon }) => new Down(epsilon).div(alpha))));
}

/** Every mechanism may also answer once only, and approximate zCDP reveal everything with probability delta beside. */
function legalUse(entry: Entry): Entry[] {
  const { mechanism } = entry;
  const once: Entry = { ...entry, kind: 'noninteractive', mechanism: legalMechanism(mechanism) };
  if (mechanism.type !== 'zcdp' || mechanism.delta === undefined) return [once];
  return [once, { ...once, mechanism: { type: 'dp', epsilon: ZERO, delta: mechanism.delta } }];
}

/**
 * Mechanisms of the declared classes whose composition, fixed in advance, has pairs that are known: of each entry of which
 * none is known it is assumed that it answers a constant. Empty where there is none.
 */
const attainingEntries = (entries: readonly Entry[], options: ComposeOptions = {}): readonly Entry[] =>
  mergeEqual(
    entries
      .flatMap(legalUse)
      .filter((entry) => pairsIn({ entries: [entry], adaptivity: 'nonadaptive', order: 'any' }, options) !== null),
    'any',
  );

/** The curves of the single pairs of what {@link attainingEntries} finds. */
const attainedCurves = (attaining: readonly Entry[], options: ComposeOptions = {}): readonly PrivacyCurve[] =>
  attaining.length === 0
    ? []
    : (pairsIn({ entries: attaining, adaptivity: 'nonadaptive', order: 'any' }, options)?.curves ?? []);

/** The smallest delta at a real epsilon, P(S) - e^epsilon Q(S) at most, for one order of two neighbouring data sets. */
export interface Profile extends Pick<PrivacyCurve, 'delta'> {
  /** A double that no loss exceeds; Infinity where there is none, or none is known. */
  readonly largest: number;
}

/** On what profiles rest, as far as they were asked. */
interface Basis {
  /** The bounds that gave a delta. */
  readonly used: ReadonlySet<RowId>;
  /** Those that would have, had time not been up. */
  readonly givenUp: ReadonlySet<BoundId>;
}

/** Everything that is known of how far the results on two neighbouring data sets can be told apart. */
export interface Profiles {
  /**
   * Every test of two neighbouring data sets, in either order, is bounded by one of these: the upper ends of each are
   * valid for those that it is about, so that the largest over them is a claim. One that holds for both orders, or two of
   * which each is the other with the neighbours exchanged.
   */
  readonly claimed: readonly Profile[];
  /** Each of one pair of distributions that mechanisms of the declared classes have, both ends certified; perhaps none. */
  readonly attained: readonly Profile[];
  /** The smallest delta at epsilon 0, with the theorem behind it and the warnings. */
  readonly atZero: Answer;
  readonly basis: Basis;
  /** The mechanisms one by one; null where they are parts of a plan, or where single theorems were asked for. */
  readonly entries: readonly Entry[] | null;
  /** Mechanisms whose composition, fixed in advance, has the pairs of `attained`. */
  readonly attaining: readonly Entry[];
}

type ProfilesOutcome =
  { readonly kind: 'profiles'; readonly profiles: Profiles } | { readonly kind: 'refusal'; readonly refusal: Refusal };

/** Pairs whose claim is wider than that of another theorem by more than this are not taken. */
const PAIRS_WIDTH = 1e-3;

/** The relative width asked of the profiles of pairs where none is given: of those that is cheap. */
const PAIR_TOLERANCE = 1e-7;

/** Delta is a probability, whatever is known. */
const MOST = asUpper(1);

const nothing = (): void => undefined;

/** A pair whose upper end is above so many times its lower one is not tight: other theorems may say less. */
const LOOSE = 2;

/** The profile of one pair; `used` hears of each use, and where that is given up or loose `otherwise` says what else is known. */
const ofPair = (
  curve: PrivacyCurve,
  used: () => void,
  otherwise: (epsilon: Decimal) => UpperBound,
  gaveUp: () => void = nothing,
): Profile => {
  // Searches of lines ask for the same epsilons again and again.
  const deltaAt = once((text: string): Bracket => {
    const epsilon = new Decimal(text);
    const bracket = unlessInterrupted(() => curve.delta(epsilon));
    if (bracket === null) {
      gaveUp();
      return { lower: asLower(0), upper: otherwise(epsilon) };
    }
    used();
    const { lower, upper } = bracket;
    return (lower ?? 0) * LOOSE < upper ? { lower, upper: asUpper(Math.min(upper, otherwise(epsilon))) } : bracket;
  });
  return {
    delta: (epsilon) => deltaAt(epsilon.toString()),
    largest: unlessInterrupted(() => curve.epsilon(ZERO).upper) ?? Infinity,
  };
};

const givenUpIn = ({ warnings }: Answer): readonly BoundId[] =>
  warnings.flatMap((warning) => (warning.code === 'interrupted' ? warning.bounds : []));

/**
 * The profile that `compose` claims: of both orders of the neighbours at once, so that below 0 it is at most
 * delta(-e) = 1 - e^-e + e^-e delta(e).
 */
function answered(answer: Answerer, used: Set<RowId>, givenUp: Set<BoundId>): Profile {
  let largest: number | null = null;
  const deltaAt = once((epsilon: string): UpperBound => {
    const outcome = answer({ solveFor: 'delta', epsilon: new Decimal(epsilon) });
    if (outcome.kind === 'refusal') return MOST;
    used.add(outcome.answer.bound);
    for (const id of givenUpIn(outcome.answer)) givenUp.add(id);
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
      const upper = deltaAt(epsilon.abs().toString());
      if (!epsilon.isNegative()) return { lower: null, upper };
      const exponent = encloseDecimal(epsilon);
      const mirrored = add(negate(expm1(exponent)), multiply(exponential(exponent), exactly(upper)));
      return { lower: null, upper: asUpper(Math.min(1, mirrored.upper)) };
    },
  };
}

/**
 * The privacy profiles of a composition. Where its mechanisms have dominating pairs that they attain, those of the pairs
 * themselves; else what the best theorem claims at every epsilon, and beside it pairs that are attained. Work that is
 * given up leaves profiles that are valid, and say less.
 */
export function profilesOf(problem: Problem, options: ComposeOptions = {}): ProfilesOutcome {
  const { adaptivity, order = 'any', setting = USUAL_SETTING } = problem;
  const usual: ComposeOptions = { session: createSession(), ...options, claimOnly: true };
  const fine: ComposeOptions = { tolerance: PAIR_TOLERANCE, ...usual };
  const entries = flatEntries(problem.entries);
  const listed = entries !== null && isUsual(setting) ? { entries, adaptivity, order } : null;
  const isOpen = listed !== null && options.bounds === undefined;
  const pairs = isOpen ? unlessInterrupted(() => pairCurves(listed, fine)) : null;
  const work = pairs === null ? usual : fine;
  const answer = problemAnswerer(problem, work);
  const outcome = answer({ solveFor: 'delta', epsilon: ZERO });
  if (outcome.kind === 'refusal') return outcome;
  const { answer: atZero } = outcome;
  const flat = atZero.plan === undefined ? listed : null;
  const used = new Set<RowId>([atZero.bound]);
  const givenUp = new Set<BoundId>(givenUpIn(atZero));
  const common = { atZero, entries: isOpen && flat !== null ? entries : null, basis: { used, givenUp } };
  if (pairs !== null && flat !== null) {
    const { bound, curves } = pairs;
    const quick = answered(answererOf(flat, { ...work, quick: true }), used, givenUp);
    const both = curves.map((curve) =>
      ofPair(
        curve,
        () => used.add(bound),
        (epsilon) => quick.delta(epsilon).upper,
        () => givenUp.add(bound),
      ),
    );
    // Of more mechanisms than are added up, pairs say nothing where other theorems do.
    const largestDelta = Math.max(...both.map((profile) => profile.delta(ZERO).upper));
    if (largestDelta <= atZero.delta.upper * (1 + PAIRS_WIDTH)) {
      const profiles = { ...common, claimed: both, attained: both, attaining: flat.entries };
      return { kind: 'profiles', profiles };
    }
  }
  const attaining = flat === null ? [] : (unlessInterrupted(() => attainingEntries(flat.entries, work)) ?? []);
  const attained = unlessInterrupted(() => attainedCurves(attaining, work)) ?? [];
  return {
    kind: 'profiles',
    profiles: {
      ...common,
      claimed: [answered(answer, used, givenUp)],
      attained: attained.map((curve) => ofPair(curve, nothing, () => MOST)),
      attaining,
    },
  };
}

/**
 * The smallest delta at an epsilon for either order of two neighbouring data sets. Upper: the claim; lower: mechanisms of
 * the declared classes need as much, null where no pair that they have is known.
 */
export function smallestDelta({ claimed, attained }: Profiles, epsilon: Decimal): Bracket {
  const deltas = new Map([...new Set([...claimed, ...attained])].map((profile) => [profile, profile.delta(epsilon)]));
  const lowers = attained.flatMap((profile) => deltas.get(profile)!.lower ?? []);
  const upper = Math.max(...claimed.map((profile) => deltas.get(profile)!.upper));
  return {
    lower: lowers.length === 0 ? null : asLower(Math.min(upper, Math.max(...lowers))),
    upper: asUpper(upper),
  };
}
