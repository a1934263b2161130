import { UNIT_ROUNDOFF as U, leadingDigits, nextDown, nextUp } from '../../numeric/rounding.ts';
import { enclosure, midpoint, type Enclosure } from '../../numeric/enclosure.ts';
import { normalTail } from '../../numeric/normal.ts';
import type { Allocation } from './allocation-table.ts';
import { EpochNoise } from './epoch-noise.ts';
import { ALONG, TruncatedNoise } from './truncated-noise.ts';

/** How small what is left out of the integral is, in nats. */
export const DEPTH = 36;
/** Noise further out is left out where no cut is nearer. */
export const REACH = 17;
export const FROM = -REACH - 2;
/** How far e^(sM) turns over the noise on the real axis, and where nodes beyond the last are bounded; and the most that it may. */
const FEW_TURNS = 200;
const MOST_TURNS = 60_000;
const MOST_STEPS = 4000;
/** Exponents by which aliases are bounded, over s0. */
const FURTHER = [1.05, 1.15, 1.3, 1.5, 2, 3];

/** At most ln E[e^(rM)] of a part. */
export interface Exponent {
  readonly r: number;
  readonly log: number;
}

/** The transform of M over s^2, over its largest modulus, at s = s0 + i j h, with what bounds the integral over it. */
export interface Line {
  readonly s0: number;
  readonly h: number;
  readonly logMost: number;
  readonly re: Float64Array;
  readonly im: Float64Array;
  /** The sums of errors, of moduli, and of those times j h. */
  readonly sums: { readonly errors: number; readonly moduli: number; readonly turned: number };
  readonly beyond: number;
  readonly further: readonly Exponent[];
}

/** Noise up to a place without a jump, or with one from there to an end. */
export interface Part {
  readonly place: number;
  readonly end?: number;
}

/** At most ln E[(M - k)+], as u+ <= e^(ru) / (er). */
export const mostBeyond = ({ r, log }: Exponent, k: number): number =>
  log - r * k - 1 - Math.log(r) + 4 * U * (Math.abs(log) + r * k + 1);

/** The values k that a line serves. */
export interface Served {
  readonly least: number;
  readonly most: number;
}

/** M of an epoch whose noise is cut at a place, and E[(M - k)+] of it along lines. */
export class CutNoise {
  readonly #law: Allocation;
  readonly #mu: number;

  constructor(law: Allocation) {
    [this.#law, this.#mu] = [law, Math.sqrt(law.muSquared)];
  }

  /** The place in noise of a share of M. */
  placeOf(ratio: number): number {
    const { batches: t, muSquared } = this.#law;
    return (Math.log(t * ratio) + muSquared / 2) / this.#mu;
  }

  ratioAt(x: number): number {
    const { batches: t, muSquared } = this.#law;
    return Math.exp(this.#mu * x - muSquared / 2) / t;
  }

  noiseOf({ place, end }: Part, turns = FEW_TURNS): EpochNoise {
    return new EpochNoise(this.#law, FROM, place, end, turns);
  }

  lineOf(part: Part, s0: number, { least, most }: Served, work: number): Line | null {
    const fades = this.#fadesFrom(s0, part);
    if (fades === null) return null;
    // Nodes are laid in blocks, of which the last is beyond.
    const turns = FEW_TURNS + 1.1 * fades * this.ratioAt(part.end ?? part.place);
    if (!(turns < MOST_TURNS)) return null;
    const noise = this.noiseOf(part, turns);
    const further = FURTHER.map((more) => momentAt(noise, s0 * more)).filter(({ log }) => log < Infinity);
    momentAt(noise, s0);
    const { logMost } = noise;
    const size = logMost - s0 * most - DEPTH - Math.log(s0);
    const isFar = (period: number): boolean =>
      Math.log(1 + most + period) - s0 * period < size &&
      further.some((exponent) => mostBeyond(exponent, least) - (exponent.r - s0) * period < size);
    let period = 1 / s0;
    for (; !isFar(period); period *= 1.1) if (!(period * fades * turns < work)) return null;
    const h = leadingDigits((2 * Math.PI) / period, 8);
    const count = ALONG * Math.ceil(fades / h / ALONG + 1e-6);
    const place = (count - 1) * h;
    const beyond = (Math.exp(-DEPTH) / Math.PI) * (1 / place + h / place ** 2) * 1.01;
    return { s0, h, logMost, further, beyond, ...nodesOf(noise, s0, h, count) };
  }

  /**
   * A place from which on |Phi(s0 + iy)| is at most e^-DEPTH times that at s0; null where none is known. As (x + p)^t - x^t is p times a sum
   * of products of t - 1 factors x + p or x, it is so where |phi(s0 + iy)| + psi(s0) is at most e^(-DEPTH / (t - 1)) times phi(s0) + psi(s0).
   *
   * Where the density of Y / t times e^(s0 Y / t) falls between two places of the noise its transform is at most twice that at the first
   * over y, so that phi(s0) less what is between them, at least, and that bound it for all y. Nearer to the axis phi without the noise above a
   * place is looked at, step by step: it moves by at most the deviation of Y / t from any constant times the step.
   */
  #fadesFrom(s0: number, { place, end }: Part): number | null {
    const law = this.#law;
    const { batches: t } = law;
    const mu = this.#mu;
    const noiseIn = (from: number, to: number) => new TruncatedNoise(law, from, to, FEW_TURNS);
    const parts = end === undefined ? [noiseIn(FROM, place)] : [noiseIn(FROM, place), noiseIn(place, end)];
    const off = parts.reduce((sum, part) => sum + Math.exp(part.logError(s0, s0, s0, 0, 0, 0)), 0);
    const whole = parts.reduce((sum, part) => sum + Math.exp(part.tilted(s0, 0).log), 0) * (1 + 1e-9);
    if (!(off < 1e-10 * whole)) return null;
    const faded = Math.exp(-DEPTH / (t - 1));
    const probability = (x: number): number => midpoint(normalTail(x));
    let known = Infinity;
    for (let a = 0.25 - mu; a < place; a += 0.25) {
      const b = Math.min(place, this.placeOf((a + mu) / (s0 * mu)));
      const mass = Math.exp(s0 * this.ratioAt(a)) * (probability(a) - probability(b));
      const gain = mass * (1 - 1e-9) - whole * (1 - faded) * 1.0001;
      const density = Math.exp(s0 * this.ratioAt(a) - (a * a) / 2) / Math.sqrt(2 * Math.PI) / (mu * this.ratioAt(a));
      if (b > a && gain > 0) known = Math.min(known, ((2 * density) / gain) * 1.0001);
    }
    if (known === Infinity) return null;
    const noise = noiseIn(FROM, Math.min(place, this.placeOf(FEW_TURNS / known)));
    const { log, mean, variance } = noise.tilted(s0, 0);
    if (!(variance > 1e-9 * mean * mean)) return null;
    const [bulk, steepness] = [Math.exp(log), Math.exp(log) * Math.sqrt(variance) * 1.001];
    const logError = noise.logError(s0, Math.hypot(s0, known), s0, 0, 0, 0);
    const enough = whole * faded - Math.max(0, whole - bulk) - 1e-8 * bulk - 2 * Math.exp(logError);
    let fades = s0;
    for (let [y, step] = [s0, 0]; y < known; step++) {
      if (step > MOST_STEPS) return null;
      noise.at(s0, y, 0, 0);
      const gain = enough - Math.exp(noise.modulus) - bulk * noise.rounded;
      if (gain > 0) y += gain / steepness;
      else y = fades = y * 1.05;
    }
    return fades;
  }
}

/** About where E[e^(sM)] e^(-sk) / s^2 is least on the real axis. */
export function saddlePoint(noise: EpochNoise, k: number): number {
  const isBeyond = (s: number): boolean => !(noise.tilted(s, 0).mean - 2 / s < k);
  let [low, high] = [0, 2 / k];
  while (!isBeyond(high)) [low, high] = [high, 2 * high];
  while (high - low > 1e-3 * high) {
    const middle = (low + high) / 2;
    if (isBeyond(middle)) high = middle;
    else low = middle;
  }
  return leadingDigits(low, 12);
}

export function momentAt(noise: EpochNoise, r: number): Exponent {
  noise.within(r, r, r, 0, 0, 0);
  noise.at(r, 0, 0, 0);
  const log = noise.logMost + Math.log1p(noise.error) + 1e-9;
  return { r, log: Number.isNaN(log) ? Infinity : log };
}

/** The nodes of a line, the first of which counts half. */
function nodesOf(noise: EpochNoise, s0: number, h: number, count: number): Pick<Line, 're' | 'im' | 'sums'> {
  const [re, im] = [new Float64Array(count), new Float64Array(count)];
  const sums = { errors: 0, moduli: 0, turned: 0 };
  noise.lay(h);
  for (let j = 0; j < count; j++) {
    const m = j % ALONG;
    const start = (j - m) * h;
    if (m === 0) noise.within(s0, Math.hypot(s0, start + ALONG * h), s0, 0, 0, 0);
    noise.along(s0, start, 0, 0, m);
    const y = j * h;
    const square = s0 * s0 + y * y;
    const share = (j === 0 ? 0.5 : 1) / square ** 2;
    const [p, q] = [share * (s0 * s0 - y * y), share * (-2 * s0 * y)];
    re[j] = noise.re * p - noise.im * q;
    im[j] = noise.re * q + noise.im * p;
    const modulus = Math.hypot(re[j]!, im[j]!);
    sums.errors += noise.error / square + 16 * U * modulus;
    sums.moduli += modulus;
    sums.turned += modulus * y;
  }
  return { re, im, sums };
}

/** E[(M - k)+] of a part, by the integral along its line. */
export function alongLine({ s0, h, logMost, re, im, sums, beyond, further }: Line, k: number): Enclosure {
  // Blocks of nodes have the same turns after their first.
  const turns = Array.from({ length: ALONG }, (_, m) => m * h * k);
  const [cos, sin] = [Float64Array.from(turns, Math.cos), Float64Array.from(turns, Math.sin)];
  let total = 0;
  for (let start = 0; start < re.length; start += ALONG) {
    let [level, upright] = [0, 0];
    for (let m = 0; m < ALONG; m++) {
      const [x, y, c, s] = [re[start + m]!, im[start + m]!, cos[m]!, sin[m]!];
      level += x * c + y * s;
      upright += y * c - x * s;
    }
    const turn = start * h * k;
    total += level * Math.cos(turn) + upright * Math.sin(turn);
  }
  const off = sums.errors + U * (2 * k * sums.turned + (re.length + 64) * sums.moduli);
  const size = Math.exp(logMost - s0 * k);
  const value = (size * h * total) / Math.PI;
  const rounding = 4 * U * (Math.abs(logMost) + s0 * k + 4);
  const period = (2 * Math.PI) / h;
  // The trapezoid rule adds E[(M - K - jP)+] e^(s0 jP) for all whole j but 0: below 0 at most 1 + |K + jP| times that.
  const damped = Math.exp(-s0 * period);
  const below = ((1 + k + period) * damped) / (1 - damped) ** 2;
  const above = further.reduce((least, exponent) => {
    const move = (s0 - exponent.r) * period;
    return Math.min(least, Math.exp(mostBeyond(exponent, k) + move) / -Math.expm1(move));
  }, Infinity);
  const most = ((size * h * off) / Math.PI + size * beyond + Math.abs(value) * rounding + above + below) * (1 + 1e-9);
  return enclosure(nextDown(value - most), nextUp(value + most));
}
