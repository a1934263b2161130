import { UNIT_ROUNDOFF as U } from '../rounding.ts';
import { advance, type Watch } from '../watch.ts';
import type { ComposedLoss } from './composed-loss.ts';
import type { Enclosure } from '../enclosure.ts';
import type { Approximate } from '../approximate.ts';
import type { LineTransform, LogRatio } from './transform.ts';

/** A complex number in a place that is written again and again. */
export interface Complex {
  re: number;
  im: number;
}

/** Two factors, each within a few roundings of `bound`, which neither exceeds. */
export interface Factors {
  readonly first: Complex;
  readonly second: Complex;
  bound: number;
}

/** The factors of the moments at c + it; two at once, as two ends are found from the same moments. */
export interface Kernel {
  /** Writes the factors. */
  readonly at: (t: number, factors: Factors) => void;
  /** Bounds the modulus of both at t and beyond. */
  readonly bound: (t: number) => number;
}

/** Where a line is cut into nodes n h, and where it ends. */
export interface Grid {
  readonly h: number;
  /** Nodes 0..last. */
  readonly last: number;
}

/** The terms of a trapezoid sum in ascending order, each at its t >= 0 together with its conjugate at -t. */
export interface Nodes {
  readonly size: number;
  /** Which nodes they are: their t is n h. */
  readonly n: Float64Array;
  /** Real and imaginary part of each term for the one factor, and for the other. */
  readonly first: Float64Array;
  readonly second: Float64Array;
  /** Sums of moduli: times the errors of each, plain, and times t. */
  readonly error: number;
  readonly mass: number;
  readonly spread: number;
  /** Bounds what was left out, the end of the line apart. */
  readonly skipped: number;
}

/** Stretches of nodes so short are looked at one by one. */
const SHORT = 8;

/** Moments of so many terms together are computed for one contour. */
const MOST_WORK = 3e6;

/** Grows as it is filled. */
class Terms {
  size = 0;
  n = new Float64Array(256);
  first = new Float64Array(512);
  second = new Float64Array(512);
  /** Bounds the modulus of both. */
  most = new Float64Array(256);

  /** `size` bounds |re| + |im| times both factors. */
  add(n: number, re: number, im: number, { first, second }: Factors, size: number): void {
    if (this.size === this.n.length) {
      const grown = (old: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
        const all = new Float64Array(2 * old.length);
        all.set(old);
        return all;
      };
      [this.n, this.first, this.second] = [grown(this.n), grown(this.first), grown(this.second)];
      this.most = grown(this.most);
    }
    const at = this.size++;
    this.n[at] = n;
    this.most[at] = size;
    this.first[2 * at] = first.re * re - first.im * im;
    this.first[2 * at + 1] = first.re * im + first.im * re;
    this.second[2 * at] = second.re * re - second.im * im;
    this.second[2 * at + 1] = second.re * im + second.im * re;
  }

  /** Drops the smallest terms, which are together at most `enough`; returns how much they are. */
  drop(enough: number): number {
    const ascending = this.most.slice(0, this.size).sort();
    let [dropped, most] = [0, 0];
    for (const size of ascending) {
      if (dropped + size > enough) break;
      dropped += size;
      most = size;
    }
    let kept = 0;
    for (let i = 0; i < this.size; i++) {
      // Of those that are alike some would be dropped that were not counted.
      if (this.most[i]! < most) continue;
      this.n[kept] = this.n[i]!;
      this.first.copyWithin(2 * kept, 2 * i, 2 * i + 2);
      this.second.copyWithin(2 * kept, 2 * i, 2 * i + 2);
      kept++;
    }
    this.size = kept;
    return dropped * (1 + 1e-9);
  }
}

interface WeightedLine {
  readonly line: LineTransform;
  readonly count: number;
}

/** A product of moments on a line, less its value where the line crosses the real axis. */
interface Product {
  readonly lines: readonly WeightedLine[];
  readonly muSquared: Enclosure;
  /** ln of what it is multiplied by, at most 0. */
  readonly logFactor: Approximate;
}

/** The value of a product at a node. */
interface Value {
  re: number;
  im: number;
  /** Bounds the error of both parts together. */
  error: number;
}

const productOn = ({ groups, muSquared }: ComposedLoss, c: number, logFactor: Approximate): Product => ({
  lines: groups
    .map(({ transform, count }): WeightedLine => ({ line: transform.on(c), count }))
    .sort((a, b) => b.line.deviation - a.line.deviation),
  muSquared,
  logFactor,
});

const scratch = (): LogRatio => ({ modulus: 0, angle: 0, error: 0 });

/** ln of a bound on the modulus of a product over t +- radius; given up once it is below `enough`. */
function logBound({ lines, muSquared, logFactor }: Product, t: number, radius: number, enough: number): number {
  const ratio = scratch();
  let sum = logFactor.value + logFactor.error - (muSquared.lower / 2) * Math.max(0, t - radius) ** 2;
  for (const { line, count } of lines) {
    if (sum <= enough) break;
    if (line.logMost) {
      sum += count * line.logMost(t, radius, (enough - sum) / count);
      continue;
    }
    const change = line.deviation * radius * (1 + 1e-12);
    if (change > 0.9) continue;
    line.at(t, ratio);
    const most = Math.exp(ratio.error === Infinity ? ratio.modulus : ratio.modulus + ratio.error) + change;
    if (most < 1) sum += count * Math.log(most);
  }
  return sum * (1 - 1e-12);
}

/** Writes e^(-i t epsilon) times the product; all that it may be counts as error where it is below e^enough. */
function writeProduct(
  { lines, muSquared, logFactor }: Product,
  c: number,
  t: number,
  epsilon: number,
  enough: number,
  ratio: LogRatio,
  value: Value,
): void {
  const own: number = muSquared.lower;
  let modulus = logFactor.value - (own / 2) * t * t;
  let angle = own * (c + 0.5) * t - epsilon * t;
  let known = true;
  let off =
    logFactor.error +
    U * (16 * Math.abs(modulus) + 12 * Math.abs(own * (c + 0.5) * t) + 8 * Math.abs(epsilon * t)) +
    (muSquared.upper - own) * (t * t + Math.abs(c + 0.5) * t);
  for (const { line, count } of lines) {
    line.at(t, ratio);
    modulus += count * ratio.modulus;
    if (ratio.error === Infinity) {
      known = false;
    } else {
      angle += count * ratio.angle;
      off += count * ratio.error + 4 * U * count * (Math.abs(ratio.modulus) + Math.abs(ratio.angle));
    }
    if (modulus + off < enough) break;
  }
  off += (lines.length + 4) * U * (Math.abs(modulus) + Math.abs(angle));
  if (!known || modulus + off < enough || off > 0.25) {
    value.re = value.im = 0;
    value.error = Math.exp(Math.min(0, modulus + off)) * (1 + 1e-9);
    return;
  }
  const size = Math.exp(modulus);
  value.re = size * Math.cos(angle);
  value.im = size * Math.sin(angle);
  value.error = size * (Math.expm1(off) + 64 * U);
}

/** How many terms one value of a composed moment is a sum of. */
const termsOf = ({ groups }: ComposedLoss): number =>
  groups.reduce((sum, { transform }) => sum + (transform.terms ?? 1), 0);

/** A part that is taken off a composed loss, of this share of the probability. */
export interface LeftOut {
  readonly loss: ComposedLoss;
  /** ln of the share times E[e^(cL)] of the part over E[e^(cL)] of all. */
  readonly logFactor: Approximate;
}

/**
 * The terms h / pi M(c + it) / M(c) e^(-i t epsilon) kernel(c + it) at t = nh (half of it at 0).
 *
 * Stretches on which the moments are certainly small are left out: with the standard deviation s of a loss under the tilt,
 * its ratio M(c + it) / M(c) moves by no more than s times the change of t. Each stretch leaves out at most its share of
 * `negligible`. null where too many moments would have to be computed.
 */
export function nodesOn(
  loss: ComposedLoss,
  leftOut: LeftOut | null,
  c: number,
  epsilon: number,
  { h, last }: Grid,
  kernel: Kernel,
  negligible: number,
  watch: Watch,
): Nodes | null {
  const all = productOn(loss, c, { value: 0, error: 0 });
  const part = leftOut && productOn(leftOut.loss, c, leftOut.logFactor);
  const terms = new Terms();
  const ratio = scratch();
  const [whole, less]: [Value, Value] = [
    { re: 0, im: 0, error: 0 },
    { re: 0, im: 0, error: 0 },
  ];
  const factors: Factors = { first: { re: 0, im: 0 }, second: { re: 0, im: 0 }, bound: 0 };
  let [error, mass, spread, skipped] = [0, 0, 0, 0];
  // Half of it for each of two products.
  const share = Math.log((negligible / (last + 1)) * (Math.PI / h)) - Math.LN2;

  let work = 0;
  const each = termsOf(loss) + (leftOut === null ? 0 : termsOf(leftOut.loss)) + 4;

  const look = (n: number): void => {
    const t = n * h;
    const enough = share - Math.log(kernel.bound(t)) - 40;
    writeProduct(all, c, t, epsilon, enough, ratio, whole);
    if (part !== null) writeProduct(part, c, t, epsilon, enough, ratio, less);
    const weight = n === 0 ? h / (2 * Math.PI) : h / Math.PI;
    const [re, im] = [weight * (whole.re - less.re), weight * (whole.im - less.im)];
    if (re === 0 && im === 0) {
      skipped += weight * (whole.error + less.error) * kernel.bound(t) * (1 + 1e-9);
      return;
    }
    kernel.at(t, factors);
    const largest = (Math.abs(re) + Math.abs(im)) * factors.bound;
    terms.add(n, re, im, factors, largest);
    error += weight * (whole.error + less.error) * factors.bound + 64 * U * largest;
    mass += largest;
    spread += largest * t;
  };

  const stretch = (from: number, to: number): void => {
    if (work > MOST_WORK) return;
    if (to - from < SHORT) {
      for (let n = from; n <= to; n++) look(n);
      work += each * (to - from + 1);
      advance(watch, (to + 1) / (last + 1));
      return;
    }
    const [start, end] = [from * h, to * h];
    const enough = share - Math.log(kernel.bound(start));
    const [middleT, radius] = [(start + end) / 2, (end - start) / 2];
    work += each / 4;
    const most = logBound(all, middleT, radius, enough);
    const mostLess = part === null || most > enough ? -Infinity : logBound(part, middleT, radius, enough);
    if (most <= enough && mostLess <= enough) {
      const size = Math.exp(most) + Math.exp(mostLess);
      skipped += ((to - from + 1) * h * kernel.bound(start) * size * (1 + 1e-9)) / Math.PI;
      return;
    }
    const middle = Math.floor((from + to) / 2);
    stretch(from, middle);
    stretch(middle + 1, to);
  };
  stretch(0, last);
  if (work > MOST_WORK) return null;
  skipped += terms.drop(negligible);
  return { size: terms.size, n: terms.n, first: terms.first, second: terms.second, error, mass, spread, skipped };
}
