import { exactUpper, toUpper, type Decimal } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { LARGEST_WHOLE_SENSITIVITY, type Path } from '../../privacy/mechanisms/record.ts';
import { recordOf } from '../../privacy/mechanisms/records.ts';
import { deltaOfSteps, groupFromCurve } from './from-curve.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import type { Query } from '../../privacy/query.ts';
import { compose, type ComposeOptions, type Problem } from '../compose/compose.ts';
import { isEntry } from '../core/plan-node.ts';

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

/**
 * The guarantee of a mechanism for data that are `distance` neighbouring steps apart, in its own class (see the `along` of
 * each type); null where its class tells nothing of that, and of continual mechanisms.
 */
function entryAt(entry: Entry, distance: number): Entry | null {
  if (entry.kind === 'continual') return null;
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
  'each mechanism at that distance: Vadhan 2017, Lemma 2.2; Bun, Steinke 2016, Prop 1.9; Dong, Roth, Su 2022, Thm 2.14';

/** The cost of a list of mechanisms, each taken at that distance; null where one has no such guarantee. */
function byMechanisms(problem: Problem, query: Query, distance: number, options: ComposeOptions): Decimal | null {
  const entries = problem.entries.map((node) => (isEntry(node) ? entryAt(node, distance) : null));
  const usable = entries.filter((entry) => entry !== null);
  if (usable.length < entries.length) return null;
  const outcome = compose({ ...problem, entries: usable }, query, options);
  if (outcome.kind === 'refusal') return null;
  const bracket = outcome.answer[query.solveFor];
  return bracket.upper === Infinity ? null : exactUpper(bracket);
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
