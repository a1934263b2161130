import type { Decimal } from '../numeric/decimal.ts';
import { highestLoss, logLatticeExcess } from '../numeric/lattice-measure.ts';
import { logExcessOfSum } from '../numeric/meet-in-the-middle.ts';
import type { FiniteLossCurve } from '../privacy/finite-loss-curve.ts';
import { totalEpsilon, type PureGroup } from '../privacy/pure-group.ts';
import type { Effort } from './bound.ts';
import { commonDivisor } from './commensurable.ts';
import { discretisedMethod } from './discretised-method.ts';
import { chunkPairs, largestTiltOf, responsesLogMoment } from './dp-chunks.ts';
import { atomCount, atomsOfRandomizedResponses } from './dp-optimal-atoms.ts';
import { latticeOfRandomizedResponses } from './dp-optimal-lattice.ts';
import { tiltedCurve, type TiltedMethod } from './tilted-curve.ts';

const CHEAP_CELLS = 3e7;
const AFFORDABLE_CELLS = 1.5e9;
const CHEAP_ATOMS = 2 ** 16;
const AFFORDABLE_ATOMS = 2 ** 19;
const DEFAULT_TOLERANCE = 1e-6;

/** Cells touched by the exact lattice: the window is about 20 standard deviations of the composed loss. */
function latticeWork(groups: readonly PureGroup[], unit: Decimal): number {
  const u = 2 * unit.toNumber();
  let [variance, cells, reach] = [0, 0, 0];
  for (const { epsilon, count } of groups) {
    const e = epsilon.toNumber();
    variance += count * e * e;
    reach += (count * 2 * e) / u;
    const window = Math.min(reach, (21 * Math.sqrt(variance)) / u) + 1;
    cells += window * Math.min(count, 48);
  }
  return cells;
}

/** Splits into two lists whose numbers of combinations are as even as a greedy choice makes them. */
function halves(groups: readonly PureGroup[]): [PureGroup[], PureGroup[]] {
  const [a, b]: [PureGroup[], PureGroup[]] = [[], []];
  let [sizeA, sizeB] = [1, 1];
  for (const group of [...groups].sort((x, y) => y.count - x.count)) {
    if (sizeA <= sizeB) {
      a.push(group);
      sizeA *= atomCount(group);
    } else {
      b.push(group);
      sizeB *= atomCount(group);
    }
  }
  return [a, b];
}

const combinations = (groups: readonly PureGroup[]): number => groups.reduce((n, group) => n * atomCount(group), 1);

/** Methods that do not discretise, without the composing itself. */
const exact = (groups: readonly PureGroup[], compose: TiltedMethod['compose']): TiltedMethod => ({
  compose,
  logMoment: responsesLogMoment(groups),
  largestTilt: largestTiltOf(groups),
  firstStep: null,
  smallestStep: 0,
  maximum: totalEpsilon(groups),
});

function exactLattice(groups: readonly PureGroup[], unit: Decimal): TiltedMethod {
  return exact(groups, (tilt, _, watch) => {
    const measure = latticeOfRandomizedResponses(groups, unit, tilt, watch);
    return { logDelta: (epsilon) => logLatticeExcess(measure, epsilon), highest: highestLoss(measure) };
  });
}

function meetInTheMiddle(groups: readonly PureGroup[]): TiltedMethod {
  const [left, right] = halves(groups);
  return exact(groups, (tilt) => {
    const [a, b] = [atomsOfRandomizedResponses(left, tilt), atomsOfRandomizedResponses(right, tilt)];
    return { logDelta: (epsilon) => logExcessOfSum(a, b, epsilon), highest: a.losses[0]! + b.losses[0]! };
  });
}

function choose(groups: readonly PureGroup[], tolerance: number): TiltedMethod {
  const unit = commonDivisor(groups.map(({ epsilon }) => epsilon));
  const cells = latticeWork(groups, unit);
  const [left, right] = halves(groups);
  const atoms = Math.max(combinations(left), combinations(right));
  if (cells <= CHEAP_CELLS) return exactLattice(groups, unit);
  if (atoms <= CHEAP_ATOMS) return meetInTheMiddle(groups);
  if (cells <= AFFORDABLE_CELLS) return exactLattice(groups, unit);
  if (atoms <= AFFORDABLE_ATOMS) return meetInTheMiddle(groups);
  const packs = chunkPairs(groups).map((pair) => ({ pair, count: 1 }));
  return discretisedMethod(packs, totalEpsilon(groups), tolerance);
}

/**
 * The optimal composition of (e_i, 0)-DP mechanisms with different e_i > 0:
 * D(eps) = E[max(0, 1 - e^(eps - L))], L the sum of independent +-e_i with P(+) = e^e_i / (1 + e^e_i).
 *
 * Exactly computing it is #P-hard in general. The parameters being decimals they share a unit, so the loss lies on a
 * lattice: where that is affordable it is composed without discretisation. Else, where the losses of two halves can be
 * listed, they are summed by meeting in the middle. Beyond both, packs of mechanisms are listed and replaced by lattice
 * losses whose curves lie above and below, which are composed and refined until the enclosure is as narrow as asked.
 * Every method works under an exponential tilt chosen for the tail asked for.
 *
 * Source: Murtagh, Vadhan, "The complexity of computing the optimal composition of differential privacy" (2016),
 * Theorem 1.5; the methods are derived here.
 */
export function heterogeneousOptimum(groups: readonly PureGroup[], effort: Effort): FiniteLossCurve {
  const tolerance = effort.tolerance ?? DEFAULT_TOLERANCE;
  return tiltedCurve(choose(groups, tolerance), tolerance, effort);
}
