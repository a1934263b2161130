import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { advance, type Watch } from '../../numeric/watch.ts';
import { Continuation, DECIDED, noAdversaries, playChosen, playsOf } from './adaptive-adversary.ts';
import { chordEnds, chordsOf } from './adaptive-chords.ts';
import { raiseToChords } from './chord-envelope.ts';
import { upperStates, type AdaptiveTable, type TailBound } from './adaptive-table.ts';
import { adversariesAfterPairs, upperAfterPairs, type GridPairs } from './grid-pairs.ts';
import { windowSize, type Moves } from './recursion-window.ts';

/** One set of mechanisms left to play, and which of them may be the first. */
interface Stage {
  /** How many of each move are left. */
  readonly counts: readonly number[];
  readonly options: readonly Option[];
}

/** A move (one mechanism of a parameter, or single pairs together) leads to a stage of the layer before. */
export interface Option {
  readonly move: number;
  readonly rest: number;
}

/** Stages by the number of mechanisms left: layer 0 has none left, the last layer is the whole composition. */
export type Layers = readonly (readonly Stage[])[];

/** How many sets there are to choose from where any mechanism may be next. */
export const stagesInAnyOrder = (counts: readonly number[]): number =>
  counts.reduce((product, count) => product * (count + 1), 1);

/** The adversary chooses which mechanism is next: a stage for every multiset that can be left. */
export function anyOrder(counts: readonly number[]): Layers {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const layers: Stage[][] = [[{ counts: counts.map(() => 0), options: [] }]];
  for (let left = 1; left <= total; left++) {
    const before = layers[left - 1]!;
    const found = new Map<string, { counts: readonly number[]; options: Option[] }>();
    before.forEach((stage, rest) => {
      stage.counts.forEach((count, move) => {
        if (count >= counts[move]!) return;
        const next = stage.counts.map((c, p) => (p === move ? c + 1 : c));
        const key = next.join();
        const stageThere = found.get(key) ?? { counts: next, options: [] };
        stageThere.options.push({ move, rest });
        found.set(key, stageThere);
      });
    });
    layers.push([...found.values()]);
  }
  return layers;
}

/** Moves are made as listed, `groups` one after the other: one stage for every number that is left. */
export function declaredOrder(
  groups: readonly { readonly move: number; readonly count: number }[],
  moves: number,
): Layers {
  const layers: Stage[][] = [[{ counts: Array.from({ length: moves }, () => 0), options: [] }]];
  // The last to be played is the first to be solved.
  for (const { move, count } of [...groups].reverse()) {
    for (let n = 0; n < count; n++) {
      const counts = layers.at(-1)![0]!.counts.map((c, p) => (p === move ? c + 1 : c));
      layers.push([{ counts, options: [{ move, rest: 0 }] }]);
    }
  }
  return layers;
}

/** The moves of the recursion, with what bounds their tails. */
interface Recursion extends Moves {
  readonly pairs: readonly GridPairs[];
  /** A bound on the curve of a set of mechanisms, counted move by move, that is good near x. */
  readonly tailBound: (counts: readonly number[], x: number) => TailBound;
}

/** A run of the recursion, which goes on from where it stands. */
export interface Run {
  /**
   * The table of the last of these layers. They must begin with those that were solved before; where those are more, the
   * run begins again.
   *
   * @throws Interrupted
   */
  readonly upTo: (layers: Layers, watch: Watch) => AdaptiveTable;
}

/** Relative error that one step adds: weights (a few elementary functions), interpolation, two products, one sum. */
export const STEP_ERROR = 12 * ELEMENTARY_ERROR + 32 * U + 1e-13;

type Values = Omit<AdaptiveTable, 'error' | 'step'>;

/** V_0(x) = max(1 - e^x, 0): nothing is left, the adversary says "first" where x < 0. */
const nothingLeft = (h: number): Values => ({
  upper: Float64Array.of(0, 0),
  ...DECIDED,
  largest: 0,
  tail: { lambda: 1 / h, logFactor: 0, infinityMass: 0 },
});

/** Memory that is written anew in every step. */
function createScratch() {
  let [states, chosen] = [new Float64Array(0), new Int32Array(0)];
  return {
    states(size: number): Float64Array {
      if (states.length < size) states = new Float64Array(2 * size);
      return states.subarray(0, size);
    },
    chosen(size: number): Int32Array {
      if (chosen.length < size) chosen = new Int32Array(2 * size);
      return chosen.subarray(0, size);
    },
  };
}

/**
 * Encloses the optimal curve of bounded-range mechanisms whose order is given by `layers`, as a function of epsilon:
 * V_0(x) = max(1 - e^x, 0) and, for a set S of mechanisms,
 * V_S(x) = max over the e that may be next of sup over t in [0, e] of q_t V_(S-e)(x - t) + (1 - q_t) V_(S-e)(x - t + e).
 *
 * In y = e^x every V is convex and decreasing, and the weights make y the mean of the two points: the inner supremum is
 * the highest chord of V_(S-e) over an interval [a, a e^e] around y.
 *
 * Upper: values at the states i h bound V there, so by convexity V lies below their piecewise linear interpolation in y;
 * its highest chords are found by {@link raiseToChords}. Parameters are multiples of 2^-20 h that are not below the true
 * ones, and bounded range is the larger class for the larger parameter. For negative x, V(-x) = 1 - e^-x + e^-x V(x)
 * (the classes are closed under swapping neighbours); beyond the window a moment bound holds. All of it is relative to
 * exact positions i h: nothing is subtracted but exact multiples of h.
 *
 * Lower: the choices of t found that way (rounded to the grid, mirrored for negative states) and "first" beyond the
 * lower end of the window, "second" beyond the upper one, are followed by an adversary who keeps track of the state only
 * to the nearest i h. His probabilities of saying "first" under the two hypotheses are sums of positive terms, whatever
 * the true state is; P(first) - e^x Q(first) is a certified lower bound on V(x) at every real x.
 *
 * A single pair in between adds its loss: V_S(x) = E[V_(S-M)(x - L_M)], from above by a measure that dominates it on the
 * grid, from below by what the grid's cells reveal of it.
 *
 * Both errors are O(h^2). All terms are positive, so each step adds a relative error of at most STEP_ERROR.
 *
 * Source: the recursion is Dong, Durfee, Rogers (2020), Lemma 3.2, and 6.1 for different parameters in the declared order,
 * there called intractable; the enclosure and any order are derived.
 */
export function solveRecursion(recursion: Recursion): Run {
  const { pairs, tailBound } = recursion;
  const { step: h, parameters, legal } = recursion.grid;
  const chords = parameters.map((parameter) => chordsOf(parameter, h));
  const plays = chords.map((c, p) => playsOf(c, legal[p]!));
  const reach = Math.max(...parameters.map(({ cells }) => cells)) + 2;
  const most = Math.max(...chords.map(({ times }) => times.length));
  const continuation = new Continuation(h);
  const scratch = createScratch();

  const afterChoice = (size: number, options: readonly Option[], before: readonly Values[]) => {
    const upper = new Float64Array(size + 1);
    /** The option and the time that are best at each state, as option * most + time. */
    const chosen = scratch.chosen(size + 1).fill(0);
    options.forEach(({ move, rest }, number) => {
      const c = chords[move]!;
      const ends = chordEnds(c, h, upperStates(before[rest]!, h, size, reach, scratch.states(size + 2 * reach + 1)));
      const range = { origin: c.stride * reach, first: 0, last: c.times.length - 1 };
      raiseToChords(c, ends, range, { values: upper, chosen }, number * most);
    });

    const adversaries = noAdversaries(size);
    options.forEach(({ move, rest }, number) => {
      continuation.load(before[rest]!, size + reach);
      playChosen(chords[move]!, plays[move]!, continuation, chosen, number * most, adversaries);
    });
    return { upper, ...adversaries };
  };

  const afterPairs = (size: number, played: GridPairs, rest: Values) => ({
    upper: upperAfterPairs(played, rest, h, size),
    ...adversariesAfterPairs(played, rest, h, size),
  });

  const largestOf = (counts: readonly number[]): number =>
    counts.reduce((sum, count, move) => {
      if (count === 0) return sum;
      const parameter = parameters[move];
      return (
        sum + count * (parameter ? parameter.cells + parameter.fraction : pairs[move - parameters.length]!.largest)
      );
    }, 0);

  const begin = { solved: 1, values: [nothingLeft(h)] as readonly Values[], error: 1e-14 };
  let state = begin;
  return {
    upTo(layers, watch) {
      if (state.solved > layers.length) state = begin;
      for (let n = state.solved; n < layers.length; n++) {
        const layer = layers[n]!;
        let { error } = state;
        const values = layer.map(({ counts, options }): Values => {
          advance(watch);
          const size = windowSize(recursion, counts);
          const [first] = options;
          const played = first && pairs[first.move - parameters.length];
          error += played ? played.error / layer.length : STEP_ERROR / layer.length;
          const before = state.values;
          const after = played ? afterPairs(size, played, before[first.rest]!) : afterChoice(size, options, before);
          return { ...after, largest: largestOf(counts), tail: tailBound(counts, size * h) };
        });
        state = { solved: n + 1, values, error };
        advance(watch, n / (layers.length - 1));
      }
      return { ...state.values[0]!, step: h, error: state.error };
    },
  };
}
