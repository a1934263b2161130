/** Losses of a run are multiples of 1 / this, so that their sums are exact. */
export const UNIT = 2 ** 20;

/** Runs may have so many rounds: their sums stay whole numbers of 53 bits. */
export const MOST_ROUNDS = 2 ** 33;

/** A loss of [0, 1] in units, rounded to the nearest; off by at most half a unit. */
export const inUnits = (loss: number): number => Math.round(loss * UNIT);

/** A digest of losses in units, round by round, of 64 bits: tells losses apart that differ by a mistake, not by design. */
export class LossDigest {
  #one: number;
  #other: number;

  /** `text`: that of the rounds before. */
  constructor(text: string) {
    [this.#one, this.#other] = [parseInt(text.slice(0, 8), 16), parseInt(text.slice(8), 16)];
  }

  /** The losses of one round. */
  take(units: Float64Array): void {
    let [one, other] = [this.#one, this.#other];
    for (const loss of units) {
      one = Math.imul(one ^ loss, 0x85ebca6b);
      one ^= one >>> 13;
      other = Math.imul(other ^ loss, 0xc2b2ae35);
      other ^= other >>> 16;
    }
    [this.#one, this.#other] = [one, other];
  }

  get text(): string {
    return [this.#one, this.#other].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

/** The digest of no round. */
export const NO_DIGEST = '243f6a8885a308d3';
