import { unit, type RandomSource } from '../../numeric/random.ts';

/** Samples by inversion from weights that are not negative; their sums are made once for all samples. */
export class Inversion {
  readonly #sums: Float64Array;

  /** For this many weights, which {@link set} gives. */
  constructor(size: number) {
    this.#sums = new Float64Array(size);
  }

  set(weights: Float64Array): void {
    let sum = 0;
    for (let i = 0; i < weights.length; i++) this.#sums[i] = sum += weights[i]!;
  }

  draw(random: RandomSource): number {
    const target = unit(random) * this.#sums.at(-1)!;
    let [low, high] = [0, this.#sums.length - 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.#sums[middle]! > target) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
