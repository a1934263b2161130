import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { advance, type Watch } from '../../numeric/watch.ts';
import { Continuation, mirrored, playChosen, playsOf, type Adversaries } from './adaptive-adversary.ts';
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
  /** What one more of a move adds to the number of a stage. */
  const strides = counts.map((_, move) => stagesInAnyOrder(counts.slice(0, move)));
  const layers: (Stage & { readonly number: number })[][] = [[{ number: 0, counts: counts.map(() => 0), options: [] }]];
  for (let left = 1; left <= total; left++) {
    const found = new Map<number, { number: number; counts: readonly number[]; options: Option[] }>();
    layers.at(-1)!.forEach((stage, rest) => {
      stage.counts.forEach((count, move) => {
        if (count >= counts[move]!) return;
        const number = stage.number + strides[move]!;
        const known = found.get(number);
        if (known) known.options.push({ move, rest });
        else found.set(number, { number, counts: stage.counts.with(move, count + 1), options: [{ move, rest }] });
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

/** Values at the states 0..size of what is left, which those below 0 mirror. */
interface Reached extends Adversaries {
  readonly size: number;
  readonly upper: Float64Array;
}

/** How far a run has come: values of the stages of the last layer that was solved. */
interface State {
  readonly solved: number;
  readonly values: readonly Values[];
  readonly error: number;
}

type Values = Reached & Pick<AdaptiveTable, 'largest' | 'tail'>;

/** V_0(x) = max(1 - e^x, 0): nothing is left, the adversary says "first" where x < 0. */
const nothingLeft = (h: number): Values => ({
  size: 1,
  upper: Float64Array.of(0, 0),
  accept: Float64Array.of(0, 0),
  falseAccept: Float64Array.of(0, 0),
  largest: 0,
  tail: { lambda: 1 / h, logFactor: 0, infinityMass: 0 },
});

/** Memory for the values of one layer after the other, which is written anew. */
class Arena {
  #numbers = new Float64Array(0);
  #taken = 0;

  /** Makes room for so many numbers; what was taken before is given back. */
  clear(room: number): this {
    if (this.#numbers.length < room) this.#numbers = new Float64Array(2 * room);
    this.#taken = 0;
    return this;
  }

  /** So many numbers. */
  take(size: number): Float64Array {
    return this.#numbers.subarray(this.#taken, (this.#taken += size));
  }
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
 * Lower: the choices of t found that way (rounded to the grid) and "second" beyond the window are followed by an adversary
 * who keeps track of the state only to the nearest i h; at -i he is the one of i for whom hypotheses and answers are swapped
 * (see {@link mirrored}). His probabilities of saying "first" under the two hypotheses are sums of positive terms, whatever
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
  const steps = [...parameters.map(({ cells, fraction }) => cells + fraction), ...pairs.map(({ largest }) => largest)];
  const reach = Math.max(...parameters.map(({ cells }) => cells)) + 2;
  const most = Math.max(...chords.map(({ times }) => times.length));
  const continuation = new Continuation(h);
  let [spare, kept] = [new Arena(), new Arena()];
  let extended = new Float64Array(0);
  let chosen = new Int32Array(0);

  /** What the mechanisms of a stage lead to, for all stages of a layer: what is left after them is extended once. */
  const afterChoices = (
    layer: readonly Stage[],
    sizes: readonly number[],
    { values: before, error }: State,
  ): Reached[] => {
    const states = sizes.reduce((sum, size) => sum + size + 1, 0);
    const arena = spare.clear(3 * states);
    if (chosen.length < states) chosen = new Int32Array(2 * states);
    chosen.fill(0, 0, states);
    let taken = 0;
    const reached = sizes.map((size) => ({
      size,
      upper: arena.take(size + 1).fill(0),
      accept: arena.take(size + 1),
      falseAccept: arena.take(size + 1),
      /** The option and the time that are best at each state, as option * most + time. */
      chosen: chosen.subarray(taken, (taken += size + 1)),
    }));
    const uses = before.map((): { move: number; from: number; into: (typeof reached)[number] }[] => []);
    layer.forEach(({ options }, n) => {
      options.forEach(({ move, rest }, number) => {
        uses[rest]!.push({ move, from: number * most, into: reached[n]! });
      });
    });
    const farthest = uses.map((there) => there.reduce((far, { into }) => Math.max(far, into.size), 0));
    uses.forEach((there, rest) => {
      const length = farthest[rest]! + 2 * reach + 1;
      if (extended.length < length) extended = new Float64Array(2 * length);
      const known = upperStates(before[rest]!, h, farthest[rest]!, reach, extended.subarray(0, length));
      for (const { move, from, into } of there) {
        const c = chords[move]!;
        const range = { origin: c.stride * reach, first: 0, last: c.times.length - 1 };
        raiseToChords(c, chordEnds(c, h, known), range, { values: into.upper, chosen: into.chosen }, from);
      }
    });
    uses.forEach((there, rest) => {
      continuation.loadMirrored(before[rest]!, error, reach, farthest[rest]! + reach);
      for (const { move, from, into } of there) playChosen(chords[move]!, plays[move]!, continuation, into, from);
    });
    return reached;
  };

  const afterPairs = (size: number, played: GridPairs, { values: [rest], error }: State): Reached => ({
    size,
    upper: upperAfterPairs(played, rest!, h, size),
    ...adversariesAfterPairs(played, rest!, error, h, size),
  });

  const begin: State = { solved: 1, values: [nothingLeft(h)], error: 1e-14 };
  let state = begin;
  return {
    upTo(layers, watch) {
      if (state.solved > layers.length) state = begin;
      for (let n = state.solved; n < layers.length; n++) {
        const layer = layers[n]!;
        const before = state.values;
        const sizes = layer.map(({ counts }) => windowSize(recursion, counts));
        // Pairs have a stage of their own.
        const played = pairs[layer[0]!.options[0]!.move - parameters.length];
        const reached = played ? [afterPairs(sizes[0]!, played, state)] : afterChoices(layer, sizes, state);
        const values = reached.map((there, s): Values => {
          const { counts, options } = layer[s]!;
          const { move, rest } = options[0]!;
          return {
            ...there,
            largest: before[rest]!.largest + steps[move]!,
            tail: tailBound(counts, there.size * h),
          };
        });
        [spare, kept] = [kept, spare];
        state = { solved: n + 1, values, error: state.error + (played ? played.error : STEP_ERROR) };
        advance(watch, n / (layers.length - 1));
      }
      const { error } = state;
      const { size, upper, largest, tail, ...half } = state.values[0]!;
      return { step: h, upper: upper.slice(), ...mirrored(half, error, size, size), largest, tail, error };
    },
  };
}
