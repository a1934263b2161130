import type { Approximate } from '../../numeric/enclosure.ts';
import type { Ratios } from '../../numeric/contour/transform.ts';
import { logGamma } from '../../numeric/log-gamma.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { EpochNoise } from './epoch-noise.ts';
import { ALONG } from './truncated-noise.ts';

/** How small what is left out is, in nats. */
const DEPTH = 34;
/** Where exponents are looked for by which aliases and ends are bounded, over the place of the line. */
const ASIDE = [0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7];
const FURTHER = [0.1, 0.2, 0.5, 1, 2, 4];
const MOST_NODES = 6000;
const STEPS = 40;

/** The saddle point on the real axis: its place, and ln of about E[M^w e^(-w mu mean(x))]. */
interface Saddle {
  readonly s: number;
  readonly log: number;
}

/**
 * The saddle point of the integrals below, w real; by Newton's method in ln |s|, held between what is known on both sides, as means of jumps
 * leap. What is found is exact where M is always 1.
 *
 * @param w - not 0
 */
export function saddleOf(noise: EpochNoise, w: number): Saddle {
  const isUp = w > 0;
  const power = isUp ? w + 1 : w;
  let s = power;
  let { log, mean, variance } = noise.tilted(s, w);
  let [low, high] = [0, Infinity];
  for (let step = 0; step < STEPS; step++) {
    // s E[M] = w + 1, or w.
    const off = Math.log((mean * s) / power);
    if (!(Math.abs(off) > 1e-10)) break;
    if (off > 0) high = Math.abs(s);
    else low = Math.abs(s);
    const next = Math.abs(s) * Math.exp(Math.max(-1, Math.min(1, -off / Math.max(0.3, 1 + (s * variance) / mean))));
    s = Math.sign(power) * (next > low && next < high ? next : Math.sqrt(low * high));
    if (high - low < 1e-9 * low) break;
    ({ log, mean, variance } = noise.tilted(s, w));
  }
  const size = Math.abs(power);
  const curved = isUp ? 1 + (variance * s * s) / size : 1 - (variance * s * s) / size;
  const value = log - power * Math.log(s / power) - power;
  return { s, log: value - Math.log(Math.max(1e-3, curved)) / 2 };
}

/** E[M^w e^(-w mu mean(x))] under Q where all noise is in range, along w = w0 + iy: over e^base, with bounds on its error. */
abstract class TruncatedSum {
  readonly noise: EpochNoise;
  readonly w0: number;
  readonly s0: number;
  /** About ln of it at w0. */
  readonly base: number;
  re = 0;
  im = 0;

  constructor(noise: EpochNoise, w0: number) {
    [this.noise, this.w0] = [noise, w0];
    const { s, log } = saddleOf(noise, w0);
    [this.s0, this.base] = [s, log];
  }

  /** Writes the sum at y; returns a bound on its error. */
  abstract at(y: number): number;

  /** Adds e^(log + i angle) times the noise over that of moduli, of which log has the logarithm. Returns a bound on the error. */
  protected add(log: number, angle: number, sizes: number): number {
    const { re, im, error } = this.noise;
    const modulus = Math.exp(log);
    const [cos, sin] = [modulus * Math.cos(angle), modulus * Math.sin(angle)];
    this.re += re * cos - im * sin;
    this.im += re * sin + im * cos;
    // Neither is more than the moduli, which are known where the sum is.
    return modulus * (Math.min(2.1, error) + 8 * U * (sizes + 2));
  }
}

/**
 * For w0 > 0: Gamma(w + 1) / (2 pi i) times the integral of phi^t s^(-w-1) over Re s = s0, phi as in {@link TruncatedNoise}.
 *
 * With nodes h apart, Y = 2 pi / h, the trapezoid rule gives the sum over all whole j of E[((M + j Y)+)^w e^(-s0 j Y - w mu mean(x))], by
 * Poisson summation. The terms of j != 0 are at most (w0 / (e r))^w0 e^(-|s0 - r| |j| Y) phi(r, w0)^t for any r on the other side of s0, as
 * u^w0 <= (w0 / (e r))^w0 e^(ru).
 */
class UpwardSum extends TruncatedSum {
  readonly #h: number;
  readonly #logAlias: number;
  readonly #logMost: number;
  readonly #logs: number[] = [];
  readonly #angles: number[] = [];

  constructor(noise: EpochNoise, w0: number) {
    super(noise, w0);
    const { s0, base } = this;
    noise.at(s0, 0, w0, 0);
    this.#logMost = noise.logMost;
    const bounds = ASIDE.flatMap((part) => [s0 * (1 - part), s0 * (1 + part)]).map((r) => {
      noise.within(r, r, r, 0, w0, 0);
      noise.at(r, 0, w0, 0);
      const log = w0 * (Math.log(w0 / r) - 1) + noise.logMost + noise.error + 1e-9 * (1 + w0 * 1e-3) - base;
      return { r, log, period: Math.max(1, log + DEPTH) / Math.abs(s0 - r) };
    });
    const least = (isRight: boolean) =>
      bounds
        .filter(({ r }) => r > s0 === isRight)
        .reduce((best, one) => (one.period < best.period ? one : best), { r: NaN, log: Infinity, period: Infinity });
    const sides = [least(false), least(true)];
    const period = Math.max(...sides.map((side) => side.period));
    this.#h = (2 * Math.PI) / period;
    const alias = sides.reduce((sum, { r, log }) => {
      const move = Math.abs(s0 - r) * period;
      return sum + Math.exp(log - move) / -Math.expm1(-move);
    }, 0);
    this.#logAlias = Math.log(alias);
  }

  /** ln |s| and the angle of s = s0 + i j h. */
  #place(j: number): void {
    for (let i = this.#logs.length; i <= j; i++) {
      this.#logs.push(Math.log(Math.hypot(this.s0, i * this.#h)));
      this.#angles.push(Math.atan2(i * this.#h, this.s0));
    }
  }

  at(y: number): number {
    const { noise, w0, s0, base } = this;
    const h = this.#h;
    // Where the moments that limit aliases overflow no distance of nodes is known.
    if (!(h > 0)) return Infinity;
    const gamma = logGamma(w0 + 1, y);
    const shared = gamma.modulus + Math.log(h / (2 * Math.PI)) + this.#logMost - base;
    const weight = (j: number): number =>
      shared - (w0 + 1) * this.#logs[Math.abs(j)]! + y * Math.sign(j) * this.#angles[Math.abs(j)]!;
    // Where terms are largest, and how far from there.
    const peak = Math.round((y * s0) / (w0 + 1) / h);
    let last = peak + 8;
    let beyond = Infinity;
    for (; beyond > Math.exp(-DEPTH); last = Math.ceil(last * 1.15)) {
      if (last > MOST_NODES) return Infinity;
      this.#place(last);
      beyond = this.#beyond(last, y, weight(last));
    }
    this.#place(last);
    beyond = this.#beyond(last, y, weight(last));
    const enough = -DEPTH - Math.log(2 * last + 1);
    let [first, end, left] = [Infinity, -Infinity, 0];
    for (let j = -last; j <= last; j++) {
      const log = weight(j);
      if (log < enough) left += Math.exp(log);
      else [first, end] = [Math.min(first, j), Math.max(end, j)];
    }
    let error = Math.exp(this.#logAlias) + left + 2 * beyond;
    [this.re, this.im] = [0, 0];
    noise.lay(h);
    const block = (j: number): number => ALONG * Math.floor(j / ALONG);
    for (let j = block(first); j <= end; j++) {
      const start = block(j);
      if (j === start) {
        const far = Math.max(Math.abs(start), Math.abs(start + ALONG - 1));
        noise.within(s0, Math.hypot(s0, far * h), s0, 0, w0, y);
      }
      noise.along(s0, start * h, w0, y, j - start);
      if (j < first) continue;
      const [log, argument] = [this.#logs[Math.abs(j)]!, Math.sign(j) * this.#angles[Math.abs(j)]!];
      const angle = gamma.angle - (w0 + 1) * argument - y * log;
      const sizes =
        Math.abs(gamma.modulus) +
        Math.abs(base) +
        Math.abs(this.#logMost) +
        (w0 + 1 + y) * (Math.abs(log) + 2) +
        Math.abs(gamma.angle);
      error += this.add(weight(j), angle, sizes) + Math.exp(weight(j)) * 2 * gamma.error;
    }
    return error * (1 + 1e-9);
  }

  /**
   * Bounds the terms from a node on. With g(v) = ln |s^(-w-1)|, g'(v) = -((w0 + 1) v - y s0) / |s|^2, which is at most -2 k v / |s|^2, 2 k = w0 + 1 -
   * y s0 / v0, from v0 on; and |s|^2 / |s_0|^2 >= 1 + 2 v0 (v - v0) / |s_0|^2. On the other side of the axis terms are smaller.
   */
  #beyond(last: number, y: number, log: number): number {
    const [h, v] = [this.#h, last * this.#h];
    const k = (this.w0 + 1 - (y * this.s0) / v) / 2;
    if (!(k > 1.01)) return Infinity;
    return Math.exp(log) * (1 + (this.s0 ** 2 + v * v) / (2 * v * (k - 1) * h));
  }
}

/**
 * For w0 < -1, z = -w: 1 / Gamma(z) times the integral of e^(zu) phi(-e^u, w)^t over Im u = the angle of z.
 *
 * The trapezoid rule adds the integral at z + 2 pi i j / h for all whole j, by Poisson summation: at most |Gamma(z + 2 pi i j / h)| e^(angle
 * 2 pi j / h) / |Gamma(z)| times that at w0. Their logarithms are concave in j, as Re psi'(z) > 0 for Re z >= 1 (the cosine transform of a
 * convex function). Ends: e^(-s M) is at most 1 to the left; to the right at most (b / (e Re s M))^b, and M is at least e^(mu mean(x) -
 * mu^2 / 2), its geometric mean.
 */
class DownwardSum extends TruncatedSum {
  #ends(y: number, angle: number, h: number, logGammaAtZ: number): readonly [number, number, number] {
    const { w0, base, noise } = this;
    const c = -w0;
    const { batches: t, muSquared: square } = noise.law;
    const shared = -angle * y - logGammaAtZ - base;
    const series = (rate: number): number => Math.log(h / -Math.expm1(-rate * h));
    const left = (c * c * square) / (2 * t) + shared + series(c);
    let [to, rightLog] = [Infinity, 0];
    for (const part of FURTHER) {
      const b = c * (1 + part) + 1;
      const log =
        b * (Math.log(b / Math.cos(angle)) - 1) +
        (b * square) / 2 +
        ((b - c) ** 2 * square) / (2 * t) +
        shared +
        series(b - c);
      const place = (log + DEPTH) / (b - c);
      if (place < to) [to, rightLog] = [place, log - (b - c) * place];
    }
    const from = (-DEPTH - left) / c;
    return [from, to, Math.exp(left + c * from) + Math.exp(rightLog)];
  }

  at(y: number): number {
    const { noise, w0, base } = this;
    const c = -w0;
    if (!(c >= 1)) return Infinity;
    const angle = Math.atan2(y, c);
    const gamma = logGamma(c, y);
    // The alias on one side, and its share of the one before.
    const alias = (h: number, sign: 1 | -1): number => {
      const log = (j: number): number => {
        const more = (2 * Math.PI * j * sign) / h;
        return logGamma(c, y + more).modulus + angle * more - gamma.modulus;
      };
      const [one, two] = [log(1), log(2)];
      return two < one ? Math.exp(one) / -Math.expm1(two - one) : Infinity;
    };
    let h = (2 * Math.PI * Math.sqrt(c)) / Math.hypot(c, y) / Math.sqrt(2 * DEPTH);
    while (!(alias(h, 1) + alias(h, -1) < 2 * Math.exp(-DEPTH)) && h > 1e-6) h *= 0.9;
    const aliases = (alias(h, 1) + alias(h, -1)) * (1 + 1e-6);
    const [from, to, beyond] = this.#ends(y, angle, h, gamma.modulus);
    if (!((to - from) / h < MOST_NODES)) return Infinity;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const shared = Math.log(h) - angle * y - gamma.modulus - base;
    let error = aliases * 2 + beyond;
    [this.re, this.im] = [0, 0];
    for (let k = Math.floor(from / h); k <= Math.ceil(to / h); k++) {
      const u = k * h;
      const s = Math.exp(u);
      noise.within(s, s, 0, Math.abs(angle), w0, y);
      noise.at(-s * cos, -s * sin, w0, -y);
      const log = shared + c * u + noise.logMost;
      const sizes =
        (c + y) * (Math.abs(u) + 2) +
        Math.abs(gamma.modulus) +
        Math.abs(gamma.angle) +
        Math.abs(base) +
        Math.abs(noise.logMost);
      error += this.add(log, y * u + c * angle - gamma.angle, sizes) + Math.exp(log) * 2 * gamma.error;
    }
    return error * (1 + 1e-9);
  }
}

/** E[M''^(w0 + iy)] of {@link allocationTransform} by noise in range, for removals w0 > 0, for additions w0 < -1. */
export class TruncatedMoment {
  readonly #noise: EpochNoise;
  readonly #sum: TruncatedSum;
  readonly #at0: number;
  readonly #part: number;
  readonly #w0: number;
  readonly moment: Approximate;

  constructor(noise: EpochNoise, w0: number) {
    const { batches: t, muSquared } = noise.law;
    [this.#noise, this.#w0] = [noise, w0];
    this.#part = muSquared / (2 * t);
    const sum = w0 > 0 ? new UpwardSum(noise, w0) : new DownwardSum(noise, w0);
    this.#sum = sum;
    const off = Number.isFinite(sum.base) ? sum.at(0) : Infinity;
    this.#at0 = sum.re;
    const value = Math.log(sum.re) + sum.base + w0 * this.#part;
    const relative = off / sum.re + this.#parameter(0);
    const rounding = 8 * U * (Math.abs(sum.base) + Math.abs(w0 * this.#part) + 4);
    this.moment =
      relative >= 0 && relative < 0.01
        ? { value, error: 1.02 * relative + rounding }
        : { value: sum.base + w0 * this.#part, error: Infinity };
  }

  /** What a relative error of mu^2 does: ln M'' moves by at most the steepness of the noise times the change of mu. */
  #parameter(y: number): number {
    const { steepness, law } = this.#noise;
    const { muSquared, muError } = law;
    return 0.51 * Math.hypot(this.#w0, y) * steepness * Math.sqrt(muSquared) * muError;
  }

  /** Writes the values at y = first h, ... over that at 0, less 1, with bounds on their errors. */
  fill(h: number, first: number, count: number, { x, y, error }: Ratios): void {
    const sum = this.#sum;
    const turned = this.#w0 > 0 ? 1 : -1;
    for (let k = 0; k < count; k++) {
      const place = (first + k) * h;
      const off = this.moment.error === Infinity ? Infinity : sum.at(place) / this.#at0;
      const total = 1.03 * (off + this.#parameter(place) + this.moment.error) + 16 * U;
      if (!(total < 0.5)) {
        [x[k], y[k], error[k]] = [-1, 0, 1];
        continue;
      }
      // The power is w0 +- iy.
      const turn = turned * place * this.#part;
      const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
      const [re, im] = [sum.re / this.#at0, sum.im / this.#at0];
      x[k] = re * cos - im * sin - 1;
      y[k] = re * sin + im * cos;
      error[k] = total + 8 * U * (Math.abs(turn) + 1);
    }
  }
}
