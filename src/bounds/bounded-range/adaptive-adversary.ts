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

function extended(known: Float64Array, far: number): Float64Array {
  const size = (known.length - 1) / 2;
  const values = new Float64Array(2 * far + 1);
  for (let i = -far; i <= far && i <= size; i++) values[far + i] = i < -size ? 1 : known[size + i]!;
  return values;
}

/** The adversaries of what remains after the next mechanism, as those of one state have them before them. */
export class Continuation {
  readonly #accept: Float64Array;
  readonly #falseAccept: Float64Array;
  readonly #far: number;
  readonly #step: number;

  /** `far`: the farthest state that is asked for. */
  constructor({ accept, falseAccept }: Adversaries, far: number, step: number) {
    this.#accept = extended(accept, far);
    this.#falseAccept = extended(falseAccept, far);
    this.#far = far;
    this.#step = step;
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
