import { encloseDecimal } from '../../numeric/decimal.ts';
import type { Watch } from '../../numeric/watch.ts';
import { boundedRangeMoment } from '../../privacy/log-moment.ts';
import { groupEqual, mechanismsOf, type PureGroup } from '../../privacy/pure.ts';
import { baseOf, gridsFor } from './adaptive-grid.ts';
import {
  anyOrder,
  declaredOrder,
  stagesInAnyOrder,
  solveRecursion,
  type Layers,
  type Option,
  type Run,
} from './adaptive-recursion.ts';
import type { AdaptiveTable, TailBound } from './adaptive-table.ts';
import type { PairGroup } from '../loss-distribution/discretised-method.ts';
import { gridPairs, type GridPairs } from './grid-pairs.ts';
import { logConversionFactor } from '../core/moment-curve.ts';
import { windowSize, type Spread } from './recursion-window.ts';
import { Kept, type Session } from '../core/session.ts';
import type { Order } from '../../privacy/curve.ts';

/** Tables of one composition of bounded-range mechanisms, each made once. */
export interface AdaptiveTables {
  /**
   * The table that is good for a tail of this size, with at least this many cells per smallest parameter.
   *
   * @throws Interrupted
   */
  readonly table: (logDelta: number, cells: number, watch?: Watch) => AdaptiveTable;
  /** The variance that rounding to a grid of one cell adds from below to above, about; of more it is less as their square. */
  readonly blur: number;
  /** About how long a table takes, in units of `affordable`. */
  readonly work: (logDelta: number, cells: number) => number;
}

/** Beyond these a table is too large (many mechanisms) or its weights underflow (large parameters). */
const LARGEST_ADAPTIVE_COUNT = 5000;
const LARGEST_ADAPTIVE_EPSILON = 100;
/** Sets of mechanisms that may be left, where any of them may be next. */
const MOST_STAGES = 20_000;

/** These limits in words. */
export const ADAPTIVE_SCALE = `${LARGEST_ADAPTIVE_COUNT} bounded-range mechanisms of epsilon ${LARGEST_ADAPTIVE_EPSILON}, with ${MOST_STAGES} combinations of those left to play`;

/**
 * Deviations to keep so that what lies outside the window does not matter for a delta of this size or larger; tails are
 * graded by powers of two, so that one table serves many queries.
 */
export function deviationsFor(logDelta: number): number {
  const graded = 2 ** Math.ceil(Math.log2(Math.max(16, -logDelta)));
  return Math.sqrt(2 * (graded + 16));
}

/** Tilts are graded by this, so that few moments are computed; the tail at the edge of a window is as good to 1 % of its logarithm. */
const GRADE = 2 ** 0.25;
/** Tilts that are looked at. */
const [LEAST_TILT, MOST_TILT] = [1e-6, 1e9];

/**
 * V(x) <= e^(sum of moments + ln factor - lambda x) for every x, with a lambda that is good near the x given: the best of losses that
 * are spread like a Gaussian, whose moments those of bounded range do not exceed.
 */
export function tailBounds(
  groups: readonly PureGroup[],
  pairs: readonly GridPairs[] = [],
): (counts: readonly number[], x: number) => TailBound {
  const parts = [
    ...groups.map(({ epsilon }) => {
      const moment = boundedRangeMoment(encloseDecimal(epsilon));
      const variance = epsilon.toNumber() ** 2 / 4;
      return { logMoment: (tilt: number): number => moment(tilt).upper, mean: variance / 2, variance, leak: 0 };
    }),
    ...pairs,
  ];
  const momentsAt = new Map<number, { readonly moments: readonly number[]; readonly factor: number }>();
  const sum = (counts: readonly number[], of: (part: number) => number): number =>
    counts.reduce((total, count, move) => (count === 0 ? total : total + count * of(move)), 0);
  return (counts, x) => {
    const best = (x - sum(counts, (p) => parts[p]!.mean)) / sum(counts, (p) => parts[p]!.variance);
    const grade = Math.round(Math.log(Math.min(MOST_TILT, Math.max(LEAST_TILT, best))) / Math.log(GRADE));
    const lambda = GRADE ** grade;
    let known = momentsAt.get(grade);
    if (known === undefined) {
      const moments = parts.map(({ logMoment }) => logMoment(lambda));
      known = { moments, factor: logConversionFactor(lambda).upper };
      momentsAt.set(grade, known);
    }
    const { moments, factor } = known;
    const logFactor = sum(counts, (p) => moments[p]!) + factor;
    const infinityMass = sum(counts, (p) => parts[p]!.leak);
    // e^(0 x) bounds every curve.
    return Number.isFinite(logFactor)
      ? { lambda, logFactor: logFactor + 1e-12 * Math.abs(logFactor), infinityMass }
      : { lambda: 0, logFactor: 0, infinityMass };
  };
}

/** A turn of play: bounded-range mechanisms, or single pairs whose losses come together. */
export type Turn = PureGroup | { readonly pairs: readonly PairGroup[] };

const isRange = (turn: Turn): turn is PureGroup => 'epsilon' in turn;

function layersOf(turns: readonly Turn[], groups: readonly PureGroup[], order: Order): Layers {
  if (order === 'any' && groups.length > 1) return anyOrder(groups.map(({ count }) => count));
  let joint = 0;
  const moves = turns.map((turn) =>
    isRange(turn)
      ? { move: groups.findIndex(({ epsilon }) => epsilon.eq(turn.epsilon)), count: turn.count }
      : { move: groups.length + joint++, count: 1 },
  );
  return declaredOrder(moves, groups.length + joint);
}

/** The mean square of what chords between grid points miss, and of what rounding of states adds, in parts of the step's. */
const BLUR = 3 / 16 + 1 / 12;

/** Runs of equal mechanisms that a session keeps: those of more of them go on from there. */
const RUNS = new Kept<Run>(12);

/**
 * Tables of mechanisms that are played in turn; in any order only where there are no pairs.
 *
 * @param session - where runs are kept for other numbers of the same mechanism
 */
export function createTables(turns: readonly Turn[], order: Order, session?: Session): AdaptiveTables {
  const groups = groupEqual(turns.filter(isRange));
  const joint = turns.flatMap((turn) => (isRange(turn) ? [] : [turn.pairs]));
  const gridOf = gridsFor(groups);
  let cachedLayers: Layers | null = null;
  const layers = (): Layers => (cachedLayers ??= layersOf(turns, groups, order));
  const made = new Map<string, AdaptiveTable>();
  const works = new Map<string, number>();
  const windows = new Map<number, readonly { readonly width: number; readonly options: readonly Option[] }[]>();
  /** How wide the windows of all stages are. */
  const windowsFor = (deviations: number) => {
    const known = windows.get(deviations);
    if (known !== undefined) return known;
    const grid = gridOf(CELLS_OF_WIDTHS);
    const moves = { grid, pairs: joint.map(spreadOf), deviations };
    const found = layers().flatMap((layer) =>
      layer.map(({ counts, options }) => ({ width: windowSize(moves, counts) * grid.step, options })),
    );
    windows.set(deviations, found);
    return found;
  };
  return {
    blur: BLUR * mechanismsOf(groups) * baseOf(groups).toNumber() ** 2,
    table(logDelta, cells, watch = {}) {
      const deviations = deviationsFor(logDelta);
      const key = `${deviations} ${cells}`;
      const known = made.get(key);
      if (known !== undefined) return known;
      const grid = gridOf(cells);
      const pairs = joint.map((groupsOfPairs) => gridPairs(groupsOfPairs, grid.step));
      const tailBound = tailBounds(groups, pairs);
      const begin = (): Run => solveRecursion({ deviations, grid, pairs, tailBound });
      const [only, ...others] = groups;
      const areEqual = only !== undefined && others.length === 0 && pairs.length === 0;
      const run = session && areEqual ? session.get(RUNS, `${only.epsilon.toString()} ${key}`, begin) : begin();
      const table = run.upTo(layers(), watch);
      made.set(key, table);
      return table;
    },
    work(logDelta, cells) {
      const deviations = deviationsFor(logDelta);
      const key = `${deviations} ${cells}`;
      const known = works.get(key);
      if (known !== undefined) return known;
      const { step } = gridOf(cells);
      const convolved = joint.map((pairs) => (WORK_OF_TERM * widthOf(pairs)) / step);
      const terms = ({ move }: Option): number =>
        move < groups.length ? WORK_OF_CHORDS : 2 * convolved[move - groups.length]!;
      const stages = windowsFor(deviations).reduce(
        (sum, { width, options }) =>
          sum +
          (width / step + STATES_OF_A_STAGE) *
            options.reduce((most, option) => most + terms(option), WORK_OF_ADVERSARIES),
        0,
      );
      const work = convolved.reduce((sum, width) => sum + width ** 2 / WORK_OF_TERM, stages);
      works.set(key, work);
      return work;
    },
  };
}

/** About how long one state takes: the chords of one mechanism, its two adversaries, a loss of single pairs. */
const WORK_OF_CHORDS = 7;
const WORK_OF_ADVERSARIES = 6;
const WORK_OF_TERM = 1.7;
/** What a stage takes beside its states, in states. */
const STATES_OF_A_STAGE = 250;

/** Cells of the grid on which the work of tables is measured. */
const CELLS_OF_WIDTHS = 64;

/** Deviations on both sides that lattices of pairs keep, or so. */
const KEPT_DEVIATIONS = 24;

/** About how the joint loss is spread. */
function spreadOf(pairs: readonly PairGroup[]): Spread {
  const variance = pairs.reduce((sum, { pair, count }) => sum + count * pair.deviation ** 2, 0);
  return { largest: Infinity, mean: variance / 2, variance };
}

/** About how wide the lattice of the joint loss is. */
const widthOf = (pairs: readonly PairGroup[]): number => KEPT_DEVIATIONS * Math.sqrt(spreadOf(pairs).variance);

/** Whether there are too many bounded-range mechanisms for a table, or one has too large a parameter. */
export const isTooLarge = (groups: readonly PureGroup[]): boolean =>
  mechanismsOf(groups) > LARGEST_ADAPTIVE_COUNT || groups.some(({ epsilon }) => epsilon.gt(LARGEST_ADAPTIVE_EPSILON));

/** Tables that a session keeps. */
const COMPOSITIONS = new Kept<AdaptiveTables>(12);

/**
 * The tables of a composition in the given order (`any`: the adversary chooses the order; groups are listed in the order
 * in which they are played). Null where there are too many mechanisms, stages, or a parameter is too large.
 *
 * @param session - where they are kept for further questions about the same composition
 */
export function adaptiveTables(listed: readonly PureGroup[], order: Order, session?: Session): AdaptiveTables | null {
  const groups = groupEqual(listed);
  const effective = groups.length === 1 ? 'any' : order;
  if (isTooLarge(groups)) return null;
  if (effective === 'any' && stagesInAnyOrder(groups.map((group) => group.count)) > MOST_STAGES) return null;
  const played = effective === 'any' ? groups : listed;
  const key = [effective, ...played.map((group) => `${group.epsilon.toString()}*${group.count}`)].join(' ');
  const make = (): AdaptiveTables => createTables(played, effective, session);
  return session === undefined ? make() : session.get(COMPOSITIONS, key, make);
}
