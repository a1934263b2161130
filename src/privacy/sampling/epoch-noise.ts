import { logExpm1 } from '../../numeric/contour/composed-loss.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { Allocation } from './allocation-table.ts';
import { TruncatedNoise } from './truncated-noise.ts';

/** An epoch at a real place: ln of its integral, and mean and variance of M under the tilt. */
interface Tilted {
  readonly log: number;
  readonly mean: number;
  readonly variance: number;
}

/** A ratio of jumps to the rest from which on a power is no small change. */
const LARGE = 0.5;
const OVERFLOW = 300;

/**
 * E_Q[e^(s M - w mu mean(x))] of an epoch where the noise x of all batches is at most `cut`, phi^t; or where it is at most `to`, and that of at
 * least one batch, a jump, is more than `cut`: (phi + psi)^t - phi^t, psi as phi between the two places. All of it is at least `from`.
 */
export class EpochNoise {
  readonly law: Allocation;
  readonly #ends: readonly [from: number, to: number];
  readonly #rest: TruncatedNoise;
  readonly #jump: TruncatedNoise | null;
  #logErrors = [-Infinity, -Infinity];
  /** ln of that integral of the modulus, the value over it, and a bound on its error. */
  logMost = 0;
  re = 0;
  im = 0;
  error = 0;

  /**
   * @param jumpsTo - absent: without jumps
   * @param turns - see {@link TruncatedNoise}
   */
  constructor(law: Allocation, from: number, cut: number, jumpsTo?: number, turns?: number) {
    this.law = law;
    this.#ends = [from, jumpsTo ?? cut];
    this.#rest = new TruncatedNoise(law, from, cut, turns);
    this.#jump = jumpsTo === undefined ? null : new TruncatedNoise(law, cut, jumpsTo, turns);
  }

  /** |ln M - mu mean(x)| moves by at most this times a change of mu. */
  get steepness(): number {
    const [from, to] = this.#ends;
    return 2 * (to - from) + 2 * Math.sqrt(this.law.muSquared);
  }

  /** Where it is asked for next; see {@link TruncatedNoise.logError}. */
  within(...region: Parameters<TruncatedNoise['logError']>): void {
    this.#logErrors = [this.#rest, this.#jump].map((noise) => noise?.logError(...region) ?? -Infinity);
  }

  /**
   * Where phi and psi are off by at most e and e' of the integrals of their moduli, of ratio r, the value, a polynomial in them with positive
   * coefficients of degree t, is off by at most (1 + e)^t (1 + e')^k - 1 of that of those, k = t q / (1 + q) / (1 - (1 + q)^-t) the logarithmic
   * derivative of (1 + q)^t - 1 at q = r (1 + e'), which increases.
   */
  at(sRe: number, sIm: number, wRe: number, wIm: number): void {
    this.#rest.at(sRe, sIm, wRe, wIm);
    this.#jump?.at(sRe, sIm, wRe, wIm);
    this.#compose();
  }

  /** See {@link TruncatedNoise.lay}. */
  lay(h: number): void {
    this.#rest.lay(h);
    this.#jump?.lay(h);
  }

  along(sRe: number, sIm: number, wRe: number, wIm: number, m: number): void {
    this.#rest.along(sRe, sIm, wRe, wIm, m);
    this.#jump?.along(sRe, sIm, wRe, wIm, m);
    this.#compose();
  }

  #compose(): void {
    const { batches: t } = this.law;
    const [rest, jump] = [this.#rest, this.#jump];
    const off = (noise: TruncatedNoise, i: number): number =>
      Math.exp(this.#logErrors[i]! - noise.logMost) + noise.rounded + 8 * U;
    const own = t * (rest.modulus - rest.logMost);
    if (jump === null) {
      this.logMost = t * rest.logMost;
      const modulus = this.#write(own, t * rest.angle);
      this.error = Math.expm1(t * off(rest, 0)) + modulus * 8 * U * (Math.abs(own) + t * Math.abs(rest.angle));
      return;
    }
    this.logMost = t * rest.logMost + logExpm1(t * Math.log1p(Math.exp(jump.logMost - rest.logMost)));
    const rounding = 8 * U * (Math.abs(rest.modulus) + Math.abs(jump.modulus) + 8);
    const offJump = off(jump, 1) + rounding;
    const most = Math.exp(jump.logMost - rest.logMost) * (1 + offJump);
    const power = (t * most) / (1 + most) / -Math.expm1(-t * Math.log1p(most));
    const share = Math.exp(jump.modulus - rest.modulus);
    const turn = jump.angle - rest.angle;
    const [x, y] = [share * Math.cos(turn), share * Math.sin(turn)];
    // ln(1 + r), r = psi / phi, and its rounding, over |r| as far as it is small.
    const log = share > LARGE ? Math.log((1 + x) ** 2 + y * y) / 2 : Math.log1p(2 * x + x * x + y * y) / 2;
    const angle = Math.atan2(y, 1 + x);
    const small = Math.min(1, 2 * share) + (share > LARGE ? Math.abs(log) : 0);
    const level = t * rest.modulus - this.logMost;
    const [grown, turned] = [t * log, t * angle];
    // e^(grown + i turned) - 1.
    const half = Math.sin(turned / 2);
    const [p, q] = [Math.expm1(grown) * Math.cos(turned) - 2 * half * half, Math.exp(grown) * Math.sin(turned)];
    const size = Math.hypot(p, q);
    const whole = size > 0 ? level + Math.log(size) : -Infinity;
    this.#write(whole, t * rest.angle + Math.atan2(q, p));
    // As of phi^t times what its power is multiplied by, or 1.
    const largest = Math.exp(level + Math.max(0, grown));
    this.error =
      Math.expm1(t * off(rest, 0) + power * offJump * (1 + 1e-9)) +
      largest * U * (t * small * 64 + 16 * Math.min(1, Math.abs(grown) + Math.abs(turned))) +
      Math.exp(whole) * 8 * U * (Math.abs(whole) + Math.abs(this.logMost) + t * Math.abs(rest.angle) + 8);
  }

  /** Writes e^(log + i angle); returns its modulus. */
  #write(log: number, angle: number): number {
    const modulus = Math.exp(log);
    this.re = modulus * Math.cos(angle);
    this.im = modulus * Math.sin(angle);
    return modulus;
  }

  /** At s, w real. */
  tilted(s: number, w: number): Tilted {
    const { batches: t } = this.law;
    const { log, mean: a, variance } = this.#rest.tilted(s, w);
    if (this.#jump === null) return { log: t * log, mean: t * a, variance: t * variance };
    const jump = this.#jump.tilted(s, w);
    // Next to all are jumps.
    if (jump.log - log > OVERFLOW) return { log: t * jump.log, mean: t * jump.mean, variance: t * jump.variance };
    // psi / phi, the ratios of the first two derivatives of both to phi, and of powers to the whole.
    const r = Math.exp(jump.log - log);
    const rate = Math.log1p(r);
    const [b, b2, a2] = [r * jump.mean, r * (jump.variance + jump.mean ** 2), variance + a * a];
    const isLarge = t * rate > OVERFLOW;
    const whole = Math.expm1(t * rate);
    const power = (k: number): number => (isLarge ? Math.exp((k - t) * rate) : Math.exp(k * rate) / whole);
    const excess = (k: number): number => (isLarge ? power(k) : Math.expm1(k * rate) / whole);
    const mean = t * (excess(t - 1) * a + power(t - 1) * b);
    const second =
      t * (t - 1) * (excess(t - 2) * a * a + power(t - 2) * (2 * a * b + b * b)) +
      t * (excess(t - 1) * a2 + power(t - 1) * b2);
    return { log: t * log + logExpm1(t * rate), mean, variance: Math.max(0, second - mean * mean) };
  }
}
