import type { Approximate } from '../enclosure.ts';
import { UNIT_ROUNDOFF as U } from '../rounding.ts';
import { logExpm1, type ComposedLine, type GroupLine } from './composed-loss.ts';
import { writeLogRatio, type LineTransform, type LogRatio, type Ratios } from './transform.ts';

/** Nodes that follow each other are computed together, so many at a time. */
export const BLOCK = 32;

/** Values of a function at the nodes of a block: the function itself, and a bound on the error of both parts together. */
export interface Values {
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly error: Float64Array;
}

const block = (): Float64Array => new Float64Array(BLOCK);
export const values = (): Values => ({ re: block(), im: block(), error: block() });

/** ln of a bound on |E[e^((c+it)L)]| / E[e^(cL)] of one line at all t +- radius. */
function logMostOf(line: LineTransform, t: number, radius: number, enough: number, ratio: LogRatio): number {
  if (line.logMost) return line.logMost(t, radius, enough);
  const change = line.deviation * radius * (1 + 1e-12);
  if (change > 0.9) return 0;
  line.at(t, ratio);
  const bound = Math.exp(ratio.error === Infinity ? ratio.modulus : ratio.modulus + ratio.error) + change;
  return bound < 1 ? Math.log(bound) : 0;
}

/** The moments of a composed loss on a line, less their value where it crosses the real axis, times a factor. */
export class LineProduct {
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
  #logMost(t: number, enough: number, logMostOfLine: (line: LineTransform, enough: number) => number): number {
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
        total += share * Math.exp(logMostOfLine(jump.line, needed));
      }
      return sum + Math.log(total) + whole;
    }
    for (const { line, count } of this.#lines) {
      if (sum <= enough) break;
      sum += count * logMostOfLine(line, (enough - sum) / count);
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
    const floor = size - off[k]!;
    const total =
      floor > 0 ? (value * jumpOff[k]! + error * far + modulus * off[k]!) / floor + 16 * U * modulus : Infinity;
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
