import { toDouble, type DoubleDouble } from '../../numeric/double-double.ts';
import { enclosure, exactly, midpoint, type Enclosure } from '../../numeric/enclosure.ts';
import { add, exponential, expm1, multiply, negate, subtract, times } from '../../numeric/enclosure-arithmetic.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import { logNormalTail, normalTail } from '../../numeric/normal.ts';
import { leadingDigits, nextDown, nextUp, UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { aboutNormalLoss, solveEpsilon } from '../finite-loss-curve.ts';
import type { Allocation } from './allocation-table.ts';
import { EpochNoise } from './epoch-noise.ts';
import { ALONG, outsideOf, TruncatedNoise } from './truncated-noise.ts';

/** How small what is left out of the integral is, in nats. */
const DEPTH = 36;
/** Noise further out is left out where no cut is nearer. */
const REACH = 17;
const FROM = -REACH - 2;
/** Cuts are multiples of this. */
const GRID = 2 ** -6;
/** A jump is from such a share of e^epsilon - 1 on. */
const JUMP = 1 / 4;
/** A line for jumps is no further from the axis than this over e^epsilon: there two of them would count. */
const OF_JUMPS = 12;
/** Tables serve losses this near to each other, over mu, and over the deviation of the loss. */
const SERVED = 1 / 8;
/** How far e^(sM) turns over the noise on the real axis, and where nodes beyond the last are bounded; and the most that it may. */
const FEW_TURNS = 200;
const MOST_TURNS = 60_000;
/** A line has at most so many nodes times turns, times 2 pi: what takes some tenths of a second, and some seconds. */
export const QUICK = 2e8;
export const PATIENT = 3e9;
const MOST_STEPS = 4000;
/** Exponents by which aliases are bounded, over s0. */
const FURTHER = [1.05, 1.15, 1.3, 1.5, 2, 3];
/** Beyond this e^epsilon, and for more batches, nothing is computed. */
const MOST_K = 1e100;
const MOST_BATCHES = 1e6;
const KEPT = 8;

/** At most ln E[e^(rM)] of a part. */
interface Exponent {
  readonly r: number;
  readonly log: number;
}

/** The transform of M over s^2, over its largest modulus, at s = s0 + i j h, with what bounds the integral over it. */
interface Line {
  readonly s0: number;
  readonly h: number;
  readonly logMost: number;
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly error: Float64Array;
  readonly beyond: number;
  readonly further: readonly Exponent[];
}

/** Of noise up to a cut: the integrals along lines, and what bounds parts that are too small to be computed. */
interface Table {
  readonly cut: number;
  readonly lines: readonly Line[];
  readonly small: readonly Exponent[];
}

/** Noise up to a place without a jump, or with one from there to an end. */
interface Part {
  readonly place: number;
  readonly end?: number;
}

/** At most ln E[(M - k)+], as u+ <= e^(ru) / (er). */
const mostBeyond = ({ r, log }: Exponent, k: number): number =>
  log - r * k - 1 - Math.log(r) + 4 * U * (Math.abs(log) + r * k + 1);

/**
 * The curve of a removal in one epoch of random allocation: delta = E_Q[(M - K)+], K = e^epsilon, M the mean over t batches of
 * Y_i = e^(mu x_i - mu^2 / 2).
 *
 * Let the noise of one batch be cut where Y / t is at least K. Where some x is above the cut M - K is positive, and its mean there is known in
 * closed form: with F the probability of x below the cut and m that part of E[Y],
 *
 *     1 - F^(t - 1) m - K (1 - F^t).
 *
 * Where none is, M has all exponential moments, and with phi and psi the parts of E[e^(s Y / t)] below a place and from there to the cut
 *
 *     E[(M - K)+] = 1 / (2 pi i) times the integral of Phi(s) e^(-sK) / s^2 over Re s = s0 > 0,
 *
 * Phi = phi^t without a jump, (phi + psi)^t - phi^t with one: each with a line of its own, as one batch alone or all together make M large.
 *
 * Source: derived.
 */
export class SingleEpoch {
  readonly #law: Allocation;
  readonly #work: number;
  readonly #mu: number;
  /** About that of the loss where no batch is far out. */
  readonly #deviation: number;
  readonly #served: number;
  readonly #tables = new LruCache<{ readonly table: Table | null }>(KEPT);

  /** @param work - how many nodes times turns a line has at most, {@link QUICK} or {@link PATIENT} */
  constructor(law: Allocation, work: number) {
    const { batches: t, muSquared } = law;
    [this.#law, this.#work] = [law, work];
    this.#mu = Math.sqrt(muSquared);
    this.#deviation = Math.sqrt(Math.log1p(Math.expm1(muSquared) / t));
    this.#served = 2 ** Math.floor(Math.log2(Math.min(SERVED * this.#mu, this.#deviation)));
  }

  /** Encloses ln delta at an epsilon >= 0: between -Infinity and 0 where nothing is known. */
  logDelta(epsilon: DoubleDouble): Enclosure {
    const { muSquared, muError } = this.#law;
    const table = this.#tableAt(toDouble(epsilon));
    if (table === null) return enclosure(-Infinity, 0);
    // An error of mu moves every ln Y by at most this, as one of e^epsilon moves ln M.
    const reach = REACH + 2 + this.#mu;
    const moved = (this.#mu * (muError / 2 + 2 * U) * reach + muSquared * U + 16 * U) * 1.01;
    const middle = Math.exp(epsilon.high) * (1 + epsilon.low);
    const lost = outsideOf(this.#law, FROM, REACH) * 1.01;
    const upper = this.#delta(table, middle * (1 - moved)).upper * (1 + 2 * moved) + lost;
    const lower = this.#delta(table, middle * (1 + moved)).lower * (1 - 2 * moved) - lost;
    const rounded = (log: number): number => 8 * U * (1 + Math.abs(log));
    if (Number.isNaN(lower + upper)) return enclosure(-Infinity, 0);
    const [least, most] = [lower > 0 ? Math.log(lower) : -Infinity, Math.log(upper)];
    return enclosure(least - rounded(least), Math.min(0, most + rounded(most)));
  }

  /** Encloses the smallest epsilon >= 0 with ln delta at most the target; where nothing is known near it, from 0 to Infinity. */
  epsilon(target: Enclosure): Enclosure {
    const about = this.#about(midpoint(target));
    if (this.#tableAt(about) === null) return enclosure(0, Infinity);
    return solveEpsilon({ maximum: null, logDelta: (epsilon) => this.logDelta(epsilon), about: () => about }, target);
  }

  /** About the epsilon of ln delta, as of one batch alone that is above the cut, or of a normal loss of all together. */
  #about(logDelta: number): number {
    const target = Math.exp(logDelta);
    let [low, high] = [0, 1];
    const isBelow = (epsilon: number): boolean => {
      const k = Math.exp(epsilon);
      return !(this.#aboveCut(this.#placeOf(k), k).upper > target);
    };
    while (!isBelow(high)) [low, high] = [high, 2 * high];
    while (high - low > 1e-3 * high) {
      const middle = (low + high) / 2;
      if (isBelow(middle)) high = middle;
      else low = middle;
    }
    return Math.max(high, aboutNormalLoss(0, this.#deviation)(logDelta));
  }

  #tableAt(epsilon: number): Table | null {
    const served = Math.ceil((epsilon * (1 + 1e-12)) / this.#served + 1e-9) * this.#served;
    return this.#tables.get(String(served), () => ({ table: this.#tableFor(Math.exp(served)) })).table;
  }

  #delta({ cut, lines, small }: Table, k: number): Enclosure {
    const most = small.reduce((sum, exponent) => sum + Math.exp(mostBeyond(exponent, k)) * (1 + 1e-9), 0);
    return lines.map((line) => alongLine(line, k)).reduce(add, add(this.#aboveCut(cut, k), enclosure(0, most)));
  }

  /** The mean of M - K where the noise of some batch is above the cut; where that is at the end of the range nothing is. */
  #aboveCut(cut: number, k: number): Enclosure {
    if (cut === REACH) return exactly(0);
    const { batches: t } = this.#law;
    const [tail, logNone] = [normalTail(cut), logNormalTail(-cut)];
    const shifted = enclosure(normalTail(nextUp(cut - this.#mu)).lower, normalTail(nextDown(cut - this.#mu)).upper);
    const others = exponential(times(t - 1, logNone));
    const some = negate(expm1(times(t - 1, logNone)));
    const one = exactly(k);
    return add(multiply(some, subtract(exactly(1), one)), multiply(others, subtract(shifted, multiply(one, tail))));
  }

  /** The place in noise of a share of M. */
  #placeOf(ratio: number): number {
    const { batches: t, muSquared } = this.#law;
    return (Math.log(t * ratio) + muSquared / 2) / this.#mu;
  }

  #ratioAt(x: number): number {
    const { batches: t, muSquared } = this.#law;
    return Math.exp(this.#mu * x - muSquared / 2) / t;
  }

  /** A table for e^epsilon up to k, and as far down as it serves; null where it would be too long. */
  #tableFor(k: number): Table | null {
    if (!(k < MOST_K && this.#law.batches <= MOST_BATCHES)) return null;
    const cut = Math.min(REACH, GRID * Math.ceil(this.#placeOf(k) / GRID + 1e-6));
    const jump = GRID * Math.floor(this.#placeOf(JUMP * (k - 1)) / GRID);
    const parts: Part[] = jump > 0 && jump < cut ? [{ place: jump }, { place: jump, end: cut }] : [{ place: cut }];
    const least = k * Math.exp(-this.#served);
    const sized = parts.map((part) => {
      const noise = this.#noiseOf(part, FEW_TURNS);
      const exponent = momentAt(
        noise,
        Math.min(saddlePoint(noise, k), part.end === undefined ? Infinity : OF_JUMPS / k),
      );
      return { part, exponent, size: mostBeyond(exponent, least) };
    });
    const enough = sized.reduce((most, { size }) => Math.max(most, size), -Infinity) - DEPTH;
    if (!Number.isFinite(enough)) return null;
    const isLarge = ({ size }: { readonly size: number }): boolean => !(size < enough);
    const lines: Line[] = [];
    for (const { part, exponent } of sized.filter(isLarge)) {
      const line = this.#lineOf(part, exponent.r, k);
      if (line === null) return null;
      lines.push(line);
    }
    const small = sized.filter((one) => !isLarge(one)).map(({ exponent }) => exponent);
    return { cut, lines, small };
  }

  #noiseOf({ place, end }: Part, turns: number): EpochNoise {
    return new EpochNoise(this.#law, FROM, place, end, turns);
  }

  #lineOf(part: Part, s0: number, k: number): Line | null {
    const fades = this.#fadesFrom(s0, part);
    if (fades === null) return null;
    // Nodes are laid in blocks, of which the last is beyond.
    const turns = FEW_TURNS + 1.1 * fades * this.#ratioAt(part.end ?? part.place);
    if (!(turns < MOST_TURNS)) return null;
    const noise = this.#noiseOf(part, turns);
    const further = FURTHER.map((more) => momentAt(noise, s0 * more)).filter(({ log }) => log < Infinity);
    momentAt(noise, s0);
    const { logMost } = noise;
    const size = logMost - s0 * k - DEPTH - Math.log(s0);
    const least = k * Math.exp(-this.#served);
    const isFar = (period: number): boolean =>
      Math.log(1 + k + period) - s0 * period < size &&
      further.some((exponent) => mostBeyond(exponent, least) - (exponent.r - s0) * period < size);
    let period = 1 / s0;
    for (; !isFar(period); period *= 1.1) if (!(period * fades * turns < this.#work)) return null;
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
      const b = Math.min(place, this.#placeOf((a + mu) / (s0 * mu)));
      const mass = Math.exp(s0 * this.#ratioAt(a)) * (probability(a) - probability(b));
      const gain = mass * (1 - 1e-9) - whole * (1 - faded) * 1.0001;
      const density = Math.exp(s0 * this.#ratioAt(a) - (a * a) / 2) / Math.sqrt(2 * Math.PI) / (mu * this.#ratioAt(a));
      if (b > a && gain > 0) known = Math.min(known, ((2 * density) / gain) * 1.0001);
    }
    if (known === Infinity) return null;
    const noise = noiseIn(FROM, Math.min(place, this.#placeOf(FEW_TURNS / known)));
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
function saddlePoint(noise: EpochNoise, k: number): number {
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

function momentAt(noise: EpochNoise, r: number): Exponent {
  noise.within(r, r, r, 0, 0, 0);
  noise.at(r, 0, 0, 0);
  const log = noise.logMost + Math.log1p(noise.error) + 1e-9;
  return { r, log: Number.isNaN(log) ? Infinity : log };
}

/** The nodes of a line. */
function nodesOf(noise: EpochNoise, s0: number, h: number, count: number): Pick<Line, 're' | 'im' | 'error'> {
  const [re, im, error] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  noise.lay(h);
  for (let j = 0; j < count; j++) {
    const m = j % ALONG;
    const start = (j - m) * h;
    if (m === 0) noise.within(s0, Math.hypot(s0, start + ALONG * h), s0, 0, 0, 0);
    noise.along(s0, start, 0, 0, m);
    const y = j * h;
    const square = s0 * s0 + y * y;
    const [p, q] = [(s0 * s0 - y * y) / square ** 2, (-2 * s0 * y) / square ** 2];
    re[j] = noise.re * p - noise.im * q;
    im[j] = noise.re * q + noise.im * p;
    error[j] = (noise.error + 16 * U * Math.hypot(noise.re, noise.im)) / square;
  }
  return { re, im, error };
}

/** E[(M - k)+] of a part, by the integral along its line. */
function alongLine({ s0, h, logMost, re, im, error, beyond, further }: Line, k: number): Enclosure {
  let [total, off] = [0, 0];
  for (let j = 0; j < re.length; j++) {
    const turn = j * h * k;
    const share = j === 0 ? 0.5 : 1;
    total += share * (re[j]! * Math.cos(turn) + im[j]! * Math.sin(turn));
    off += error[j]! + Math.hypot(re[j]!, im[j]!) * U * (2 * turn + re.length + 16);
  }
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
