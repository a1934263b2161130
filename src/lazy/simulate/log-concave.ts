import { unit, type RandomSource } from '../../numeric/random.ts';

const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** Halvings that bring any interval of doubles below what doubles tell apart beside its ends. */
const STEPS = 100;
/** More rejections than this have a chance below 2^-500 each time. */
const MOST_TRIES = 1000;

/** Where the logarithm of the density is largest, by golden sections. */
function mode(h: (x: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  let left = high - GOLDEN * (high - low);
  let right = low + GOLDEN * (high - low);
  let [hLeft, hRight] = [h(left), h(right)];
  for (let step = 0; step < STEPS && right - left > 0; step++) {
    if (hLeft < hRight) {
      [low, left, hLeft] = [left, right, hRight];
      right = low + GOLDEN * (high - low);
      hRight = h(right);
    } else {
      [high, right, hRight] = [right, left, hLeft];
      left = high - GOLDEN * (high - low);
      hLeft = h(left);
    }
  }
  return [from, to, left, right].reduce((best, x) => (h(x) > h(best) ? x : best));
}

/** A point between `at` and `end` where h is lower than at `at` by about 1; `end` where it falls by less. */
function fall(h: (x: number) => number, at: number, end: number): number {
  const top = h(at);
  if (top - h(end) <= 2) return end;
  let [near, far] = [at, end];
  for (let step = 0; step < STEPS; step++) {
    const middle = near + (far - near) / 2;
    const depth = top - h(middle);
    if (depth >= 0.5 && depth <= 2) return middle;
    if (depth < 0.5) near = middle;
    else far = middle;
  }
  return far;
}

/** The hat on one side of the mode. */
interface Side {
  /** Where it begins to fall. */
  readonly at: number;
  /** Where the interval ends. */
  readonly end: number;
  /** How fast its logarithm falls. */
  readonly rate: number;
  /** What is under it where it falls, its height at the mode being 1. */
  readonly mass: number;
}

/**
 * Samples from the density proportional to e^h on an interval, h concave and finite inside it, up to the rounding of doubles:
 * by rejection from a hat that is constant around the mode, between two points where h is lower by 1/2 to 2, and beyond each of
 * them the exponential of the chord from the mode to that point, above which a concave function does not rise again. At least
 * a quarter of the mass under the hat is under the density, whatever h is.
 *
 * Source: Devroye, "Non-Uniform Random Variate Generation" (1986), chapter VII.2, with points found by bisection.
 */
export class LogConcave {
  readonly #h: (x: number) => number;
  readonly #mode: number;
  readonly #top: number;
  readonly #ends: readonly [number, number];
  readonly #sides: readonly [Side, Side];

  constructor(h: (x: number) => number, from: number, to: number) {
    this.#h = h;
    this.#mode = mode(h, from, to);
    this.#top = h(this.#mode);
    const side = (end: number): Side => {
      const at = fall(h, this.#mode, end);
      const depth = this.#top - h(at);
      const rate = depth / Math.abs(at - this.#mode);
      const mass = at === end ? 0 : (Math.exp(-depth) / rate) * -Math.expm1(-rate * Math.abs(end - at));
      return { at, end, rate, mass };
    };
    this.#sides = [side(from), side(to)];
    this.#ends = [this.#sides[0].at, this.#sides[1].at];
  }

  draw(random: RandomSource): number {
    const [low, high] = this.#ends;
    const [left, right] = this.#sides;
    if (!(high > low)) return this.#mode;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const target = unit(random) * (high - low + left.mass + right.mass);
      const accept = Math.log(1 - unit(random));
      if (target < high - low) {
        const x = low + target;
        if (accept <= this.#h(x) - this.#top) return x;
        continue;
      }
      const side = target - (high - low) < left.mass ? left : right;
      const reach = Math.abs(side.end - side.at);
      const step = -Math.log1p(unit(random) * Math.expm1(-side.rate * reach)) / side.rate;
      const x = side.at + Math.sign(side.end - side.at) * Math.min(step, reach);
      if (accept <= this.#h(x) - this.#top + side.rate * Math.abs(x - this.#mode)) return x;
    }
    throw new RangeError('a density is not log-concave');
  }
}
