import { writeLogRatio, type LogRatio } from '../../numeric/contour/transform.ts';
import { enclosure, type Enclosure } from '../../numeric/enclosure.ts';
import { nextDown, nextUp, UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';

/** A value of a random variable with its chance, both exact. */
export interface Value {
  readonly value: number;
  readonly chance: number;
}

/** What is left out is less than e^-DEPTH of the sum, about; but for peaks beyond the last, of which there are so many. */
const DEPTH = 36;
const MOST_PEAKS = 128;
/** Of the sum, what peaks beyond the last may be. */
const BEYOND = 1e-9;
/** Other lines, by which aliases are bounded, over the place of the line. */
const ASIDE = [0.1, 0.2, 0.4, 0.6, 0.8, 0.95, 1.5, 2.5, 4];
const [MOST_NODES, MOST_HALVINGS] = [20_000, 100];
/** Less than this chance of the least value is not known by those of the others. */
const LEAST_CHANCE = 1e-9;

/** n independent X of few values: the least one, and how far the others lie above it. */
class Sum {
  readonly n: number;
  readonly least: number;
  readonly above: readonly Value[];

  constructor(n: number, least: number, above: readonly Value[]) {
    [this.n, this.least, this.above] = [n, least, above];
  }

  /** E[e^(c (X - least))] - 1. */
  #excess(c: number): number {
    return this.above.reduce((sum, { value, chance }) => sum + chance * Math.expm1(c * value), 0);
  }

  /** K(c) = ln E[e^(c S)], with a bound on its error. */
  log(c: number): { readonly value: number; readonly error: number } {
    const log = Math.log1p(this.#excess(c));
    const size = c * Math.abs(this.least) + log;
    return { value: this.n * (c * this.least + log), error: this.n * 32 * U * size };
  }

  /** Chances of the values above the least one under the tilt e^(cX), and mean and variance of the sum. */
  tilted(c: number) {
    const whole = 1 + this.#excess(c);
    const shares = this.above.map(({ value, chance }) => (chance * Math.exp(c * value)) / whole);
    const [mean, square] = this.above.reduce<readonly [number, number]>(
      ([first, second], { value }, k) => [first + shares[k]! * value, second + shares[k]! * value * value],
      [0, 0],
    );
    return { shares, mean: this.n * (this.least + mean), variance: this.n * (square - mean * mean) };
  }

  /** The minimum of K(c) - 2 ln c, about; null where there is none in sight. */
  saddle(): number | null {
    const widest = this.above.reduce((max, { value }) => Math.max(max, value), 0);
    const slope = (c: number): number => this.tilted(c).mean * c - 2;
    let [low, high] = [1e-3 / (widest * Math.sqrt(this.n)), 1 / widest];
    for (let k = 0; slope(low) > 0; k++, low /= 8) if (k === MOST_HALVINGS) return null;
    for (let k = 0; !(slope(high) > 0); k++, high *= 2) if (k === 8) return null;
    for (let k = 0; k < MOST_HALVINGS && high > low * (1 + 1e-6); k++) {
      const middle = Math.sqrt(low * high);
      if (slope(middle) > 0) high = middle;
      else low = middle;
    }
    return low;
  }
}

/** Two values, which keep the modulus of the moments small between places a period apart. */
interface Apart {
  /** How far they are apart, and n times the product of their chances under the tilt. */
  readonly distance: number;
  readonly weight: number;
}

/** The two that keep it smallest next to the real axis. */
function farthest({ n, above }: Sum, shares: readonly number[]): Apart {
  const rest = 1 - shares.reduce((sum, share) => sum + share, 0);
  const all = [{ value: 0, share: rest }, ...above.map(({ value }, k) => ({ value, share: shares[k]! }))];
  const pairs = all.flatMap((a, i) =>
    all.slice(i + 1).map((b) => ({ distance: Math.abs(a.value - b.value), weight: n * a.share * b.share })),
  );
  const size = ({ distance, weight }: Apart): number => weight * distance ** 2;
  return pairs.reduce((best, pair) => (size(pair) > size(best) ? pair : best));
}

/** Sums of terms, and of bounds on their errors. */
interface Terms {
  sum: number;
  error: number;
}

/** Adds the term of a node at t, half of it at 0, of the moments over that at c. */
function addNode(sum: Sum, c: number, t: number, shares: readonly number[], ratio: LogRatio, terms: Terms): void {
  const { n, least, above } = sum;
  let [x, y, off] = [0, 0, 0];
  for (let k = 0; k < above.length; k++) {
    const { value } = above[k]!;
    const turn = value * t;
    const half = Math.sin(turn / 2);
    x -= shares[k]! * 2 * half * half;
    y += shares[k]! * Math.sin(turn);
    off += shares[k]! * ((40 + 4 * c * value) * Math.min(turn, 2) + 4 * turn);
  }
  writeLogRatio(x, y, off * U, ratio);
  const square = c * c + t * t;
  const error =
    ratio.error === Infinity ? Infinity : n * ratio.error + 8 * U * n * (Math.abs(least) * t + Math.abs(ratio.angle));
  const size = Math.exp(n * Math.min(0, ratio.modulus)) / square;
  if (!(error < 0.25)) {
    // A modulus of which no error is known is a bound.
    terms.error += ratio.error === Infinity ? size : size * Math.exp(n * ratio.error) * (1 + 1e-9);
    return;
  }
  const angle = n * (ratio.angle + least * t);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const term = (size * (cos * (c * c - t * t) + sin * 2 * c * t)) / square;
  terms.sum += t === 0 ? term / 2 : term;
  // With the roundings of all additions.
  terms.error += size * (Math.expm1(error) + (MOST_NODES + 32) * U);
}

/** At most the relative aliases of nodes 2 pi / period apart, and the period. */
function periodOf(sum: Sum, c: number, logAbout: number): { readonly period: number; readonly alias: number } {
  const lines = ASIDE.flatMap((part) => [c * (1 + part), ...(part < 1 ? [c * (1 - part)] : [])]).map((place) => {
    const { value, error } = sum.log(place);
    // (x)+ is at most e^(place x) / (e place).
    const log = value + error - Math.log(place) - 1 - logAbout + 1e-9;
    return {
      isRight: place > c,
      log,
      apart: Math.abs(place - c),
      period: Math.max(1, log + DEPTH) / Math.abs(place - c),
    };
  });
  const sides = [true, false].map((isRight) =>
    lines.filter((line) => line.isRight === isRight).reduce((a, b) => (b.period < a.period ? b : a)),
  );
  const period = Math.max(...sides.map((side) => side.period));
  const alias = sides.reduce((all, { log, apart }) => {
    const move = apart * period * (1 - 1e-9);
    return all + Math.exp(log - move) / -Math.expm1(-move);
  }, 0);
  return { period, alias };
}

/**
 * Encloses ln E (S)+ of a sum S of n independent X of a negative mean; null where that takes too many nodes. Few values, of which none is
 * likely, are counted better.
 *
 * E (S)+ is the integral of E[e^(zS)] / z^2 over Re z = c > 0, over 2 pi i. By Poisson summation the trapezoid rule with nodes h apart
 * gives the sum over all whole j of e^(c j Y) E (S - j Y)+, Y = 2 pi / h: all of its terms but j = 0 are errors of one sign, limited by other
 * lines. With p and q the chances of two values a distance d apart, under the tilt, the modulus of a factor at c + it is at most e^(-p q (1 -
 * cos dt)) of that at c. So terms count next to the multiples of 2 pi / d; around each, the n-th power integrates to at most (2 pi / d) (pi / 8 n p q)^(1/2).
 *
 * Source: derived.
 */
function logMeanExcess(sum: Sum): Enclosure | null {
  const c = sum.saddle();
  if (c === null) return null;
  const moment = sum.log(c);
  const { shares, variance } = sum.tilted(c);
  // E (S)+ over the moment, about.
  const about = 1 / (c * c * Math.sqrt(2 * Math.PI * (variance + 2 / (c * c))));
  const { period, alias } = periodOf(sum, c, moment.value - moment.error + Math.log(about));
  const h = (2 * Math.PI) / period;
  const { distance, weight } = farthest(sum, shares);
  if (!(weight > DEPTH)) return null;
  const reach = Math.acos(1 - DEPTH / weight) / distance;
  const around = (((2 * Math.PI) / distance) * Math.sqrt(Math.PI / (8 * weight)) + 2 * h) * (distance / Math.PI) ** 2;
  const beyond = (peaks: number): number => around / Math.PI / (4 * peaks);
  let peaks = 1;
  while (beyond(peaks) > BEYOND * about && peaks < MOST_PEAKS) peaks *= 2;
  if (!((2 * peaks * reach) / h < MOST_NODES)) return null;
  const terms: Terms = { sum: 0, error: 0 };
  const ratio: LogRatio = { modulus: 0, angle: 0, error: 0 };
  for (let j = 0; j <= peaks; j++) {
    const middle = (2 * Math.PI * j) / distance;
    const first = Math.max(0, Math.ceil((middle - reach) / h));
    for (let k = first; k * h <= middle + reach; k++) addNode(sum, c, k * h, shares, ratio, terms);
  }
  const between = (Math.exp(-DEPTH) * (1 / reach + h / reach ** 2)) / Math.PI;
  const value = (h / Math.PI) * terms.sum;
  const off = ((h / Math.PI) * terms.error + beyond(peaks) + between) * (1 + 1e-9) + 8 * U * Math.abs(value);
  const [lower, upper] = [value - off - alias * about * (1 + 1e-9), value + off];
  if (!(lower > 0 && upper < Infinity)) return null;
  const [low, high] = [Math.log(lower), Math.log(upper)];
  const slack = moment.error + 16 * U * (Math.abs(moment.value) + Math.abs(low) + 1);
  return enclosure(moment.value + low - slack, moment.value + high + slack);
}

/** A number with a bound on its relative error. */
interface Rough {
  readonly value: number;
  readonly error: number;
}

interface RoughValue {
  readonly value: Rough;
  readonly chance: Rough;
}

/** Two equal values as one. */
const together = (a: RoughValue, b: RoughValue): RoughValue => ({
  value: { value: a.value.value, error: Math.max(a.value.error, b.value.error) },
  chance: { value: a.chance.value + b.chance.value, error: Math.max(a.chance.error, b.chance.error) + U },
});

/**
 * Encloses ln E (X_1 + .. + X_n)+, X of few values with chances that are known to relative errors; null where {@link logMeanExcess} does not.
 * It grows with each value, and with each chance that the least value loses to another.
 */
export function logMeanExcessOf(n: number, law: readonly RoughValue[]): Enclosure | null {
  const possible = law
    .filter(({ chance }) => chance.value > 0)
    .sort((a, b) => a.value.value - b.value.value)
    .reduce<RoughValue[]>((all, one) => {
      const last = all.at(-1);
      if (last?.value.value === one.value.value) all[all.length - 1] = together(last, one);
      else all.push(one);
      return all;
    }, []);
  const end = (sign: 1 | -1): Enclosure | null => {
    const moved = sign > 0 ? nextUp : nextDown;
    const [first, ...more] = possible.map(({ value, chance }) => ({
      value: moved(value.value + sign * Math.abs(value.value) * value.error),
      chance: moved(chance.value * (1 + sign * chance.error)),
    }));
    if (first === undefined) return null;
    const above = more.map(({ value, chance }) => ({ value: moved(value - first.value), chance }));
    const left = 1 - above.reduce((all, { chance }) => all + chance, 0);
    if (!(left > LEAST_CHANCE && above.every(({ value }) => value > 0))) return null;
    return logMeanExcess(new Sum(n, first.value, above));
  };
  const [below, over] = [end(-1), end(1)];
  return below && over && enclosure(below.lower, over.upper);
}
