/** A reproducible source of random numbers: mulberry32, seeded by the campaign's seed and the number of the case. */
export class Random {
  #state: number;

  constructor(seed: number, stream = 0) {
    this.#state = mixed(mixed(seed >>> 0) ^ mixed((stream + 0x9e3779b9) >>> 0));
  }

  /** Uniform in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    return mixed(this.#state) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Uniform in the logarithm. */
  logBetween(low: number, high: number): number {
    return Math.exp(this.between(Math.log(low), Math.log(high)));
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return Math.min(high, low + Math.floor(this.next() * (high - low + 1)));
  }

  /** A whole number, uniform in the logarithm. */
  logWhole(low: number, high: number): number {
    return Math.min(high, Math.max(low, Math.floor(this.logBetween(low, high + 1))));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.whole(0, choices.length - 1)]!;
  }

  times<T>(count: number, make: (index: number) => T): T[] {
    return Array.from({ length: count }, (_, index) => make(index));
  }
}

function mixed(x: number): number {
  let t = x;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return (t ^ (t >>> 14)) >>> 0;
}
