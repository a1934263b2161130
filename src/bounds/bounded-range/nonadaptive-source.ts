import { chordsOf } from './adaptive-chords.ts';
import { Continuation, DECIDED, noAdversaries, play, playsOf, type Adversaries } from './adaptive-adversary.ts';
import { STEP_ERROR } from './adaptive-recursion.ts';
import { windowSize } from './recursion-window.ts';
import { advance, unlessInterrupted, type Watch } from '../../numeric/watch.ts';
import { nothingBelow, type AdaptiveTable } from './adaptive-table.ts';
import { gridsFor, type Grid } from './adaptive-grid.ts';
import { exponential } from '../../numeric/enclosure-arithmetic.ts';
import { fromDouble } from '../../numeric/double-double.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { PureGroup } from '../../privacy/pure.ts';
import type { Effort } from '../core/bound.ts';
import { adaptiveTables, deviationsFor, tailBounds } from './adaptive-tables.ts';
import { climbedNear } from './branches.ts';
import { thresholdSets } from './threshold-sets.ts';
import { chernoffChoice, fixedChoicesCurve } from './tilted-choices.ts';
import { nonadaptiveOptimum } from './nonadaptive-optimum.ts';
import { searchedBoxes } from './choice-boxes.ts';
import { affordable, rangesOnly, type Alone, type RangedSource } from './ranged-source.ts';

/** How many choices of t the grid offers for each parameter: 0 to this. */
const lastChoices = ({ parameters }: Grid): number[] =>
  parameters.map(({ cells, fraction }) => (fraction === 0 ? cells : 2 * cells + 1));

/**
 * The adversary who fixes one t for each parameter in advance (the `choices[p]`-th of the grid) and then only decides, by
 * the state to the nearest grid point, what he says. `upper` says nothing here.
 *
 * Source: Lemma 5.4 of Dong, Durfee, Rogers (2020), applied to one parameter given the others' losses, shows that one t
 * for each parameter is enough.
 *
 * @throws Interrupted
 */
function fixedChoices(
  grid: Grid,
  counts: readonly number[],
  deviations: number,
  choices: readonly number[],
  watch: Watch = {},
): AdaptiveTable {
  const { step, parameters, legal } = grid;
  let adversaries: Adversaries = DECIDED;
  const left = parameters.map(() => 0);
  let size = 1;
  const rest = new Continuation(step);
  parameters.forEach((parameter, p) => {
    const chords = chordsOf(parameter, step);
    const plays = playsOf(chords, legal[p]!);
    for (let n = 0; n < counts[p]!; n++) {
      advance(watch);
      left[p]!++;
      size = windowSize({ grid, pairs: [], deviations }, left);
      rest.load(adversaries, size + parameter.cells + 2);
      const next = noAdversaries(2 * size + 1);
      for (let i = -size; i <= size; i++) play(chords, plays, choices[p]!, rest, i, next, size + i);
      adversaries = next;
    }
  });
  const total = counts.reduce((sum, count) => sum + count, 0);
  return {
    ...adversaries,
    step,
    upper: new Float64Array(size + 1).fill(1),
    largest: parameters.reduce((sum, { cells, fraction }, p) => sum + counts[p]! * (cells + fraction), 0),
    tail: { lambda: 0, logFactor: 0, infinityMass: 0 },
    error: total * STEP_ERROR + 1e-14,
  };
}

/** Cells per e of the table of Theorem 3: it is interpolated once, so few are enough. */
const CELLS_OF_OPTIMUM = 48;
/** Cells per e at which the t's are searched for first, and those at which the search goes on; the first strides of both. */
const COARSE = 16;
const FINER = [32, 64, 128, 256];
/** As many do for the lower end of many parameters. */
const FEWEST = 4;
const LONG = 4;
const SHORT = 2;

/** The curve of Theorem 3 at grid points: it is convex in e^x, as a supremum of convex functions. */
function tableOfOptimum(group: PureGroup, logDelta: number): AdaptiveTable {
  const grid = gridsFor([group])(CELLS_OF_OPTIMUM);
  const { step, parameters } = grid;
  const size = windowSize({ grid, pairs: [], deviations: deviationsFor(logDelta) }, [group.count]);
  const { logDelta: at } = nonadaptiveOptimum(group.epsilon, group.count);
  const largest = group.count * parameters[0]!.cells;
  const upper = Float64Array.from({ length: size + 1 }, (_, i) =>
    // V decreases: a smaller x covers the rounding of positions.
    i >= largest ? 0 : exponential(at(fromDouble(i * step * (1 - 4 * U)))).upper,
  );
  return {
    step,
    upper,
    ...nothingBelow(size),
    largest,
    tail: tailBounds([group])([group.count], size * step),
    error: 4 * U,
  };
}

/** Of more parameters, or of larger ones, the boxes of their t's are too many. */
const MOST_BOXED = 3;
const LARGEST_BOXED = 5;
/** Choices are improved where they cross the target, this often. */
const MOST_CLIMBS = 3;
/** Their search may take as much as so many of the largest tables. */
const BOX_WORK = 2;
/** Of the width that is asked, what the search of boxes leaves. */
const ENOUGH = 0.9;

/** With more parameters than this all t's move together only, from one start. */
const MOST_COORDINATES = 8;

/** Where a search of few parameters may also begin, as shares of e: there are many local maxima. */
const STARTS = [1 / 4, 1 / 2, 3 / 4, 7 / 8, 15 / 16, 31 / 32, 63 / 64];

/** The first of the choices that are best. */
function bestOf(
  value: (choices: readonly number[]) => number,
  choices: readonly (readonly number[])[],
): readonly number[] {
  if (choices.length === 1) return choices[0]!;
  const values = choices.map(value);
  return choices[values.indexOf(Math.max(...values))]!;
}

/** Climbs, all choices together or one by one, with strides that begin at these and halve when no step helps. */
function climb(
  value: (choices: readonly number[]) => number,
  start: readonly number[],
  last: readonly number[],
  strides: readonly number[],
): number[] {
  const alone = start.length > 1 && start.length <= MOST_COORDINATES ? start.map((_, p) => [p]) : [];
  const together = start.map((_, p) => p);
  let best = [...start];
  let most = value(best);
  for (let stride = strides; ; stride = stride.map((s) => Math.max(1, Math.floor(s / 2)))) {
    for (let moved = true; moved;) {
      moved = false;
      for (const moving of [together, ...alone]) {
        for (const direction of [-1, 1]) {
          const next = best.map((r, p) =>
            moving.includes(p) ? Math.min(last[p]!, Math.max(0, r + direction * stride[p]!)) : r,
          );
          if (next.every((r, p) => r === best[p])) continue;
          const there = value(next);
          if (there > most) [best, most, moved] = [next, there, true];
        }
      }
    }
    if (stride.every((s) => s === 1)) return best;
  }
}

/**
 * Bounded-range mechanisms that are fixed in advance. From above: Theorem 3 for equal parameters, else the adaptive
 * optimum in one order (what is fixed in advance may be played in any order; the largest first gives the adversary the
 * least), and for few different parameters the boxes of {@link searchedBoxes}. From below: the best t for each distinct parameter that a
 * search finds, which begins at those of the largest Chernoff bounds; any of them is legal. Null where no table can be made.
 *
 * @param ends - lower: from above nothing is computed
 */
export function nonadaptiveSource(
  groups: readonly PureGroup[],
  effort: Effort,
  ends: 'both' | 'lower' = 'both',
): RangedSource | null {
  const descending = [...groups].sort((a, b) => b.epsilon.cmp(a.epsilon));
  const tables = adaptiveTables(descending, 'declared', effort.session);
  const [first, ...others] = groups;
  if (!tables || !first) return null;
  const counts = groups.map(({ count }) => count);
  const gridOf = gridsFor(groups);
  const isBoxed =
    others.length > 0 && groups.length <= MOST_BOXED && groups.every(({ epsilon }) => epsilon.lte(LARGEST_BOXED));

  const aboveOf = (logDelta: number): ((cells: number, below: AdaptiveTable) => AdaptiveTable) => {
    // The upper end of a table of fixed choices says nothing.
    if (ends === 'lower') return (_, below) => below;
    if (others.length === 0) {
      const table = tableOfOptimum(first, logDelta);
      return () => table;
    }
    const most = [...FINER].reverse().find((cells) => tables.work(logDelta, cells) <= affordable(effort)) ?? COARSE;
    return (cells) => tables.table(logDelta, Math.min(cells, most), effort);
  };

  /** The lower end by t's near these shares of e, moved to where they are best for the question. */
  const climbedFrom = (shares: readonly number[], asked: number, alone: Alone): number => {
    const sets = thresholdSets(groups);
    let choices: readonly number[] = groups.map(({ epsilon }, p) => shares[p]! * epsilon.toNumber());
    let reached = 0;
    for (let n = 0; n < MOST_CLIMBS; n++) {
      if (sets) choices = climbedNear(sets, alone.place(), choices);
      const there = alone.raised(fixedChoicesCurve(groups, choices, asked / 16, effort));
      if (!(there > reached)) break;
      reached = there;
      if (!sets) break;
    }
    return reached;
  };

  return {
    ...rangesOnly(groups),
    isLower: ends === 'lower',
    refine(logDelta, asked, { enclose, gain, tilt, alone }) {
      const deviations = deviationsFor(logDelta);
      const above = aboveOf(logDelta);
      const fixed = (grid: Grid, choices: readonly number[]): AdaptiveTable =>
        fixedChoices(grid, counts, deviations, choices, effort);
      const chernoffShares = groups.map(({ epsilon }) => chernoffChoice(epsilon.toNumber(), tilt) / epsilon.toNumber());
      const shares = [...chernoffShares];
      const areFew = groups.length <= MOST_COORDINATES;
      const refined = (cells: number): number => {
        const grid = gridOf(cells);
        const last = lastChoices(grid);
        const gained = (tried: readonly number[]): number => gain(fixed(grid, tried));
        const isWide = areFew && cells === COARSE;
        const others = isWide ? STARTS.map((share) => groups.map(() => share)) : [];
        const starts = [shares, ...others].map((each) => each.map((share, p) => Math.round(share * last[p]!)));
        const strides = last.map(() => (isWide ? LONG : SHORT));
        const choices = climb(gained, bestOf(gained, starts), last, strides);
        choices.forEach((choice, p) => (shares[p] = choice / last[p]!));
        const below = fixed(grid, choices);
        return enclose(above(cells, below), below);
      };
      let reached = Infinity;
      for (const cells of areFew || ends === 'both' ? [COARSE, ...FINER] : [FEWEST]) {
        const width = unlessInterrupted(() => refined(cells));
        if (width === null || width <= asked || effort.exhausted()) return;
        if (width > 0.97 * reached) break;
        reached = width;
      }
      if (ends === 'lower' || !alone || !isBoxed) return;
      unlessInterrupted(() => {
        const lower = Math.max(...[shares, chernoffShares].map((each) => climbedFrom(each, asked, alone)));
        const isEnough = (upper: number): boolean => upper - lower <= ENOUGH * asked * upper;
        const search = { allowed: alone.allowed, isEnough, deviations, work: BOX_WORK * affordable(effort) };
        alone.lowered(searchedBoxes(descending, search, effort));
      });
    },
  };
}
