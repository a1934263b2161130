import { UNIT_ROUNDOFF as U } from '../rounding.ts';
import { advance, type Watch } from '../watch.ts';
import type { Approximate } from '../enclosure.ts';
import { logExpm1, type ComposedLine, type GroupLine } from './composed-loss.ts';
import { writeLogRatio, type LineTransform, type LogRatio, type Ratios } from './transform.ts';

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

/** Nodes that follow each other are computed together, so many at a time. */
export const BLOCK = 32;

/** Grows as it is filled. */
class Terms {
  size = 0;
  n = new Float64Array(256);
  first = new Float64Array(512);
  /** Those of the first where there is one factor. */
  second: Float64Array<ArrayBuffer>;
  /** Bounds the modulus of both. */
  most = new Float64Array(256);

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
      this.most = grown(this.most);
    }
    const at = this.size++;
    this.n[at] = n;
    this.most[at] = size;
    this.first[2 * at] = first.re * re - first.im * im;
    this.first[2 * at + 1] = first.re * im + first.im * re;
    if (this.second === this.first) return;
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

/** Values of a function at the nodes of a block: the function itself, and a bound on the error of both parts together. */
interface Values {
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly error: Float64Array;
}

const block = (): Float64Array => new Float64Array(BLOCK);
const values = (): Values => ({ re: block(), im: block(), error: block() });

/** A part that is taken off a composed loss, of this share of the probability. */
export interface LeftOut {
  readonly line: ComposedLine;
  /** ln of the share times E[e^(cL)] of the part over E[e^(cL)] of all. */
  readonly logFactor: Approximate;
}

/** ln of a bound on |E[e^((c+it)L)]| / E[e^(cL)] of one line at all t +- radius. */
function logMostOf(line: LineTransform, t: number, radius: number, enough: number, ratio: LogRatio): number {
  if (line.logMost) return line.logMost(t, radius, enough);
  const change = line.deviation * radius * (1 + 1e-12);
  if (change > 0.9) return 0;
  line.at(t, ratio);
  const most = Math.exp(ratio.error === Infinity ? ratio.modulus : ratio.modulus + ratio.error) + change;
  return most < 1 ? Math.log(most) : 0;
}

/** The moments of a composed loss on a line, less their value where it crosses the real axis, times a factor. */
class Product {
  readonly #lines: readonly GroupLine[];
  readonly #line: ComposedLine;
  readonly #c: number;
  readonly #factor: Approximate;
  readonly #ratio: LogRatio = { modulus: 0, angle: 0, error: 0 };
  readonly #ratios: Ratios = { x: block(), y: block(), error: block() };
  readonly #jumps: Ratios = { x: block(), y: block(), error: block() };
  readonly #modulus = block();
  readonly #angle = block();
  readonly #off = block();
  /** Where a factor is not known, and its modulus a bound. */
  readonly #isLost = new Uint8Array(BLOCK);
  /** The sum R of the logarithms of 1 + J / M, and a bound on that of |J|, over M + J where the line crosses the real axis. */
  readonly #sum = values();
  readonly #most = block();

  constructor(line: ComposedLine, c: number, factor: Approximate) {
    this.#lines = [...line.lines].sort((a, b) => b.line.deviation - a.line.deviation);
    this.#line = line;
    this.#c = c;
    this.#factor = factor;
  }

  /** How many terms one value is a sum of. */
  get terms(): number {
    return this.#lines.reduce((sum, { terms, jump }) => sum + terms + (jump?.terms ?? 0), 4);
  }

  /** Whether something is known of all places beyond one. */
  get falls(): boolean {
    return this.#lines.some(({ line }) => line.logMostFrom !== undefined);
  }

  /** ln of a bound on the modulus from t on, which falls with t; given up once it is below `enough`. */
  logMostFrom(t: number, enough: number): number {
    return this.#logMost(t, enough, (line, needed) => line.logMostFrom?.(t, needed) ?? 0);
  }

  /** ln of a bound on the modulus over t +- radius; given up once it is below `enough`. */
  logMost(t: number, radius: number, enough: number): number {
    const ratio = this.#ratio;
    return this.#logMost(Math.max(0, t - radius), enough, (line, needed) => logMostOf(line, t, radius, needed, ratio));
  }

  /**
   * A product of M + J less that of M is a sum over the factors, of what one has more times all others, none of which exceeds that
   * of M + J where the line crosses the real axis.
   */
  #logMost(t: number, enough: number, most: (line: LineTransform, enough: number) => number): number {
    const { muSquared, jumps } = this.#line;
    let sum = this.#factor.value + this.#factor.error - (muSquared.lower / 2) * t ** 2;
    if (jumps !== null) {
      // Over e^R - 1 where the line crosses the real axis.
      const whole = jumps.value + jumps.error - logExpm1(Math.max(jumps.value - jumps.error, 1e-300)) + 1e-9;
      let total = 0;
      for (const { count, jump } of this.#lines) {
        if (jump === null) continue;
        const { value, error } = jump.share;
        const share = (count * (value + error)) / (1 + value);
        const needed = enough - sum - whole - Math.log(share * this.#lines.length);
        total += share * Math.exp(most(jump.line, needed));
      }
      return sum + Math.log(total) + whole;
    }
    for (const { line, count } of this.#lines) {
      if (sum <= enough) break;
      sum += count * most(line, (enough - sum) / count);
    }
    return sum * (1 - 1e-12);
  }

  /** Writes e^(-i t epsilon) times the product at t = first h, ...; all that it may be counts as error where it is below e^enough. */
  write(h: number, first: number, count: number, epsilon: number, enough: number, out: Values): void {
    const { muSquared, jumps } = this.#line;
    const own: number = muSquared.lower;
    const c = this.#c;
    for (let k = 0; k < count; k++) {
      const t = (first + k) * h;
      this.#modulus[k] = this.#factor.value - (own / 2) * t * t;
      this.#angle[k] = own * (c + 0.5) * t - epsilon * t;
      this.#off[k] =
        this.#factor.error +
        U * (16 * Math.abs(this.#modulus[k]!) + 12 * Math.abs(own * (c + 0.5) * t) + 8 * Math.abs(epsilon * t)) +
        (muSquared.upper - own) * (t * t + Math.abs(c + 0.5) * t);
      this.#isLost[k] = 0;
      this.#sum.re[k] = this.#sum.im[k] = this.#sum.error[k] = this.#most[k] = 0;
    }
    for (const group of this.#lines) {
      this.#addGroup(group, h, first, count);
      if (jumps === null && this.#isBelow(count, enough)) break;
    }
    for (let k = 0; k < count; k++) {
      const off =
        this.#off[k]! + (this.#lines.length + 4) * U * (Math.abs(this.#modulus[k]!) + Math.abs(this.#angle[k]!));
      const modulus = this.#modulus[k]!;
      const isNarrow = !this.#isLost[k] && off <= 0.25;
      const isKnown = isNarrow && modulus + off >= enough;
      if (jumps !== null) {
        this.#writeWithJumps(k, isNarrow ? off : Infinity, jumps, (muSquared.lower / 2) * ((first + k) * h) ** 2, out);
      } else if (isKnown) {
        const size = Math.exp(modulus);
        out.re[k] = size * Math.cos(this.#angle[k]!);
        out.im[k] = size * Math.sin(this.#angle[k]!);
        out.error[k] = size * (Math.expm1(off) + 64 * U);
      } else {
        out.re[k] = out.im[k] = 0;
        out.error[k] = Math.exp(Math.min(0, modulus + off)) * (1 + 1e-9);
      }
    }
  }

  #isBelow(count: number, enough: number): boolean {
    for (let k = 0; k < count; k++) if (this.#modulus[k]! + Math.min(1, this.#off[k]!) >= enough) return false;
    return true;
  }

  /** Adds the logarithms of a group's ratios; where one is not known its angle has an infinite error. */
  #addGroup({ line, count: times, jump }: GroupLine, h: number, first: number, count: number): void {
    const { x, y, error } = this.#ratios;
    const ratio = this.#ratio;
    line.fill?.(h, first, count, this.#ratios);
    if (jump !== null) jump.line.fill!(h, first, count, this.#jumps);
    for (let k = 0; k < count; k++) {
      if (line.fill) writeLogRatio(x[k]!, y[k]!, error[k]!, ratio);
      else line.at((first + k) * h, ratio);
      this.#modulus[k]! += times * ratio.modulus;
      this.#angle[k]! += times * ratio.angle;
      if (ratio.error === Infinity) this.#isLost[k] = 1;
      else this.#off[k]! += times * ratio.error + 4 * U * times * (Math.abs(ratio.modulus) + Math.abs(ratio.angle));
      if (jump !== null) this.#addJump(k, times, jump.share);
    }
  }

  /** Adds n ln(1 + J / M). */
  #addJump(k: number, times: number, { value, error }: Approximate): void {
    const { x, y, error: off } = this.#ratios;
    const { x: jumpX, y: jumpY, error: jumpOff } = this.#jumps;
    const far = Math.hypot(1 + jumpX[k]!, jumpY[k]!);
    this.#most[k]! += ((times * (value + error)) / (1 + value)) * Math.min(1, far + jumpOff[k]!) * (1 + 1e-12);
    const re = 1 + x[k]!;
    const im = y[k]!;
    const a = value * (1 + jumpX[k]!);
    const b = value * jumpY[k]!;
    const square = re * re + im * im;
    const size = Math.sqrt(square);
    const u = (a * re + b * im) / square;
    const v = (b * re - a * im) / square;
    const modulus = Math.hypot(u, v);
    const left = size - off[k]!;
    const total =
      left > 0 ? (value * jumpOff[k]! + error * far + modulus * off[k]!) / left + 16 * U * modulus : Infinity;
    writeLogRatio(u, v, total, this.#ratio);
    this.#sum.re[k]! += times * this.#ratio.modulus;
    this.#sum.im[k]! += times * this.#ratio.angle;
    this.#sum.error[k]! +=
      this.#ratio.error === Infinity
        ? Infinity
        : times * this.#ratio.error + 4 * U * times * (Math.abs(this.#ratio.modulus) + Math.abs(this.#ratio.angle));
  }

  /** Writes the product times (e^R - 1) over its value where the line crosses the real axis. */
  #writeWithJumps(k: number, off: number, jumps: Approximate, decay: number, out: Values): void {
    const { re, im, error } = this.#sum;
    const x = re[k]!;
    const y = im[k]!;
    const unsure = error[k]!;
    const whole = Math.expm1(jumps.value);
    const relative = (jumps.error * Math.exp(jumps.value)) / whole;
    if (off === Infinity || !(unsure < 0.25) || !(relative < 0.25)) {
      out.re[k] = out.im[k] = 0;
      out.error[k] = Math.min(
        1,
        (this.#most[k]! * Math.exp(jumps.value + jumps.error - decay)) /
          Math.expm1(Math.max(0, jumps.value - jumps.error)),
      );
      return;
    }
    const size = Math.exp(this.#modulus[k]!) / whole;
    const half = Math.sin(y / 2);
    const grown = Math.exp(x);
    const u = Math.expm1(x) - 2 * grown * half * half;
    const v = grown * Math.sin(y);
    const cos = Math.cos(this.#angle[k]!);
    const sin = Math.sin(this.#angle[k]!);
    const value = Math.abs(u) + Math.abs(v);
    out.re[k] = size * (u * cos - v * sin);
    out.im[k] = size * (u * sin + v * cos);
    out.error[k] =
      size *
      (value * (Math.expm1(off) + 2 * relative + 96 * U) +
        2 * grown * (Math.expm1(unsure) + 8 * U * Math.min(1, Math.abs(x) + Math.abs(y))));
  }
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
  readonly #all: Product;
  readonly #part: Product | null;
  readonly #grid: Grid;
  readonly #kernel: Kernel;
  readonly #negligible: number;
  #known: number | null = null;

  constructor(line: ComposedLine, leftOut: LeftOut | null, c: number, grid: Grid, kernel: Kernel, negligible: number) {
    this.#all = new Product(line, c, { value: 0, error: 0 });
    this.#part = leftOut && new Product(leftOut.line, c, leftOut.logFactor);
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
    const most = this.#all.logMost(middle, radius, enough);
    if (most > enough) return null;
    const less = this.#part?.logMost(middle, radius, enough) ?? -Infinity;
    return less > enough ? null : [most, less];
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
    const each = this.#terms;

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
        done += each * count;
        advance(watch, (to + 1) / (last + 1));
        return;
      }
      done += each / 4;
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
        done += each * BLOCK;
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
