import type { RandomSource } from './random.ts';
import { Rational, total } from './rational.ts';

const BASE = 2n ** 32n;

/** The digits of a number in [0, 1) to the base 2^32, as far as they are asked for. */
class Expansion {
  readonly digits: number[] = [];
  readonly #denominator: bigint;
  #rest: bigint;

  constructor({ numerator, denominator }: Rational) {
    this.#rest = numerator;
    this.#denominator = denominator;
    this.digit(0);
  }

  digit(place: number): number {
    while (this.digits.length <= place) {
      this.#rest *= BASE;
      this.digits.push(Number(this.#rest / this.#denominator));
      this.#rest %= this.#denominator;
    }
    return this.digits[place]!;
  }
}

/**
 * Draws from a finite law with rational probabilities, exactly: if the words of the source are independent and uniform,
 * outcome i is drawn with probability `weights[i]`, however small it is.
 *
 * Method: a uniform number is compared with the cumulated probabilities, digit by digit to the base 2^32, and only as
 * many digits of it are drawn as the comparison needs.
 */
export class Sampler {
  readonly #ends: readonly Expansion[];

  /** `weights` are at least 0 and sum to exactly 1; else a RangeError is thrown. */
  constructor(weights: readonly Rational[]) {
    if (!total(weights).equals(Rational.ONE) || weights.some((weight) => weight.compare(Rational.ZERO) < 0)) {
      throw new RangeError('the probabilities of a law must be at least 0 and sum to exactly 1');
    }
    // Beyond the last outcome that can happen there is nothing to compare with.
    const possible = weights.findLastIndex((weight) => !weight.isZero());
    let sum = Rational.ZERO;
    this.#ends = weights.slice(0, possible).map((weight) => new Expansion((sum = sum.plus(weight))));
  }

  /** The index of an outcome. */
  draw(source: RandomSource): number {
    const ends = this.#ends;
    if (ends.length === 0) return 0;
    const first = source.word();
    let drawn: number[] | null = null;
    for (let index = 0; index < ends.length; index++) {
      const end = ends[index]!;
      const leading = end.digits[0]!;
      if (first < leading) return index;
      if (first > leading) continue;
      drawn ??= [first];
      if (isBelow(drawn, end, source)) return index;
    }
    return ends.length;
  }
}

/** Whether the uniform number whose first digits were drawn is below `end`; draws more of it as needed. */
function isBelow(drawn: number[], end: Expansion, source: RandomSource): boolean {
  for (let place = 1; ; place++) {
    if (drawn.length <= place) drawn.push(source.word());
    const [digit, limit] = [drawn[place]!, end.digit(place)];
    if (digit !== limit) return digit < limit;
  }
}
