import { chordsOf } from './adaptive-chords.ts';
import { Continuation, DECIDED, noAdversaries, play, playsOf, type Adversaries } from './adaptive-adversary.ts';
import { STEP_ERROR } from './adaptive-recursion.ts';
import { windowSize } from './recursion-window.ts';
import { advance, type Watch } from '../../numeric/watch.ts';
import type { AdaptiveTable } from './adaptive-table.ts';
import type { Grid } from './adaptive-grid.ts';

/** How many choices of t the grid offers for each parameter: 0 to this. */
export const lastChoices = ({ parameters }: Grid): number[] =>
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
export function fixedChoices(
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
  parameters.forEach((parameter, p) => {
    const chords = chordsOf(parameter, step);
    const plays = playsOf(chords, legal[p]!);
    for (let n = 0; n < counts[p]!; n++) {
      advance(watch);
      left[p]!++;
      size = windowSize({ grid, pairs: [], deviations }, left);
      const rest = new Continuation(adversaries, size + parameter.cells + 2, step);
      const next = noAdversaries(size);
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
