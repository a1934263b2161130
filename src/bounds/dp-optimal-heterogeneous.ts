import type { Decimal } from '../numeric/decimal.ts';
import { composeLattices } from '../numeric/compose-lattices.ts';
import { discretiseUpward, observeCells } from '../numeric/discretise.ts';
import { fromDouble, toDouble, type DoubleDouble } from '../numeric/double-double.ts';
import { enclosure, midpoint, width, type Enclosure } from '../numeric/enclosure.ts';
import { highestLoss, logGainFromCells, logLatticeExcess, type LatticeMeasure } from '../numeric/lattice-measure.ts';
import { logExcessOfSum } from '../numeric/meet-in-the-middle.ts';
import { solveDecreasing } from '../numeric/solve-decreasing.ts';
import type { FiniteLossCurve } from '../privacy/finite-loss-curve.ts';
import { totalEpsilon, type PureGroup } from '../privacy/pure-group.ts';
import type { Effort } from './bound.ts';
import { commonDivisor } from './commensurable.ts';
import { atomCount, atomsOfRandomizedResponses } from './dp-optimal-atoms.ts';
import { latticeOfRandomizedResponses } from './dp-optimal-lattice.ts';
import { saddlePointOfDelta, saddlePointOfEpsilon, type ApproximateGroup } from './saddle-point.ts';

/** A composed loss, tilted towards a tail. */
interface TiltedLoss {
  /** Encloses ln D at an epsilon not far below that tail. */
  readonly logDelta: (epsilon: DoubleDouble) => Enclosure;
  /** The highest loss that has weight. */
  readonly highest: number;
}

/** Composes under a tilt; `step` is only used by the discretised method. */
type Method = (tilt: number, step: number) => TiltedLoss;

const CHEAP_CELLS = 3e7;
const AFFORDABLE_CELLS = 1.5e9;
const CHEAP_ATOMS = 2 ** 16;
const AFFORDABLE_ATOMS = 2 ** 19;
const CHUNK_ATOMS = 2 ** 14;
const MAX_REFINEMENTS = 4;
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

/** Packs groups into lists of about equal size, of at most CHUNK_ATOMS combinations each (a larger group stands alone). */
function chunks(groups: readonly PureGroup[]): PureGroup[][] {
  const large = groups.filter((group) => atomCount(group) > CHUNK_ATOMS);
  const small = groups.filter((group) => atomCount(group) <= CHUNK_ATOMS);
  const bits = small.reduce((sum, group) => sum + Math.log2(atomCount(group)), 0);
  const share = bits / Math.max(1, Math.ceil(bits / (Math.log2(CHUNK_ATOMS) - 1)));
  const packs: PureGroup[][] = [];
  let filled = Infinity;
  for (const group of small) {
    const more = Math.log2(atomCount(group));
    if (filled + more / 2 > share) {
      packs.push([]);
      filled = 0;
    }
    packs.at(-1)!.push(group);
    filled += more;
  }
  return [...large.map((group) => [group]), ...packs];
}

/** Composes neighbours pairwise until one is left: few large transforms instead of many. */
function composeAll(measures: readonly LatticeMeasure[]): LatticeMeasure {
  let level = measures;
  while (level.length > 1) {
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, i) => {
      const [a, b] = [level[2 * i]!, level[2 * i + 1]];
      return b ? composeLattices(a, b) : a;
    });
  }
  return level[0]!;
}

function exactLattice(groups: readonly PureGroup[], unit: Decimal): Method {
  return (tilt) => {
    const measure = latticeOfRandomizedResponses(groups, unit, tilt);
    return { logDelta: (epsilon) => logLatticeExcess(measure, epsilon), highest: highestLoss(measure) };
  };
}

function meetInTheMiddle(groups: readonly PureGroup[]): Method {
  const [left, right] = halves(groups);
  return (tilt) => {
    const [a, b] = [atomsOfRandomizedResponses(left, tilt), atomsOfRandomizedResponses(right, tilt)];
    return { logDelta: (epsilon) => logExcessOfSum(a, b, epsilon), highest: a.losses[0]! + b.losses[0]! };
  };
}

function discretised(groups: readonly PureGroup[]): Method {
  const packed = chunks(groups);
  return (tilt, step) => {
    const atoms = packed.map((chunk) => atomsOfRandomizedResponses(chunk, tilt));
    const above = composeAll(atoms.map((chunk) => discretiseUpward(chunk, step)));
    const seen = atoms.map((chunk) => observeCells(chunk, step));
    const own = composeAll(seen.map((cells) => cells.own));
    const other = composeAll(seen.map((cells) => cells.other));
    return {
      logDelta: (epsilon) => enclosure(logGainFromCells(own, other, epsilon), logLatticeExcess(above, epsilon).upper),
      highest: highestLoss(above),
    };
  };
}

/** Largest exponent tilt (eps' - eps) before tilted weights underflow. */
const REACH = 600;

/**
 * Far below the tail a tilt was chosen for, weights underflow. There delta(eps) >= delta(eps') for an eps' > eps that
 * is still in reach, and delta <= 1.
 */
function withinReach({ logDelta, highest }: TiltedLoss, tilt: number): TiltedLoss['logDelta'] {
  const lowest = highest - REACH / tilt;
  return (epsilon) => {
    const inReach = toDouble(epsilon) >= lowest;
    const value = logDelta(inReach ? epsilon : fromDouble(lowest));
    return enclosure(value.lower, inReach ? Math.min(0, value.upper) : 0);
  };
}

interface Chosen {
  readonly method: Method;
  /** The result depends on the lattice step. */
  readonly refinable: boolean;
}

function choose(groups: readonly PureGroup[]): Chosen {
  const unit = commonDivisor(groups.map(({ epsilon }) => epsilon));
  const cells = latticeWork(groups, unit);
  const [left, right] = halves(groups);
  const atoms = Math.max(combinations(left), combinations(right));
  if (cells <= CHEAP_CELLS) return { method: exactLattice(groups, unit), refinable: false };
  if (atoms <= CHEAP_ATOMS) return { method: meetInTheMiddle(groups), refinable: false };
  if (cells <= AFFORDABLE_CELLS) return { method: exactLattice(groups, unit), refinable: false };
  if (atoms <= AFFORDABLE_ATOMS) return { method: meetInTheMiddle(groups), refinable: false };
  return { method: discretised(groups), refinable: true };
}

/** A first lattice step: the relative error of epsilon is about (step / deviation of a chunk)^2 / 12. */
function firstStep(groups: readonly PureGroup[], tolerance: number): number {
  const variance = groups.reduce((sum, { epsilon, count }) => sum + count * epsilon.toNumber() ** 2, 0);
  return 1.7 * Math.sqrt((variance / chunks(groups).length) * tolerance);
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
  const { method, refinable } = choose(groups);
  const approximate: ApproximateGroup[] = groups.map(({ epsilon, count }) => ({ epsilon: epsilon.toNumber(), count }));
  const maximum = totalEpsilon(groups);
  const tolerance = effort.tolerance ?? DEFAULT_TOLERANCE;

  /** Evaluates on finer and finer lattices until the relative width is as asked or the effort is spent. */
  function refine(
    tilt: number,
    evaluate: (logDelta: TiltedLoss['logDelta']) => Enclosure,
    relativeWidth: (e: Enclosure) => number,
  ): Enclosure {
    const attempt = (step: number): Enclosure => evaluate(withinReach(method(tilt, step), tilt));
    let step = firstStep(groups, tolerance);
    let best = attempt(step);
    for (
      let tries = 0;
      refinable && tries < MAX_REFINEMENTS && relativeWidth(best) > tolerance && !effort.exhausted();
      tries++
    ) {
      // The width falls as step^2; aim a little below the tolerance.
      step *= Math.min(0.5, 0.8 * Math.sqrt(tolerance / relativeWidth(best)));
      const next = attempt(step);
      best = enclosure(Math.max(best.lower, next.lower), Math.min(best.upper, next.upper));
    }
    return best;
  }

  return {
    maximum,
    logDelta(epsilon) {
      const { tilt } = saddlePointOfEpsilon(approximate, toDouble(epsilon));
      return refine(tilt, (logDelta) => logDelta(epsilon), width);
    },
    epsilon(target) {
      const start = saddlePointOfDelta(approximate, midpoint(target));
      return refine(
        start.tilt,
        (logDelta) =>
          solveDecreasing({
            evaluate: (x) => logDelta(fromDouble(x)),
            target,
            from: 0,
            to: maximum.toNumber(),
            start: start.epsilon,
          }),
        (e) => width(e) / e.upper,
      );
    },
  };
}
