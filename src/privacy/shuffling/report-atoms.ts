import { binomialWindow, type BinomialWindow } from '../../numeric/binomial.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { atomsTransform, type LogAtom } from '../atoms-transform.ts';
import type { LossTransform } from '../../numeric/contour/transform.ts';
import { atomicPair, type SinglePair } from '../single-pair.ts';
import { windowOf } from './report-curve.ts';
import type { ReportLaw } from './report-law.ts';
import { restNodes, type RestNode } from './rest-nodes.ts';

/** Counts of one N with what the rest tells, by their weight. */
interface Slice {
  readonly trials: number;
  readonly rest: number;
  readonly weight: number;
}

/** Slices, with bounds on the relative error of their weights and on the weight left out. */
interface Slices {
  readonly list: readonly Slice[];
  readonly relativeError: number;
  readonly leak: number;
}

export type Side = 'above' | 'below';

/** About so many pairs of counts are looked at. */
const MOST_COUNTS = 2e6;
/** Relative to the mode, where windows of counts end, and deviations in them. */
const [EDGE, REACH] = [2 ** -100, 24];
/** Distance of nodes in deviations of G. */
const NODES = 1.5;
const SMALLEST = 1e-40;

/**
 * The N of a window in blocks, each taken as its smallest (above) or largest N.
 *
 * [derived] (X_1 + .. + X_N - (E - 1) G)+ = N (mean - (E - 1) G / N)+, and the mean of fewer exchangeable terms is larger in convex order
 * than that of more. So with M the smallest N the weight N / M at a G of G M / N gives no smaller delta at any E, and with the largest no
 * larger one; the mass of the pair stays. Their G are then moved to the two ends of those of a block (above), or to their
 * mean (below), which keeps it too.
 */
function blocksOf(
  law: ReportLaw,
  first: number,
  { slope, offset, weights }: RestNode,
  size: number,
  side: Side,
): Slice[] {
  const { users } = law;
  const slices: Slice[] = [];
  const restOf = (trials: number): number => slope * (users - trials) + offset;
  for (let from = 0; from < weights.length;) {
    if (first + from === 0) {
      slices.push({ trials: 0, rest: restOf(0), weight: weights[0]! });
      from++;
      continue;
    }
    const to = Math.min(from + size, weights.length);
    const trials = side === 'above' ? first + from : first + to - 1;
    let [weight, moment] = [0, 0];
    for (let k = from; k < to; k++) {
      weight += weights[k]! * ((first + k) / trials);
      moment += weights[k]! * restOf(first + k);
    }
    const mean = weight > 0 ? moment / weight : 0;
    const ends = [from, to - 1].map((k) => (restOf(first + k) * trials) / (first + k));
    const [high, low] = [Math.max(...ends), Math.min(...ends)];
    if (side === 'below' || !(high > low)) slices.push({ trials, rest: mean, weight });
    else {
      const share = Math.min(1, Math.max(0, (mean - low) / (high - low)));
      slices.push({ trials, rest: high, weight: weight * share }, { trials, rest: low, weight: weight * (1 - share) });
    }
    from = to;
  }
  return slices;
}

function slicesOf(law: ReportLaw, side: Side): Slices {
  const window = windowOf(law, EDGE);
  const nodes = restNodes(law, window, { inDeviations: NODES, edge: EDGE });
  const walk = REACH * Math.sqrt(law.users * law.telling.value * law.first.value * law.first.complement) + 8;
  const size = Math.ceil((window.weights.length * nodes.list.length * walk) / MOST_COUNTS);
  const all = nodes.list.flatMap((node) => blocksOf(law, window.first, node, size, side));
  const list = all.filter(({ weight }) => weight > SMALLEST);
  const small = all.reduce((sum, { weight }) => (weight > SMALLEST ? sum : sum + weight), 0);
  return {
    list,
    relativeError: window.relativeError + nodes.relativeError + (40 + 4 * size) * U + 8 * law.rest.error,
    leak: window.leak + nodes.leak + small,
  };
}

/** About the deviation of the loss. */
function deviationOf({ users, telling, first, scales: [f, s], epsilon }: ReportLaw): number {
  const mean = telling.value * (f * first.value - s * first.complement);
  const square = telling.value * (f * f * first.value + s * s * first.complement);
  return Math.expm1(epsilon.toNumber()) * Math.sqrt(Math.max(0, square - mean * mean) / users);
}

/** Cells of a deviation, cells from 0 to the largest loss at least, and cells on either side of 0 at most. */
const [PER_DEVIATION, LEAST_CELLS, MOST_CELLS] = [64, 256, 2048];

/** The losses of a law of shuffled reports in cells around the multiples of `step`. */
interface Cells {
  readonly step: number;
  /** The largest index; the smallest is its negative. */
  readonly reach: number;
  /** Masses under P, and how much more than those under Q they are. */
  readonly own: Float64Array;
  readonly more: Float64Array;
  readonly relativeError: number;
  /** Bounds the relative error of losses, but for what the masses are off. */
  readonly lossError: number;
  /** Bound on the mass under P that was left out. */
  readonly leak: number;
}

const ONE_COUNT: BinomialWindow = { first: 0, weights: Float64Array.of(1), relativeError: 0, leak: 0 };

function cellsOf(law: ReportLaw, side: Side): Cells {
  const { users, first, scales, epsilon, error } = law;
  const [f, s] = scales;
  const [e, ratio, gain] = [epsilon.toNumber(), Math.exp(epsilon.toNumber()), Math.expm1(epsilon.toNumber())];
  const count = Math.max(LEAST_CELLS, Math.ceil((e * PER_DEVIATION) / deviationOf(law)));
  const step = e / count;
  const reach = Math.min(count, MOST_CELLS);
  const whole = -Math.expm1(-step);
  const [own, more] = [new Float64Array(2 * reach + 1), new Float64Array(2 * reach + 1)];
  const sizes = new Uint32Array(2 * reach + 1);
  const { list, relativeError, leak } = slicesOf(law, side);
  const lossError = 8 * error + 8 * law.rest.error + 2 * ELEMENTARY_ERROR + 64 * U;
  let [countError, left] = [0, 2 * ratio * leak];
  let [window, last] = [ONE_COUNT, 0];
  for (const { trials, rest, weight } of list) {
    if (trials !== last) window = trials === 0 ? ONE_COUNT : binomialWindow(trials, first, EDGE);
    last = trials;
    countError = Math.max(countError, window.relativeError);
    left += 2 * ratio * weight * window.leak;
    for (let k = 0; k < window.weights.length; k++) {
      const i = window.first + k;
      const bottom = f * i + s * ratio * (trials - i) + rest;
      const difference = gain * (f * i - s * (trials - i));
      const mass = (weight * window.weights[k]!) / users;
      const top = mass * (bottom + difference);
      if (!(top > 0 && bottom > 0)) {
        // Nothing where no report is hidden; and nodes below 0 have next to no weight.
        if (rest < 0) left += 2 * ratio * weight * window.weights[k]!;
        continue;
      }
      const loss = Math.log1p(difference / bottom);
      if (side === 'below') {
        const cell = Math.round(loss / step);
        if (Math.abs(cell) > reach) continue;
        own[cell + reach]! += top;
        more[cell + reach]! += mass * difference;
        sizes[cell + reach]!++;
        continue;
      }
      const raised = Math.min(e, loss + 2 * lossError * Math.max(1e-3, Math.abs(loss)));
      const cell = Math.min(count - 1, Math.floor(raised / step));
      if (cell >= reach) {
        left += top;
        continue;
      }
      // What lies lower is raised to the lowest.
      const [to, above] = cell < -reach ? [-reach, 0] : [cell, raised - cell * step];
      const share = Math.min(1, Math.max(0, -Math.expm1(-above) / whole));
      own[to + reach]! += top * (1 - share);
      own[to + 1 + reach]! += top * share;
      sizes[to + reach]!++;
      sizes[to + 1 + reach]!++;
    }
  }
  const rounding = 2 * sizes.reduce((max, size) => Math.max(max, size), 0) * U;
  return {
    step,
    reach,
    own,
    more,
    relativeError: relativeError + countError + lossError + rounding,
    lossError: lossError + rounding,
    leak: left,
  };
}

/** Finite losses of a law with the chance, from above, of those that were left out. */
interface ListedReports {
  readonly atoms: readonly LogAtom[];
  readonly lossError: number;
  readonly relativeError: number;
  readonly leak: number;
}

/** Users up to which all counts are listed, where the rest is at its mean, and where it spreads. */
const [FEW_USERS, FEW_SPREAD] = [40, 16];

const isFew = ({ users, isSpread }: ReportLaw): boolean => users <= (isSpread ? FEW_SPREAD : FEW_USERS);

/** All counts of few users: both sides are the pair itself. */
function allCounts(law: ReportLaw): ListedReports {
  const { users, first, scales, epsilon, error, rest: restLaw } = law;
  const [f, s] = scales;
  const [ratio, gain] = [Math.exp(epsilon.toNumber()), Math.expm1(epsilon.toNumber())];
  const { list, relativeError, leak } = slicesOf(law, 'above');
  const atoms: LogAtom[] = [];
  let [countError, left] = [0, 2 * ratio * leak];
  for (const { trials, rest, weight } of list) {
    const window = trials === 0 ? ONE_COUNT : binomialWindow(trials, first, EDGE);
    countError = Math.max(countError, window.relativeError);
    left += 2 * ratio * weight * window.leak;
    window.weights.forEach((share, k) => {
      const i = window.first + k;
      const bottom = f * i + s * ratio * (trials - i) + rest;
      const difference = gain * (f * i - s * (trials - i));
      const mass = (weight * share * (bottom + difference)) / users;
      if (bottom > 0 && mass > 0) atoms.push({ loss: Math.log1p(difference / bottom), logMass: Math.log(mass) });
    });
  }
  atoms.sort((a, b) => b.loss - a.loss);
  const numberError = 8 * error + 8 * restLaw.error + 2 * ELEMENTARY_ERROR + 64 * U;
  return {
    atoms,
    lossError: numberError * Math.max(atoms[0]!.loss, -atoms.at(-1)!.loss, Math.min(1, gain)),
    relativeError: relativeError + countError + numberError + 1e-14,
    leak: left * (1 + 1e-6),
  };
}

function inCells(law: ReportLaw, side: Side): ListedReports {
  const { step, reach, own, more, relativeError, lossError, leak } = cellsOf(law, side);
  const atoms: LogAtom[] = [];
  for (let index = 2 * reach; index >= 0; index--) {
    const mass = own[index]!;
    if (!(mass > 0)) continue;
    const loss = side === 'above' ? (index - reach) * step : -Math.log1p(-more[index]! / mass);
    atoms.push({ loss, logMass: Math.log(mass) });
  }
  const largest = Math.max(Math.abs(atoms[0]!.loss), Math.abs(atoms.at(-1)!.loss));
  // Errors of the masses are common to P and Q, and move a loss by no more than they are of the width of its cell. Where the two
  // kinds have scales of their own, how much more there is of P is a difference of inexact numbers.
  const [f, s] = law.scales;
  const size = largest + (f === s ? 0 : Math.min(1, Math.expm1(law.epsilon.toNumber())));
  return {
    atoms,
    lossError: side === 'above' ? 4 * U * largest : 4 * relativeError * step + (lossError + 16 * U) * size,
    relativeError: relativeError + 1e-13,
    leak: side === 'above' ? leak * (1 + 1e-6) : 0,
  };
}

/** Losses of a law for composing: of a pair that is larger, or of one that tells less. */
export interface ReportLosses {
  readonly pair: () => SinglePair;
  readonly transform: () => LossTransform;
  /** How many losses there are, where these are few. */
  readonly outcomes?: number;
  /** The chance, from above, of losses that are not among them. */
  readonly leak: () => number;
}

/**
 * The losses of the pair of a law, in cells: above by splitting each onto two losses beside it, which keeps its masses under both
 * ("connect the dots", Doroshenko et al. 2022); below by not telling apart what lies in one cell. What is left out counts as
 * revealed, or not at all.
 */
export function reportLosses(law: ReportLaw, side: Side): ReportLosses {
  let cached: ListedReports | null = null;
  const listed = (): ListedReports => (cached ??= isFew(law) ? allCounts(law) : inCells(law, side));
  return {
    ...(isFew(law) ? { outcomes: listed().atoms.length } : {}),
    pair() {
      const { atoms, lossError, relativeError } = listed();
      return atomicPair(atoms, lossError, relativeError);
    },
    transform() {
      const { atoms, lossError, relativeError } = listed();
      const largest = atoms.reduce((max, { loss }) => Math.max(max, Math.abs(loss)), Number.MIN_VALUE);
      return atomsTransform(atoms, lossError / largest, relativeError);
    },
    leak: () => listed().leak,
  };
}
