import { ellipse, GAUSS_LEGENDRE_16 } from '../../numeric/gauss-legendre.ts';
import { logNormalTail } from '../../numeric/normal.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { Allocation } from './allocation-table.ts';

/** Half of a panel between two places, at most, and over 1 / mu: less where e^(s Y / t) grows. Ellipses by which their errors are bounded. */
const PANELS = [
  [-Infinity, 0, 0.8],
  [0, 3, 0.8],
  [3, 5.5, 0.4],
  [5.5, Infinity, 0.25],
] as const;
/** How often e^(s Y / t) turns, about, as far as it counts, and in half of a panel. */
const TURNS = 150;
const TURNED = 4;
const ELLIPSES = [2, 3, 4, 5, 7, 10].map(ellipse);
/** Panels at either end are left out where together they have no more of the moduli: less than rounding. */
const FADED = 2 ** -60;
interface Panel {
  readonly middle: number;
  readonly half: number;
}

/** Panels over each of which the phase of e^(s Y / t) turns about as much as over the last; it turns so often before the end. */
function gradedPanels(mu: number, from: number, to: number, turns: number): Panel[] {
  const panels: Panel[] = [];
  for (let right = to; right > from;) {
    const half = Math.min(0.25, 1 / mu, TURNED / mu / (1 + turns * Math.exp(mu * (right - to))));
    const left = right - 2.5 * half < from ? from : right - 2 * half;
    panels.push({ middle: left + (right - left) / 2, half: (right - left) / 2 });
    right = left;
  }
  return panels;
}

/** So many places are turned from one. */
export const ALONG = 32;

/** At most the probability, under either distribution, that the noise of some batch is not between two places, one below 0 and one above. */
export function outsideOf({ batches: t, muSquared }: Allocation, from: number, to: number): number {
  const mu = Math.sqrt(muSquared);
  const beyond = (x: number): number => Math.exp(logNormalTail(Math.max(0, x * (1 - 1e-12))).upper);
  return Math.min(1, beyond(to - mu) + t * (beyond(to) + beyond(-from - mu / t))) * (1 + 1e-9);
}

/**
 * The integral of e^(s Y / t - w mu x / t) over the noise x of one batch, normal under Q, between two places; Y = e^(mu x - mu^2 / 2).
 */
export class TruncatedNoise {
  readonly #law: Allocation;
  readonly #panels: Panel[];
  readonly #log: Float64Array;
  readonly #ratio: Float64Array;
  readonly #shift: Float64Array;
  readonly #rough: Float64Array;
  readonly #roughRatio: Float64Array;
  readonly #roughShift: Float64Array;
  readonly #modulus: Float64Array;
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  /** By m h at each node, m by m: the first by nothing. */
  #turns: { readonly cos: Float64Array; readonly sin: Float64Array };
  #re = 0;
  #im = 0;
  #h = 0;
  #sRe = NaN;
  #wRe = NaN;
  #base = 0;
  /** The nodes that are not left out. */
  #from = 0;
  #to = 0;
  #off: readonly number[] = [];
  /** ln of the modulus of the integral, its angle, ln of the integral of the moduli, and the rounding error relative to that. */
  modulus = 0;
  angle = 0;
  logMost = 0;
  rounded = 0;

  /** @param turns - how far e^(s Y / t) turns up to the end; absent: as far as it counts in a moment */
  constructor(law: Allocation, from: number, to: number, turns?: number) {
    const { batches, muSquared } = law;
    const mu = Math.sqrt(muSquared);
    this.#law = law;
    this.#panels =
      from > 0 || turns !== undefined
        ? gradedPanels(mu, from, to, turns ?? TURNS)
        : PANELS.flatMap(([first, last, most]) => {
            const [left, right] = [Math.max(first, from), Math.min(last, to)];
            if (!(left < right)) return [];
            const count = Math.ceil((right - left) / (2 * Math.min(most, 1 / mu)));
            const half = (right - left) / count / 2;
            return Array.from({ length: count }, (_, i) => ({ middle: left + (2 * i + 1) * half, half }));
          });
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
    [this.#modulus, this.#cos, this.#sin] = [nodes, nodes, nodes].map(({ length }) => new Float64Array(length)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    this.#turns = { cos: new Float64Array(nodes.length).fill(1), sin: new Float64Array(nodes.length) };
    this.#roughShift = this.#shift.map((shift) => 6 * Math.abs(shift) + (4 * mu) / batches);
  }

  /** The moduli at a real part of s and w, over that of the largest term: that of least exponent would underflow first. */
  #weigh(sRe: number, wRe: number): void {
    if (this.#sRe === sRe && this.#wRe === wRe) return;
    [this.#sRe, this.#wRe] = [sRe, wRe];
    const [log, ratio, shift, modulus] = [this.#log, this.#ratio, this.#shift, this.#modulus];
    let [base, most] = [-Infinity, 0];
    for (let i = 0; i < log.length; i++) base = Math.max(base, log[i]! + sRe * ratio[i]! - wRe * shift[i]!);
    const off = [0, 0, 0];
    const rough = [this.#rough, this.#roughRatio, this.#roughShift];
    for (let i = 0; i < log.length; i++) {
      const own = Math.exp(log[i]! + sRe * ratio[i]! - wRe * shift[i]! - base);
      modulus[i] = own;
      most += own;
      for (let k = 0; k < 3; k++) off[k]! += own * rough[k]![i]!;
    }
    this.logMost = base + Math.log(most);
    this.#base = base;
    this.#fade(most);
    this.#off = off.map((sum) => sum / most);
  }

  /** Leaves out the panels at both ends that have next to nothing of the moduli. */
  #fade(most: number): void {
    const modulus = this.#modulus;
    const size = GAUSS_LEGENDRE_16.length;
    const enough = FADED * most;
    let [from, to, left] = [0, modulus.length, 0];
    const ofPanel = (first: number): number => {
      let sum = 0;
      for (let i = first; i < first + size; i++) sum += modulus[i]!;
      return sum;
    };
    for (let own = ofPanel(from); left + own <= enough; own = ofPanel(from)) [left, from] = [left + own, from + size];
    for (let own = ofPanel(to - size); left + own <= enough; own = ofPanel(to - size))
      [left, to] = [left + own, to - size];
    [this.#from, this.#to] = [from, to];
  }

  /** Writes the integral from the sum over the nodes, |Im s| and |Im w| being at most so much. */
  #write(sIm: number, wIm: number): void {
    const [re, im] = [this.#re, this.#im];
    const [sSize, wSize] = [Math.abs(this.#sRe) + sIm, Math.abs(this.#wRe) + wIm];
    const [own, ofRatio, ofShift] = this.#off as [number, number, number];
    const [base, panels] = [this.#base, this.#panels.length];
    this.modulus = base + Math.log(re * re + im * im) / 2;
    this.angle = Math.atan2(im, re);
    const off = own + sSize * ofRatio + wSize * ofShift;
    this.rounded = U * (GAUSS_LEGENDRE_16.length + panels + 32 + Math.abs(base) * 4 + off) + 2 * FADED;
  }

  /** Writes the sum over the nodes, panel by panel, turned by the cosines and sines from a place on. */
  #sum(start: number): void {
    const size = GAUSS_LEGENDRE_16.length;
    const { cos, sin } = this.#turns;
    const [a, b] = [this.#cos, this.#sin];
    let [re, im] = [0, 0];
    for (let first = this.#from; first < this.#to; first += size) {
      let panelRe = 0;
      let panelIm = 0;
      for (let i = first; i < first + size; i++) {
        const x = a[i]!;
        const y = b[i]!;
        const p = cos[start + i]!;
        const q = sin[start + i]!;
        panelRe += x * p - y * q;
        panelIm += x * q + y * p;
      }
      re += panelRe;
      im += panelIm;
    }
    [this.#re, this.#im] = [re, im];
  }

  /** The terms at a place. */
  #turn(sIm: number, wIm: number): void {
    const [ratio, shift, modulus, cos, sin] = [this.#ratio, this.#shift, this.#modulus, this.#cos, this.#sin];
    for (let i = this.#from; i < this.#to; i++) {
      const turn = sIm * ratio[i]! - wIm * shift[i]!;
      cos[i] = modulus[i]! * Math.cos(turn);
      sin[i] = modulus[i]! * Math.sin(turn);
    }
  }

  at(sRe: number, sIm: number, wRe: number, wIm: number): void {
    this.#weigh(sRe, wRe);
    this.#turn(sIm, wIm);
    this.#sum(0);
    this.#write(Math.abs(sIm), Math.abs(wIm));
  }

  /** Prepares {@link along} for places so far apart. */
  lay(h: number): void {
    if (h === this.#h) return;
    const [ratio, count] = [this.#ratio, this.#ratio.length];
    this.#h = h;
    const [cos, sin] = [new Float64Array(ALONG * count), new Float64Array(ALONG * count)];
    this.#turns = { cos, sin };
    for (let m = 0; m < ALONG; m++) {
      for (let i = 0; i < count; i++) {
        cos[m * count + i] = Math.cos(m * h * ratio[i]!);
        sin[m * count + i] = Math.sin(m * h * ratio[i]!);
      }
    }
  }

  /** As {@link at}, at s + i h m, m from 0 to less than ALONG in this order: what is shared is computed where m is 0. */
  along(sRe: number, sIm: number, wRe: number, wIm: number, m: number): void {
    if (m === 0) {
      this.#weigh(sRe, wRe);
      this.#turn(sIm, wIm);
    }
    this.#sum(m * this.#modulus.length);
    this.#write(Math.abs(sIm) + ALONG * this.#h, Math.abs(wIm));
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
      for (const { along, across, logError } of ELLIPSES) {
        const [wide, high] = [half * along, half * across];
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
          logError;
        best = Math.min(best, log);
      }
      sum += half * Math.exp(best);
    }
    return Math.log(sum) + 1e-6;
  }
}
