import type { Chords } from './adaptive-chords.ts';

/**
 * Adversaries, one for each of the states -size..size, at index size + i: the probabilities under the two hypotheses
 * that the one of state i ends where he says that the first is true. Below the window all say "first", above it nobody.
 */
export interface Adversaries {
  readonly accept: Float64Array;
  readonly falseAccept: Float64Array;
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
  #accept = new Float64Array(0);
  #falseAccept = new Float64Array(0);
  #far = 0;
  readonly #step: number;

  constructor(step: number) {
    this.#step = step;
  }

  /** Takes these adversaries; `far`: the farthest state that is asked for. */
  load({ accept, falseAccept }: Adversaries, far: number): this {
    if (this.#accept.length < 2 * far + 1) {
      this.#accept = new Float64Array(4 * far + 1);
      this.#falseAccept = new Float64Array(4 * far + 1);
    }
    this.#far = far;
    const size = (accept.length - 1) / 2;
    for (const [known, into] of [
      [accept, this.#accept],
      [falseAccept, this.#falseAccept],
    ] as const) {
      into.fill(1, 0, Math.max(0, far - size));
      into.set(
        known.subarray(Math.max(0, size - far), Math.min(known.length, size + far + 1)),
        Math.max(0, far - size),
      );
      into.fill(0, far + Math.min(size, far) + 1);
    }
    return this;
  }

  /** P(first) and Q(first) of the states, state i at index `far` + i. */
  get states(): Adversaries & { readonly far: number } {
    return { accept: this.#accept, falseAccept: this.#falseAccept, far: this.#far };
  }

  accept(i: number): number {
    return this.#accept[this.#far + i]!;
  }

  falseAccept(i: number): number {
    return this.#falseAccept[this.#far + i]!;
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

export const noAdversaries = (size: number): Adversaries => ({
  accept: new Float64Array(2 * size + 1),
  falseAccept: new Float64Array(2 * size + 1),
});

/**
 * The adversaries of the states -size..size who play the times chosen[|i|] - `from` first, mirrored for negative states. Of states
 * whose number is not a time from there on nothing is written.
 */
export function playChosen(
  chords: Chords,
  plays: Plays,
  rest: Continuation,
  chosen: Int32Array,
  from: number,
  { accept, falseAccept }: Adversaries,
): void {
  const { cells, stride, times } = chords;
  const { down, up, falseDown, falseUp } = plays;
  const states = rest.states;
  const size = chosen.length - 1;
  const last = times.length - 1;
  for (let i = 0; i <= size; i++) {
    const r = chosen[i]! - from;
    if (r < 0 || r > last) continue;
    if (stride === 2) {
      play(chords, plays, r, rest, i, { accept, falseAccept }, size + i);
      if (i > 0) play(chords, plays, last - r, rest, -i, { accept, falseAccept }, size - i);
      continue;
    }
    const low = states.far + i - r;
    const high = low + cells;
    accept[size + i] = down[r]! * states.accept[low]! + up[r]! * states.accept[high]!;
    falseAccept[size + i] = falseDown[r]! * states.falseAccept[low]! + falseUp[r]! * states.falseAccept[high]!;
    if (i === 0) continue;
    const s = last - r;
    const lowest = states.far - i - s;
    const highest = lowest + cells;
    accept[size - i] = down[s]! * states.accept[lowest]! + up[s]! * states.accept[highest]!;
    falseAccept[size - i] = falseDown[s]! * states.falseAccept[lowest]! + falseUp[s]! * states.falseAccept[highest]!;
  }
}
