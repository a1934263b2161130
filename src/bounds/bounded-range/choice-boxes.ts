import { toUpper } from '../../numeric/decimal.ts';
import { advance, type Watch } from '../../numeric/watch.ts';
import type { PureGroup } from '../../privacy/pure.ts';
import { chordEnds, chordsOf } from './adaptive-chords.ts';
import { raiseToChords } from './chord-envelope.ts';
import { gridsFor, type Grid } from './adaptive-grid.ts';
import { STEP_ERROR } from './adaptive-recursion.ts';
import { nothingBelow, statesAround, type AdaptiveTable } from './adaptive-table.ts';
import { tailBounds } from './adaptive-tables.ts';
import { windowSize } from './recursion-window.ts';

/** For each parameter between which t's is chosen. */
type ChoiceBox = readonly (readonly [least: number, most: number])[];

/** Tables of adversaries who are confined to a box of choices. */
interface BoxTables {
  /** About how many numbers a table takes. */
  readonly work: number;
  /** How many pieces of the grid the range of a parameter touches. */
  readonly pieces: (box: ChoiceBox, parameter: number) => number;
  /**
   * From above: the most that an adversary reaches who may choose t anew in each step and state, but in the box. Its lower end
   * says nothing.
   *
   * @throws Interrupted
   */
  readonly table: (box: ChoiceBox, watch: Watch) => AdaptiveTable;
}

/**
 * Whoever fixes one t for each parameter in advance is in some box of a partition, and there gets no more than an adversary who adapts,
 * but stays in the box: of the recursion of `solveRecursion` with t confined, in the order in which groups are listed. A parameter that
 * is rounded up to the grid keeps its t: losses of t and t - e lie in the longer range as well.
 *
 * A box is not closed under swapping neighbours: so states below 0 are solved like those above.
 *
 * Source: derived.
 */
function boxTables(groups: readonly PureGroup[], grid: Grid, deviations: number): BoxTables {
  const { step: h, parameters } = grid;
  const chords = parameters.map((parameter) => chordsOf(parameter, h));
  const tailBound = tailBounds(groups);
  const reach = Math.max(...parameters.map(({ cells }) => cells)) + 2;
  const counts = groups.map(() => 0);
  // The last to be played is the first to be solved.
  const stages = groups.flatMap((_, n) => {
    const move = groups.length - 1 - n;
    return Array.from({ length: groups[move]!.count }, () => {
      counts[move]!++;
      const size = windowSize({ grid, pairs: [], deviations }, counts);
      return { move, size, tail: tailBound(counts, size * h) };
    });
  });

  /** The places of the narrowest range of times around these t's; a rounding of times counts with the error of a step. */
  const around = (box: ChoiceBox, p: number): readonly [number, number] => {
    const { times } = chords[p]!;
    const [least, most] = box[p]!;
    const first = times.findLastIndex((t) => t <= least);
    const last = times.findIndex((t) => t >= most);
    return [Math.max(0, first), last < 0 ? times.length - 1 : last];
  };

  const table = (box: ChoiceBox, watch: Watch): AdaptiveTable => {
    const places = box.map((_, p) => around(box, p));
    let known = { upper: Float64Array.of(-Math.expm1(-h), 0, 0), size: 1, largest: 0, tail: tailBound([], h) };
    for (const { move, size, tail } of stages) {
      advance(watch);
      const c = chords[move]!;
      const [first, last] = places[move]!;
      const far = size + reach;
      const ends = chordEnds(c, h, statesAround(known, h, far));
      const upper = new Float64Array(2 * size + 1);
      const range = { origin: c.stride * reach, first, last };
      raiseToChords(c, ends, range, { values: upper, chosen: new Int32Array(upper.length) }, 0);
      known = { upper, size, largest: known.largest + c.cells + c.fraction, tail };
    }
    const { upper, size, largest, tail } = known;
    return {
      ...nothingBelow(size),
      step: h,
      upper: upper.subarray(size),
      largest,
      tail,
      error: stages.length * STEP_ERROR + 1e-14,
    };
  };
  return {
    pieces(box, p) {
      const [first, last] = around(box, p);
      return last - first;
    },
    work: stages.reduce((sum, { size }) => sum + 2 * size * WORK_OF_STATE, 0),
    table,
  };
}

/** Numbers that are looked at for one state, about. */
const WORK_OF_STATE = 8;

/** A box that may be cut further, with what is reached in it by the tables of some number of cells. */
interface Leaf {
  readonly box: ChoiceBox;
  readonly level: number;
  readonly reached: number;
}

/** Cells of the smallest parameter, from coarse to fine: a box of few pieces is not cut, but looked at more finely. */
const CELLS = [32, 64, 128, 256];
const FEW_PIECES = 2;

/** What a search of boxes is for. */
export interface BoxSearch {
  /** What a table allows at the question. */
  readonly allowed: (above: AdaptiveTable) => number;
  /** Whether that is little enough. */
  readonly isEnough: (allowed: number) => boolean;
  /** Deviations that a table keeps, and about how many numbers all may take. */
  readonly deviations: number;
  readonly work: number;
}

/**
 * An upper bound, at the question, on what is reached by one t for each parameter: boxes are cut in halves, the one in which most is
 * reached first, until that is enough or the work is done.
 *
 * @param groups - those played first listed first
 * @throws Interrupted
 */
export function searchedBoxes(groups: readonly PureGroup[], search: BoxSearch, watch: Watch): number {
  const gridOf = gridsFor(groups);
  const levels: BoxTables[] = [];
  const levelOf = (n: number): BoxTables => (levels[n] ??= boxTables(groups, gridOf(CELLS[n]!), search.deviations));
  let done = 0;
  const leafOf = (box: ChoiceBox, level: number, most = Infinity): Leaf => {
    done += levelOf(level).work;
    const reached = search.allowed(levelOf(level).table(box, watch));
    // What is not a number must not look like a small value.
    return { box, level, reached: reached < most ? reached : most };
  };
  const whole = groups.map(({ epsilon }) => [0, toUpper(epsilon)] as const);
  const leaves = [leafOf(whole, 0)];
  for (;;) {
    const top = leaves.reduce((best, leaf, i) => (leaf.reached > leaves[best]!.reached ? i : best), 0);
    const { box, level, reached } = leaves[top]!;
    if (search.isEnough(reached)) return reached;
    /** About what the range of a parameter lets an adversary gain; nothing where it is hardly cut by the grid. */
    const spreads = box.map(([least, most], p) =>
      levelOf(level).pieces(box, p) > FEW_PIECES ? (most - least) * Math.sqrt(groups[p]!.count) : 0,
    );
    const widest = spreads.indexOf(Math.max(...spreads));
    const isFiner = spreads[widest] === 0;
    const next = isFiner ? level + 1 : level;
    if (next === CELLS.length || done + 2 * levelOf(next).work > search.work) return reached;
    if (isFiner) {
      leaves[top] = leafOf(box, next, reached);
      continue;
    }
    const [least, most] = box[widest]!;
    const half = (range: readonly [number, number]): Leaf =>
      leafOf(
        box.map((other, p) => (p === widest ? range : other)),
        next,
        reached,
      );
    leaves[top] = half([least, (least + most) / 2]);
    leaves.push(half([(least + most) / 2, most]));
  }
}
