import type { Approximate } from '../enclosure.ts';
import { UNIT_ROUNDOFF as U } from '../rounding.ts';
import { advance, type Watch } from '../watch.ts';
import type { ComposedLine } from './composed-loss.ts';
import { BLOCK, LineProduct, values } from './line-product.ts';

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
  /** Whether the second is the first. */
  readonly isOne: boolean;
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
  /** Real and imaginary part of each term for the one factor, and for the other: one array where they are the same. */
  readonly first: Float64Array;
  readonly second: Float64Array;
  /** Sums of moduli: times the errors of each, plain, and times t. */
  readonly error: number;
  readonly mass: number;
  readonly spread: number;
  /** Bounds what was left out, the end of the line apart. */
  readonly skipped: number;
}

/** Powers of two that terms are compared with, on either side of 1. */
const LEVELS = 1100;

/** Grows as it is filled. */
class Terms {
  size = 0;
  n = new Float64Array(256);
  first = new Float64Array(512);
  /** Those of the first where there is one factor. */
  second: Float64Array<ArrayBuffer>;
  /** Bounds the modulus of both. */
  bounds = new Float64Array(256);

  constructor(isOne: boolean) {
    this.second = isOne ? this.first : new Float64Array(512);
  }

  /** `size` bounds |re| + |im| times both factors. */
  add(n: number, re: number, im: number, { first, second }: Factors, size: number): void {
    if (this.size === this.n.length) {
      const grown = (old: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
        const all = new Float64Array(2 * old.length);
        all.set(old);
        return all;
      };
      const isOne = this.second === this.first;
      [this.n, this.first] = [grown(this.n), grown(this.first)];
      this.second = isOne ? this.first : grown(this.second);
      this.bounds = grown(this.bounds);
    }
    const at = this.size++;
    this.n[at] = n;
    this.bounds[at] = size;
    this.first[2 * at] = first.re * re - first.im * im;
    this.first[2 * at + 1] = first.re * im + first.im * re;
    if (this.second === this.first) return;
    this.second[2 * at] = second.re * re - second.im * im;
    this.second[2 * at + 1] = second.re * im + second.im * re;
  }

  /** Drops small terms, those up to a power of two, which are together at most `enough`; returns how much they are. */
  drop(enough: number): number {
    const levelOf = (size: number): number => Math.max(0, Math.floor(Math.log2(size)) + LEVELS);
    const sums = new Float64Array(2 * LEVELS);
    for (let i = 0; i < this.size; i++) sums[levelOf(this.bounds[i]!)]! += this.bounds[i]!;
    let [dropped, level] = [0, 0];
    for (; level < sums.length && dropped + sums[level]! <= enough; level++) dropped += sums[level]!;
    let count = 0;
    for (let i = 0; i < this.size; i++) {
      if (levelOf(this.bounds[i]!) < level) continue;
      this.n[count] = this.n[i]!;
      this.first.copyWithin(2 * count, 2 * i, 2 * i + 2);
      this.second.copyWithin(2 * count, 2 * i, 2 * i + 2);
      count++;
    }
    this.size = count;
    return dropped * (1 + 1e-9);
  }
}

/** A part that is taken off a composed loss, of this share of the probability. */
export interface LeftOut {
  readonly line: ComposedLine;
  /** ln of the share times E[e^(cL)] of the part over E[e^(cL)] of all. */
  readonly logFactor: Approximate;
}

/** How closely it is looked for the last node, in logarithms. */
const CLOSE = 0.25;

/**
 * The terms h / pi M(c + it) / M(c) e^(-i t epsilon) kernel(c + it) at t = nh (half of it at 0).
 *
 * Stretches on which the moments are certainly small are left out: with the standard deviation s of a loss under the tilt,
 * its ratio M(c + it) / M(c) moves by no more than s times the change of t. Each stretch leaves out at most its share of
 * `negligible`.
 */
export class TrapezoidSum {
  readonly #all: LineProduct;
  readonly #part: LineProduct | null;
  readonly #grid: Grid;
  readonly #kernel: Kernel;
  readonly #negligible: number;
  #known: number | null = null;

  constructor(line: ComposedLine, leftOut: LeftOut | null, c: number, grid: Grid, kernel: Kernel, negligible: number) {
    this.#all = new LineProduct(line, c, { value: 0, error: 0 });
    this.#part = leftOut && new LineProduct(leftOut.line, c, leftOut.logFactor);
    this.#grid = grid;
    this.#kernel = kernel;
    this.#negligible = negligible;
  }

  get #terms(): number {
    return this.#all.terms + (this.#part?.terms ?? 0);
  }

  /** ln of what a node at t may be without counting, but for the kernel: half of it for each of two products. */
  #enough(t: number): number {
    const { h, last } = this.#grid;
    // Next to the real axis all nodes count.
    if (t === 0) return -Infinity;
    const share = Math.log((this.#negligible / (last + 1)) * (Math.PI / h)) - Math.LN2;
    return share - Math.log(this.#kernel.bound(t));
  }

  /** ln of bounds on both products over a stretch of nodes; null where they are not small. */
  #small(from: number, to: number): readonly [number, number] | null {
    const { h } = this.#grid;
    const enough = this.#enough(from * h);
    const middle = ((from + to) / 2) * h;
    const radius = ((to - from) / 2) * h;
    const wholeBound = this.#all.logMost(middle, radius, enough);
    if (wholeBound > enough) return null;
    const less = this.#part?.logMost(middle, radius, enough) ?? -Infinity;
    return less > enough ? null : [wholeBound, less];
  }

  /** The first node, about, from which on all are certainly small, by what is known of all places beyond one. */
  get #end(): number {
    return (this.#known ??= this.#findEnd());
  }

  #findEnd(): number {
    const { h, last } = this.#grid;
    if (!this.#all.falls || this.#part !== null) return last + 1;
    let [low, high] = [Math.log(BLOCK), Math.log(last + 1)];
    let end = last + 1;
    while (high - low > CLOSE) {
      const middle = (low + high) / 2;
      const from = Math.ceil(Math.exp(middle));
      const enough = this.#enough(from * h);
      if (this.#all.logMostFrom(from * h, enough) > enough) low = middle;
      else [high, end] = [middle, from];
    }
    return end;
  }

  /** How many terms the nodes take, unless there are gaps before they end. */
  work(): number {
    return this.#end * this.#terms;
  }

  /** The terms; null where moments of more than `work` terms together would have to be computed. */
  nodes(epsilon: number, work: number, watch: Watch): Nodes | null {
    const { h, last } = this.#grid;
    const kernel = this.#kernel;
    const terms = new Terms(kernel.isOne);
    const whole = values();
    const less = values();
    const factors: Factors = { first: { re: 0, im: 0 }, second: { re: 0, im: 0 }, bound: 0 };
    let [error, mass, spread, skipped, done] = [0, 0, 0, 0, 0];
    const termsOfNode = this.#terms;

    const look = (first: number, count: number): void => {
      const enough = this.#enough(first * h) - 40;
      this.#all.write(h, first, count, epsilon, enough, whole);
      this.#part?.write(h, first, count, epsilon, enough, less);
      for (let k = 0; k < count; k++) {
        const n = first + k;
        const t = n * h;
        const weight = n === 0 ? h / (2 * Math.PI) : h / Math.PI;
        // Without a part `less` stays 0.
        const re = weight * (whole.re[k]! - less.re[k]!);
        const im = weight * (whole.im[k]! - less.im[k]!);
        const off = weight * (whole.error[k]! + less.error[k]!);
        if (re === 0 && im === 0) {
          skipped += off * kernel.bound(t) * (1 + 1e-9);
          continue;
        }
        kernel.at(t, factors);
        const largest = (Math.abs(re) + Math.abs(im)) * factors.bound;
        terms.add(n, re, im, factors, largest);
        error += off * factors.bound + 64 * U * largest;
        mass += largest;
        spread += largest * t;
      }
    };

    const stretch = (from: number, to: number): void => {
      if (done > work) return;
      const count = to - from + 1;
      if (count <= BLOCK) {
        look(from, count);
        done += termsOfNode * count;
        advance(watch, (to + 1) / (last + 1));
        return;
      }
      done += termsOfNode / 4;
      const small = from === 0 ? null : this.#small(from, to);
      if (small !== null) {
        const size = Math.exp(small[0]) + Math.exp(small[1]);
        skipped += (count * h * kernel.bound(from * h) * size * (1 + 1e-9)) / Math.PI;
        return;
      }
      const middle = from + BLOCK * Math.max(1, Math.floor(count / (2 * BLOCK))) - 1;
      stretch(from, middle);
      stretch(middle + 1, to);
    };
    const end = this.#end;
    if (end <= last) {
      for (let from = 0; from < end && done <= work; from += BLOCK) {
        look(from, Math.min(BLOCK, end - from));
        done += termsOfNode * BLOCK;
        advance(watch, from / end);
      }
      const size = Math.exp(this.#all.logMostFrom(end * h, this.#enough(end * h)));
      for (let from = end; from <= last; from *= 2) {
        skipped += (from * h * kernel.bound(from * h) * size * (1 + 1e-9)) / Math.PI;
      }
    } else stretch(0, last);
    if (done > work) return null;
    skipped += terms.drop(this.#negligible);
    return { size: terms.size, n: terms.n, first: terms.first, second: terms.second, error, mass, spread, skipped };
  }
}
