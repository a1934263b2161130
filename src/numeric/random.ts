const WORD = 2 ** 32;

const rotated = (x: number, bits: number): number => (x << bits) | (x >>> (32 - bits));

/** The finaliser of SplitMix32, which tells neighbouring seeds apart. */
function mixed(x: number): number {
  let t = x;
  t = Math.imul(t ^ (t >>> 16), 0x21f0aaad);
  t = Math.imul(t ^ (t >>> 15), 0x735a2d97);
  return t ^ (t >>> 15);
}

/** 32 bits of state from a whole seed of up to 53 bits; `step` tells the four words of a state apart. */
function seedWord(seed: number, step: number): number {
  const increment = Math.imul(step + 1, 0x9e3779b9);
  return mixed(mixed((seed % WORD) + increment) ^ mixed(Math.floor(seed / WORD) - increment));
}

/** Where random words come from. */
export interface RandomSource {
  /** A whole number from 0 to 2^32 - 1, all equally likely. */
  word(): number;
}

/** The four words of a state of {@link Xoshiro}, not all 0. */
export type XoshiroState = readonly [number, number, number, number];

/**
 * A reproducible source of random words: xoshiro128**, period 2^128 - 1.
 *
 * The same seed gives the same words on every machine. It is for simulations; it must never protect data.
 *
 * Source: Blackman, Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47 (2021).
 */
export class Xoshiro implements RandomSource {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  /** From a whole number of 0 to 2^53 - 1, or from the four words of a state that are not all 0. */
  constructor(seed: number | XoshiroState) {
    const [a, b, c, d] = typeof seed === 'number' ? [0, 1, 2, 3].map((step) => seedWord(seed, step)) : seed;
    [this.#a, this.#b, this.#c, this.#d] = [a | 0, b | 0, c | 0, d | 0];
    if ((this.#a | this.#b | this.#c | this.#d) === 0) this.#a = 1;
  }

  /** From where it goes on: a source of this state has the same words. */
  get state(): XoshiroState {
    return [this.#a >>> 0, this.#b >>> 0, this.#c >>> 0, this.#d >>> 0];
  }

  word(): number {
    const result = Math.imul(rotated(Math.imul(this.#b, 5), 7), 9) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = rotated(this.#d, 11);
    return result;
  }
}

/** A whole number from 0 to `end` - 1, all equally likely; `end` is whole, from 1 to 2^53. */
export function below(end: number, source: RandomSource): number {
  if (end <= WORD) {
    const limit = WORD - (WORD % end);
    for (;;) {
      const word = source.word();
      if (word < limit) return word % end;
    }
  }
  for (;;) {
    const bits = (source.word() % 2 ** 21) * WORD + source.word();
    if (bits < 2 ** 53 - (2 ** 53 % end)) return bits % end;
  }
}

/** 0 or 1, equally likely. */
export const bit = (source: RandomSource): 0 | 1 => (source.word() >>> 31 === 0 ? 0 : 1);
