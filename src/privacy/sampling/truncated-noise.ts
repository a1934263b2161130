import { GAUSS_LEGENDRE_16, logErrorOfGaussLegendre16 } from '../../numeric/gauss-legendre.ts';
import { logNormalTail } from '../../numeric/normal.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { Allocation } from './allocation-table.ts';

/** Half of a panel, at most, and over 1 / mu; to the right, where e^(s Y / t) grows; ellipses by which their errors are bounded. */
const HALF_PANEL = 0.8;
const RIGHT = [
  [3, HALF_PANEL],
  [5.5, 0.4],
  [Infinity, 0.25],
] as const;
const ELLIPSES = [2, 3, 4, 5, 7, 10];
/** Below 0 noise is cut off so much further out. */
const FURTHER = 2;

interface Panel {
  readonly middle: number;
  readonly half: number;
}

/**
 * The integral of e^(s Y / t - w mu x / t) over the noise x of one batch, normal under Q, from -reach - 2 to reach; Y = e^(mu x - mu^2 / 2).
 * Its t-th power is E_Q[e^(s M - w mu mean(x))] where all noise is in that range.
 */
export class TruncatedNoise {
  readonly #law: Allocation;
  readonly #ends: readonly [number, number];
  readonly #panels: Panel[];
  readonly #log: Float64Array;
  readonly #ratio: Float64Array;
  readonly #shift: Float64Array;
  readonly #rough: Float64Array;
  readonly #roughRatio: Float64Array;
  readonly #roughShift: Float64Array;
  /** ln of the modulus of the integral, its angle, ln of the integral of the moduli, and the rounding error relative to that. */
  modulus = 0;
  angle = 0;
  logMost = 0;
  rounded = 0;

  constructor(law: Allocation, reach: number) {
    const { batches, muSquared } = law;
    const mu = Math.sqrt(muSquared);
    this.#law = law;
    this.#ends = [-reach - FURTHER, reach];
    const laid = (from: number, to: number, most: number): Panel[] => {
      const count = Math.ceil((to - from) / (2 * Math.min(most, 1 / mu)));
      const half = (to - from) / count / 2;
      return Array.from({ length: count }, (_, i) => ({ middle: from + (2 * i + 1) * half, half }));
    };
    this.#panels = laid(this.#ends[0], 0, HALF_PANEL);
    for (let [from, i] = [0, 0]; from < reach; i++) {
      const to = Math.min(reach, RIGHT[i]![0]);
      this.#panels.push(...laid(from, to, RIGHT[i]![1]));
      from = to;
    }
    const nodes = this.#panels.flatMap(({ middle, half }) =>
      GAUSS_LEGENDRE_16.map(({ x, weight }) => ({ x: middle + half * x, weight: half * weight })),
    );
    this.#log = Float64Array.from(nodes, ({ x, weight }) => Math.log(weight / Math.sqrt(2 * Math.PI)) - (x * x) / 2);
    this.#ratio = Float64Array.from(nodes, ({ x }) => Math.exp(mu * x - muSquared / 2) / batches);
    this.#shift = Float64Array.from(nodes, ({ x }) => (mu * x) / batches);
    // A place is off by four roundings of itself and of a panel, which moves all exponents.
    this.#rough = Float64Array.from(nodes, ({ x }) => 8 + 4 * Math.abs(x) * (2 * Math.abs(x) + 1));
    this.#roughRatio = this.#ratio.map(
      (ratio, i) => ratio * (8 + 4 * mu * (Math.abs(nodes[i]!.x) + 1) + 2 * muSquared),
    );
    this.#roughShift = this.#shift.map((shift) => 6 * Math.abs(shift) + (4 * mu) / batches);
  }

  get muSquared(): number {
    return this.#law.muSquared;
  }

  /** |ln M - mu mean(x)| moves by at most this times a change of mu. */
  get steepness(): number {
    return 2 * (this.#ends[1] - this.#ends[0]) + 2 * Math.sqrt(this.#law.muSquared);
  }

  /** At most the probability, under either distribution, that some noise is out of range. */
  get lost(): number {
    const { batches: t, muSquared } = this.#law;
    const mu = Math.sqrt(muSquared);
    const beyond = (x: number): number => Math.exp(logNormalTail(Math.max(0, x * (1 - 1e-12))).upper);
    const [below, above] = [-this.#ends[0], this.#ends[1]];
    return (beyond(above - mu) + t * (beyond(above) + beyond(below - mu / t))) * (1 + 1e-9);
  }

  at(sRe: number, sIm: number, wRe: number, wIm: number): void {
    const [log, ratio, shift, rough] = [this.#log, this.#ratio, this.#shift, this.#rough];
    const size = GAUSS_LEGENDRE_16.length;
    // Scaled by the largest term, about: that of least exponent would underflow first.
    let base = -Infinity;
    for (let i = 0; i < log.length; i++) base = Math.max(base, log[i]! + sRe * ratio[i]! - wRe * shift[i]!);
    const [roughRatio, roughShift] = [this.#roughRatio, this.#roughShift];
    const [sSize, wSize] = [Math.abs(sRe) + Math.abs(sIm), Math.abs(wRe) + Math.abs(wIm)];
    let [re, im, most, off] = [0, 0, 0, 0];
    for (let start = 0; start < log.length; start += size) {
      let [panelRe, panelIm] = [0, 0];
      for (let i = start; i < start + size; i++) {
        const modulus = Math.exp(log[i]! + sRe * ratio[i]! - wRe * shift[i]! - base);
        const turn = sIm * ratio[i]! - wIm * shift[i]!;
        panelRe += modulus * Math.cos(turn);
        panelIm += modulus * Math.sin(turn);
        most += modulus;
        off += modulus * (rough[i]! + sSize * roughRatio[i]! + wSize * roughShift[i]!);
      }
      re += panelRe;
      im += panelIm;
    }
    this.modulus = base + Math.log(re * re + im * im) / 2;
    this.angle = Math.atan2(im, re);
    this.logMost = base + Math.log(most);
    this.rounded = U * (size + log.length / size + 16 + Math.abs(base) * 4 + off / most);
  }

  /** The mean of Y / t and its variance under the tilt that the last place gives, real; see {@link at}. */
  tilted(s: number, w: number): { readonly log: number; readonly mean: number; readonly variance: number } {
    const [log, ratio, shift] = [this.#log, this.#ratio, this.#shift];
    let [base, sum, first, second] = [-Infinity, 0, 0, 0];
    for (let i = 0; i < log.length; i++) base = Math.max(base, log[i]! + s * ratio[i]! - w * shift[i]!);
    for (let i = 0; i < log.length; i++) {
      const term = Math.exp(log[i]! + s * ratio[i]! - w * shift[i]! - base);
      sum += term;
      first += term * ratio[i]!;
      second += term * ratio[i]! * ratio[i]!;
    }
    const mean = first / sum;
    return { log: base + Math.log(sum), mean, variance: Math.max(0, second / sum - mean * mean) };
  }

  /**
   * ln of a bound on the error of the quadrature at all s = |s| e^(+- ia), `near` <= |s| <= `far`, 0 <= a <= `angle`. On an ellipse of height
   * b the modulus is at most e^((b^2 - x^2) / 2 + g Y / t - Re w mu x / t + |Im w| mu b / t), g the largest |s| cos(a +- mu b).
   */
  logError(near: number, far: number, least: number, angle: number, wRe: number, wIm: number): number {
    const { batches: t, muSquared } = this.#law;
    const mu = Math.sqrt(muSquared);
    let sum = 0;
    const isPositive = least > 0;
    for (const { middle, half } of this.#panels) {
      let best = Infinity;
      for (const rho of ELLIPSES) {
        const [wide, high] = [(half * (rho + 1 / rho)) / 2, (half * (rho - 1 / rho)) / 2];
        const [from, to] = [middle - wide, middle + wide];
        const turn = Math.min(Math.PI / 2, mu * high);
        const nearest = from > 0 ? from : to < 0 ? to : 0;
        // Re (s e^(+- i mu b)), s to the right of the axis or to the left of it.
        const cos = isPositive ? 0 : Math.cos(Math.min(Math.PI, angle + mu * high));
        const g = isPositive
          ? least + Math.sqrt(Math.max(0, far * far - least * least)) * Math.sin(turn)
          : cos > 0
            ? -near * cos
            : -far * cos;
        const ratio = Math.exp(mu * (g > 0 ? to : from) - muSquared / 2) / t;
        const log =
          (high * high - nearest * nearest) / 2 +
          g * ratio +
          (Math.max(-wRe * from, -wRe * to) + Math.abs(wIm) * high) * (mu / t) +
          logErrorOfGaussLegendre16(rho);
        best = Math.min(best, log);
      }
      sum += half * Math.exp(Math.min(700, best));
    }
    return Math.log(sum) + 1e-6;
  }
}
