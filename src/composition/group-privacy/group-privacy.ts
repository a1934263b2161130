import { Decimal, exactUpper, toUpper, ONE } from '../../numeric/decimal.ts';
import type { Query } from '../../privacy/curve.ts';
import { compose, type ComposeOptions, type Problem } from '../compose/compose.ts';
import { bracket } from '../solve/bracket.ts';
import { decimalSteps } from '../solve/largest-parameter.ts';
import { relationOf, type Entry } from '../../privacy/mechanism.ts';
import { LARGEST_WHOLE_SENSITIVITY } from '../../privacy/mechanisms/parameters.ts';
import type { Path } from '../../privacy/mechanisms/record.ts';
import { recordOf } from '../../privacy/mechanisms/records.ts';
import { isSeveralCovered } from '../../privacy/sampling/several-records.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import { isEntry } from '../core/plan-node.ts';

/** Digits of sums that are rounded up. */
const PRECISION = 60;
const Up = Decimal.clone({ precision: PRECISION, rounding: Decimal.ROUND_UP });

/** More steps than this are not added up one by one. */
const MOST_TERMS = 1000;

/**
 * An upper end of `delta (1 + e^epsilon + ... + e^((steps - 1) epsilon))`: the delta of `steps` neighbouring steps, each of
 * which is (epsilon, delta)-indistinguishable; `epsilon` at least 0, `delta` from 0 to 1. Infinity is capped at 1, as
 * every delta is.
 *
 * Each factor and sum is rounded up; of many steps, each term is replaced by the last and largest.
 */
export function deltaOfSteps(epsilon: Decimal, delta: Decimal, steps: number): Decimal {
  if (delta.isZero()) return delta;
  const one = ONE;
  const largest = new Up(epsilon).times(steps - 1);
  if (largest.plus(new Up(delta).ln()).gt(0)) return one;
  let sum = new Up(0);
  if (steps > MOST_TERMS) {
    sum = largest.exp().times(steps);
  } else {
    const factor = new Up(epsilon).exp();
    let term = new Up(1);
    for (let i = 0; i < steps; i++) {
      sum = sum.plus(term);
      term = term.times(factor);
    }
  }
  return Decimal.min(one, new Decimal(sum.times(delta)));
}

const LINEAR = { of: (step: number): number => step, back: (x: number): number => x };

/** Digits of an epsilon that was searched for. */
const DIGITS = 10;
/** Beyond this an epsilon promises nothing anyone would want. */
const LARGEST = 1e6;
/** Below this no epsilon is distinguished from 0. */
const SMALLEST = new Decimal('1e-30');
/** How often the search may go up before it ends without a claim. */
const ROUNDS = 60;

/** The privacy curve of a composition, carried over to data several neighbouring steps apart. */
class SteppedCurve {
  readonly #problem: Problem;
  readonly #steps: number;
  readonly #options: ComposeOptions;

  constructor(problem: Problem, steps: number, options: ComposeOptions) {
    this.#problem = problem;
    this.#steps = steps;
    this.#options = options;
  }

  /** An upper end of delta at `steps` times this epsilon; null where no theorem covers it. */
  delta(epsilon: Decimal): Decimal | null {
    const outcome = compose(this.#problem, { solveFor: 'delta', epsilon }, this.#options);
    if (outcome.kind === 'refusal') return null;
    return deltaOfSteps(epsilon, Decimal.min(1, exactUpper(outcome.answer.delta)), this.#steps);
  }

  /** An epsilon of one step at which a delta for one step is reached; null where there is none. */
  oneStepEpsilon(delta: Decimal): Decimal | null {
    const outcome = compose(this.#problem, { solveFor: 'epsilon', delta }, this.#options);
    if (outcome.kind === 'refusal' || outcome.answer.epsilon.upper === Infinity) return null;
    return exactUpper(outcome.answer.epsilon);
  }

  /** The smallest epsilon of one step, about, at which all steps stay within delta; null where none is found. */
  epsilon(delta: Decimal): Decimal | null {
    if (delta.isZero()) return this.oneStepEpsilon(delta);
    // No epsilon below this will do: the sum over the steps is at least their number.
    const first = this.oneStepEpsilon(delta.div(this.#steps).toSignificantDigits(30, Decimal.ROUND_DOWN));
    if (first === null) return null;
    if (this.#isWithin(first, delta)) return first;
    let failing = first;
    for (let round = 0, factor = 1.001; round < ROUNDS && failing.lt(LARGEST); round++, factor **= 1.5) {
      const wider = Decimal.max(failing.times(factor), failing.plus('1e-9')).toSignificantDigits(
        DIGITS,
        Decimal.ROUND_UP,
      );
      if (this.#isWithin(wider, delta)) return this.#between(failing, wider, delta);
      failing = wider;
    }
    return null;
  }

  #isWithin(epsilon: Decimal, delta: Decimal): boolean {
    return this.delta(epsilon)?.lte(delta) === true;
  }

  /** The smallest decimal between one that fails and one that passes. */
  #between(failing: Decimal, passing: Decimal, delta: Decimal): Decimal {
    const steps = decimalSteps(DIGITS);
    const first = -steps.atMost(passing);
    const { within } = bracket({
      first,
      last: Math.max(first, -steps.atMost(Decimal.max(failing, SMALLEST))),
      start: first,
      exact: true,
      scale: LINEAR,
      levels: [
        (step) => {
          const reached = this.delta(steps.valueOf(-step));
          const above = reached === null ? NaN : Math.log(reached.toNumber() / delta.toNumber());
          return { standing: reached?.lte(delta) === true ? 'within' : 'exceeds', above, below: NaN, noise: 0 };
        },
      ],
    });
    return within === null ? passing : steps.valueOf(-within);
  }
}

/**
 * A claim for data `distance` neighbouring steps apart from the privacy curve between neighbours: where that is
 * (e, delta(e)), the outputs k steps apart are (k e, delta(e) sum_{i<k} e^(i e))-indistinguishable, for every e. The
 * epsilon at a delta, or the delta at an epsilon, rounded up; null where no such claim is found.
 *
 * P_0(S) <= e^e P_1(S) + d <= e^(2e) P_2(S) + e^e d + d <= ...; each step is one of neighbouring data.
 *
 * Source: Vadhan, "The Complexity of Differential Privacy" (2017), Lemma 2.2, by its proof.
 */
export function groupFromCurve(
  problem: Problem,
  query: Query,
  distance: number,
  options: ComposeOptions = {},
): Decimal | null {
  const curve = new SteppedCurve(problem, distance, options);
  if (query.solveFor === 'epsilon') return curve.epsilon(query.delta)?.times(distance) ?? null;
  if (query.epsilon.isNegative()) return null;
  // Rounded down, so that all steps together stay within what was asked.
  const stepEpsilon = query.epsilon.div(distance).toSignificantDigits(30, Decimal.ROUND_DOWN);
  return curve.delta(stepEpsilon);
}

/** A path of so many steps, in exact decimals but for delta, which is rounded up. */
const pathOf = (distance: number): Path => {
  const times = (x: Decimal): Decimal => x.times(distance);
  return {
    times,
    timesSquare: (x) => times(times(x)),
    whole: (x) => (times(x).lte(LARGEST_WHOLE_SENSITIVITY) ? times(x) : null),
    delta: (epsilon, delta) => deltaOfSteps(epsilon, delta, distance),
  };
};

/** How many steps there are, and how many of those that add a record or remove one go the other way. */
interface Steps {
  readonly distance: number;
  readonly opposite: number;
}

/** Each number of them that go the other way is a composition of its own. */
const MOST_APART = 32;

/** Records of a Poisson sample, all of one rate, that are added or removed one by one; null of other mechanisms. */
function drawnRecords({ mechanism }: Entry): Decimal | null {
  if (mechanism.type !== 'sampled' || mechanism.scheme !== 'poisson' || !isSeveralCovered(mechanism)) return null;
  if (mechanism.rates) return null;
  return mechanism.records ?? ONE;
}

/**
 * The guarantee of a mechanism for data that are `distance` neighbouring steps apart, in its own class (see the `along` of
 * each type); null where its class tells nothing of that, and of continual mechanisms.
 */
function entryAt(entry: Entry, { distance, opposite }: Steps): Entry | null {
  if (entry.kind === 'continual') return null;
  const records = drawnRecords(entry);
  if (records !== null && entry.mechanism.type === 'sampled') {
    const all = records.times(distance);
    const counts = { records: all, opposite: records.times(opposite) };
    return all.lte(MOST_APART) ? { ...entry, mechanism: { ...entry.mechanism, ...counts } } : null;
  }
  const mechanism = recordOf(entry.mechanism).along?.(entry.mechanism, pathOf(distance)) ?? null;
  return mechanism && { ...entry, mechanism };
}

/** A guarantee for data several neighbouring steps apart. */
export interface GroupClaim {
  /** How many steps. */
  readonly distance: number;
  /** The epsilon or delta at this distance, rounded up; null where no claim holds, or none that promises anything. */
  readonly claim: Bracket | null;
  /** mechanisms: each mechanism at that distance, composed; curve: the composition between neighbours, step by step. */
  readonly method: 'mechanisms' | 'curve';
  readonly reference: string;
}

const CURVE = 'Vadhan 2017, Lemma 2.2 (with the sum of its proof)';
const MECHANISMS =
  'each mechanism at that distance: Vadhan 2017, Lemma 2.2; Bun, Steinke 2016, Prop 1.9; Dong, Roth, Su 2022, Thm 2.14; Poisson subsampled Gaussian noise derived';

/** The cost of a list of mechanisms, each taken at those steps; null where one has no such guarantee. */
function byStepsOf(problem: Problem, query: Query, steps: Steps, options: ComposeOptions): Decimal | null {
  const entries = problem.entries.map((node) => (isEntry(node) ? entryAt(node, steps) : null));
  const usable = entries.filter((entry) => entry !== null);
  if (usable.length < entries.length) return null;
  const outcome = compose({ ...problem, entries: usable }, query, options);
  if (outcome.kind === 'refusal') return null;
  const bracket = outcome.answer[query.solveFor];
  return bracket.upper === Infinity ? null : exactUpper(bracket);
}

/**
 * The cost of a list of mechanisms, each taken at that distance; null where one has no such guarantee. Steps that add records to Poisson
 * samples and steps that remove some may follow each other: the largest cost of all their numbers, which exchanged are the other direction.
 */
function byMechanisms(problem: Problem, query: Query, distance: number, options: ComposeOptions): Decimal | null {
  const isSplit = problem.entries.some(
    (node) => isEntry(node) && drawnRecords(node) !== null && relationOf(node) === 'add-remove',
  );
  let worst = byStepsOf(problem, query, { distance, opposite: 0 }, options);
  for (let opposite = 1; isSplit && worst !== null && opposite <= distance / 2; opposite++) {
    const steps = { distance, opposite };
    // One delta at the epsilon so far is sooner known than an epsilon.
    if (query.solveFor === 'epsilon' && worst.lte(LARGEST)) {
      const delta = byStepsOf(problem, { solveFor: 'delta', epsilon: worst }, steps, options);
      if (delta?.lte(query.delta) === true) continue;
    }
    const other = byStepsOf(problem, query, steps, options);
    worst = other && Decimal.max(worst, other);
  }
  return worst;
}

/**
 * The guarantee of a composition for data `distance` neighbouring steps apart, a whole number of at least 1, as for a
 * group of so many people: the better of two valid claims (see {@link entryAt} and {@link groupFromCurve}); the second
 * is computed for (epsilon, delta)-DP mechanisms, and where there is no first.
 *
 * Errs upward; how much smaller it could be is not known.
 */
export function groupPrivacy(
  problem: Problem,
  query: Query,
  distance: number,
  options: ComposeOptions = {},
): GroupClaim {
  const mechanisms = byMechanisms(problem, query, distance, options);
  // Noise at a distance is exactly noise of a larger sensitivity: step by step nothing is gained there.
  const gains = problem.entries.every((node) => isEntry(node) && node.mechanism.type === 'dp');
  const curve = mechanisms === null || gains ? groupFromCurve(problem, query, distance, options) : null;
  const method = mechanisms !== null && (curve === null || mechanisms.lte(curve)) ? 'mechanisms' : 'curve';
  const value = method === 'mechanisms' ? mechanisms : curve;
  const promises = value !== null && !(query.solveFor === 'delta' && value.gte(1));
  return {
    distance,
    claim: promises ? { lower: null, upper: toUpper(value), exact: value.toString() } : null,
    method,
    reference: method === 'mechanisms' ? MECHANISMS : CURVE,
  };
}
