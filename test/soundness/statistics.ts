/** Buckets per decade, and the smallest width that is told from 0. */
const PER_DECADE = 40;
const SMALLEST = -320;

/** The distribution of nonnegative numbers in bounded memory: quantiles are rounded up by at most 6 %. */
export class Distribution {
  #zeros = 0;
  #count = 0;
  #largest = 0;
  readonly #buckets = new Map<number, number>();

  add(x: number): void {
    this.#count++;
    this.#largest = Math.max(this.#largest, x);
    if (x === 0) this.#zeros++;
    else {
      const bucket = Math.ceil((Math.log10(x) - SMALLEST) * PER_DECADE);
      this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    }
  }

  get count(): number {
    return this.#count;
  }

  get largest(): number {
    return this.#largest;
  }

  /** A number that at least this share of all do not exceed. */
  quantile(share: number): number {
    let seen = this.#zeros;
    if (seen >= share * this.#count) return 0;
    for (const [bucket, count] of [...this.#buckets].sort(([a], [b]) => a - b)) {
      seen += count;
      if (seen >= share * this.#count) return Math.min(this.#largest, 10 ** (bucket / PER_DECADE + SMALLEST));
    }
    return this.#largest;
  }
}
