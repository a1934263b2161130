import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { Chords } from './adaptive-chords.ts';

/**
 * Adversaries, one for each of neighbouring states, -size..size where nothing else is said: the probabilities under the two hypotheses
 * that the one of state i ends where he says that the first is true. Below the window all say "first", above it nobody.
 */
export interface Adversaries {
  readonly accept: Float64Array;
  readonly falseAccept: Float64Array;
}

/**
 * The adversaries of the states -back..far, of those of 0..size: beyond the window nobody says "first". Where classes are closed under
 * swapping neighbours, the one of i is one of -i if hypotheses and answers are swapped: he says "first" with probability 1 - Q(first)
 * under the first, and 1 - P(first) under the second. `error` bounds the relative error of what is known, and is counted against him.
 */
export function mirrored(
  { accept, falseAccept }: Adversaries,
  error: number,
  back: number,
  far: number,
  into: Adversaries = noAdversaries(back + far + 1),
): Adversaries {
  const last = Math.min(accept.length - 1, far);
  into.accept.set(accept.subarray(0, last + 1), back);
  into.falseAccept.set(falseAccept.subarray(0, last + 1), back);
  into.accept.fill(0, back + last + 1, back + far + 1);
  into.falseAccept.fill(0, back + last + 1, back + far + 1);
  for (let i = 1; i <= back; i++) {
    const inside = i < accept.length;
    into.accept[back - i] = inside ? Math.max(0, 1 - falseAccept[i]! * (1 + error) - 4 * U) : 1;
    into.falseAccept[back - i] = inside ? 1 - accept[i]! * (1 - error) + 4 * U : 1;
  }
  return into;
}

/** Nothing is left to play: "first" where x < 0. */
export const DECIDED: Adversaries = { accept: Float64Array.of(1, 0, 0), falseAccept: Float64Array.of(1, 0, 0) };

/** RR(e, t) at the times of the chords, with an e that is not above the true one: outcomes under both hypotheses. */
export interface Plays {
  readonly down: Float64Array;
  readonly up: Float64Array;
  readonly falseDown: Float64Array;
  readonly falseUp: Float64Array;
}

export function playsOf({ times }: Chords, e: number): Plays {
  const scale = -Math.expm1(-e);
  const legal = times.map((time) => Math.min(time, e));
  const down = legal.map((t) => -Math.expm1(t - e) / scale);
  const falseUp = legal.map((t) => -Math.expm1(-t) / scale);
  return {
    down,
    up: legal.map((t, r) => Math.exp(t - e) * falseUp[r]!),
    falseDown: legal.map((t, r) => Math.exp(-t) * down[r]!),
    falseUp,
  };
}

/** The adversaries of what remains after the next mechanism, as those of one state have them before them. */
export class Continuation {
  #known = noAdversaries(0);
  /** The index of state 0. */
  #origin = 0;
  readonly #step: number;

  constructor(step: number) {
    this.#step = step;
  }

  /** Takes these adversaries of the states -size..size; `far`: the farthest state that is asked for. */
  load({ accept, falseAccept }: Adversaries, far: number): this {
    const into = this.#room(2 * far + 1);
    this.#origin = far;
    const size = (accept.length - 1) / 2;
    for (const [known, states] of [
      [accept, into.accept],
      [falseAccept, into.falseAccept],
    ] as const) {
      states.fill(1, 0, Math.max(0, far - size));
      states.set(
        known.subarray(Math.max(0, size - far), Math.min(known.length, size + far + 1)),
        Math.max(0, far - size),
      );
      states.fill(0, far + Math.min(size, far) + 1);
    }
    return this;
  }

  /** Takes those of the states 0..size, for questions about the states -back..far (see {@link mirrored}). */
  loadMirrored(known: Adversaries, error: number, back: number, far: number): this {
    mirrored(known, error, back, far, this.#room(back + far + 1));
    this.#origin = back;
    return this;
  }

  #room(states: number): Adversaries {
    if (this.#known.accept.length < states) this.#known = noAdversaries(2 * states);
    return this.#known;
  }

  /** P(first) and Q(first) of the states, state i at index `origin` + i. */
  get states(): Adversaries {
    return this.#known;
  }

  get origin(): number {
    return this.#origin;
  }

  accept(i: number): number {
    return this.#known.accept[this.#origin + i]!;
  }

  falseAccept(i: number): number {
    return this.#known.falseAccept[this.#origin + i]!;
  }

  /** The state, i or i + 1, whose adversary gains more where e^x is `rise`. */
  better(i: number, rise: number): number {
    const next = this.accept(i + 1) - rise * this.falseAccept(i + 1);
    return next > this.accept(i) - rise * this.falseAccept(i) ? i + 1 : i;
  }

  /** That between the states i and i + 1, at i + fraction. */
  between(i: number, fraction: number): number {
    return this.better(i, Math.exp((i + fraction) * this.#step));
  }
}

/** The adversary of state i who plays the r-th time of the chords first: written into `into` at `index`. */
export function play(
  { stride, cells, fraction }: Chords,
  plays: Plays,
  r: number,
  rest: Continuation,
  i: number,
  into: Adversaries,
  index: number,
): void {
  const passed = stride === 1 ? r : r >> 1;
  let low = i - passed;
  let high = i + cells - passed;
  if (stride === 2) {
    if (r % 2 === 1) low = rest.between(low - 1, 1 - fraction);
    else high = rest.between(high, fraction);
  }
  into.accept[index] = plays.down[r]! * rest.accept(low) + plays.up[r]! * rest.accept(high);
  into.falseAccept[index] = plays.falseDown[r]! * rest.falseAccept(low) + plays.falseUp[r]! * rest.falseAccept(high);
}

export const noAdversaries = (states: number): Adversaries => ({
  accept: new Float64Array(states),
  falseAccept: new Float64Array(states),
});

/**
 * The adversaries of the states 0..size who play the times chosen[i] - `from` first. Of states whose number is not a time from there on
 * nothing is written.
 */
export function playChosen(
  chords: Chords,
  plays: Plays,
  rest: Continuation,
  into: Adversaries & { readonly chosen: Int32Array },
  from: number,
): void {
  const { cells, stride, times } = chords;
  const { down, up, falseDown, falseUp } = plays;
  const { origin, states: known } = rest;
  const { accept, falseAccept, chosen } = into;
  for (let i = 0; i < chosen.length; i++) {
    const r = chosen[i]! - from;
    if (r < 0 || r >= times.length) continue;
    if (stride === 2) {
      play(chords, plays, r, rest, i, into, i);
      continue;
    }
    const low = origin + i - r;
    const high = low + cells;
    accept[i] = down[r]! * known.accept[low]! + up[r]! * known.accept[high]!;
    falseAccept[i] = falseDown[r]! * known.falseAccept[low]! + falseUp[r]! * known.falseAccept[high]!;
  }
}
