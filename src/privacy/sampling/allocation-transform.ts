import type { Approximate } from '../../numeric/enclosure.ts';
import { approximateLogSum } from '../../numeric/enclosure-arithmetic.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { writeLogRatio } from '../../numeric/contour/transform.ts';
import type { About, LineMoments, LineTransform, LossTransform, Ratios } from '../../numeric/contour/transform.ts';
import { AllocationMoment } from './allocation-moment.ts';
import type { Allocation } from './allocation-table.ts';
import type { Direction } from './sampled-law.ts';

/** Moments are looked at between these powers; beyond them they are continued. */
const LEAST_POWER = -300;
const LARGEST_POWER = 280;
/** Knots of ln E[M^w] along w = 1/2 + sinh u. */
const APART = 0.12;
const POINTS = 6;
/** The leap is all there where (w - 1)^4 is more. */
const SOON = 0.1;
/** How many digits, in nats, moments have that are only looked at, and those by which aliases are bounded. */
const COARSE = 18;
const ALIASES = 26;
/** Lines that are kept. */
const KEPT = 8;
/** Moments below e^-FADED are not known from sums in doubles. */
const FADED = 34;

/** What the exact Gaussian part is: w (w - 1) mu^2 / 2t at a real power. */
const gaussianPart = ({ batches, muSquared }: Allocation, w: number): number =>
  (w * (w - 1) * muSquared) / (2 * batches);

/**
 * About ln E[M^w]: for w > 0 that of M^(w - 1) under P, the batch of the record by itself, the others by their mean and variance. It has the leap where
 * one batch far out begins to decide; what it is off by is smooth.
 */
function guessAt(law: Allocation, w: number): number {
  const { batches: t, muSquared } = law;
  const variance = Math.expm1(muSquared) / t;
  const mu = Math.sqrt(muSquared);
  if (w < 0) {
    // All batches far down: at most this beside the Gaussian part, and near 0 that of a normal logarithm.
    const most = (-w * muSquared * (1 - 1 / t)) / 2;
    const near = ((w * (w - 1)) / 2) * Math.max(0, Math.log1p(variance) - muSquared / t);
    return gaussianPart(law, w) + (near * most) / (near + most + 1e-300);
  }
  let sum = -Infinity;
  for (let z = -8; z < mu * Math.max(1, w) + 8; z += 0.25) {
    const mean = (Math.exp(mu * z + muSquared / 2) + t - 1) / t;
    // As of a lognormal of that mean and variance.
    const spread = (((w - 1) * (w - 2)) / 2) * Math.log1p(variance / (mean * mean));
    const log = (w - 1) * Math.log(mean) + spread - (z * z) / 2;
    sum = approximateLogSum(sum, log + Math.log(0.25 / Math.sqrt(2 * Math.PI)));
  }
  return sum;
}

/** The guess where it has the leap, from w = 1 on; what is taken from a moment must be smooth. */
function leapAt(law: Allocation, w: number): number {
  const far = Math.max(0, w - 1) ** 4;
  return far === 0 ? 0 : (guessAt(law, w) * far) / (far + SOON);
}

/** About ln E[M^w] and its first two derivatives, by a polynomial through knots. */
class Outline {
  readonly #law: Allocation;
  readonly #knots = new Map<number, number>();

  constructor(law: Allocation) {
    this.#law = law;
  }

  /** ln E[M^w] without the leap, at a knot. */
  #knot(index: number): number {
    const known = this.#knots.get(index);
    if (known !== undefined) return known;
    const w = 0.5 + Math.sinh(index * APART);
    const guess = guessAt(this.#law, w);
    const { value, error } = new AllocationMoment(this.#law, w, w < 0 || w > 1 ? Math.max(0, guess) : guess, COARSE)
      .moment;
    const rest = (error < Infinity ? value : guess) - leapAt(this.#law, w);
    this.#knots.set(index, rest);
    return rest;
  }

  at(power: number): About {
    const w = Math.min(LARGEST_POWER, Math.max(LEAST_POWER, power));
    const u = Math.asinh(w - 0.5) / APART;
    const first = Math.floor(u) - POINTS / 2 + 1;
    // Newton's form of the polynomial, with its derivatives.
    const table = Array.from({ length: POINTS }, (_, i) => this.#knot(first + i));
    for (let k = 1; k < POINTS; k++) for (let i = POINTS - 1; i >= k; i--) table[i] = (table[i]! - table[i - 1]!) / k;
    let [value, slope, bend] = [0, 0, 0];
    for (let i = POINTS - 1; i >= 0; i--) {
      const x = u - first - i;
      [value, slope, bend] = [value * x + table[i]!, slope * x + value, bend * x + 2 * slope];
    }
    const [cosh, tanh] = [Math.cosh(u * APART), Math.tanh(u * APART)];
    const h = 1e-3 * (1 + Math.abs(w));
    const [before, here, after] = [w - h, w, w + h].map((x) => leapAt(this.#law, x) - gaussianPart(this.#law, x)) as [
      number,
      number,
      number,
    ];
    value += here;
    const mean = slope / APART / cosh + (after - before) / (2 * h);
    const curvature = (bend / APART ** 2 - (tanh * slope) / APART) / cosh ** 2 + (after - 2 * here + before) / (h * h);
    const variance = Math.max(0, curvature);
    const more = power - w;
    // The far end is that of one batch; the near one has a least ratio.
    const curved = more > 0 ? variance : 0;
    return {
      // Further out no moment is computed: as if it were infinite, so that none is asked for.
      value: more > 0 ? Infinity : value + more * mean,
      mean: mean + more * curved,
      variance: more < 0 ? 0 : variance,
    };
  }
}

/**
 * The loss of one epoch of random allocation, but for its Gaussian part. With x the mean of the noise of all batches, which is independent of
 * what each differs from it by, M is the ratio of a Gaussian mechanism of mu^2 / t at x times an independent factor M'' of mean 1: the pair
 * is a composition of the two, and E[M''^w] = E[M^w] e^(-w (w - 1) mu^2 / 2t). Removals have the loss ln M'' under P, w = 1 + z; additions
 * -ln M'' under Q, w = -z.
 *
 * Source: derived. The pair (mixture over batches of N(e_i, I / mu^2), N(0, I / mu^2)) dominates adaptive mechanisms in both directions, as
 * from its outcome a run is made without knowing the batch; Choquette-Choo et al. 2024 (arXiv:2410.06266) use it for bins.
 */
export function allocationTransform(law: Allocation, direction: Direction): LossTransform {
  const outline = new Outline(law);
  const sign = direction === 'remove' ? 1 : -1;
  const power = (c: number): number => (direction === 'remove' ? 1 + c : -c);
  const about = (c: number): About => {
    const { value, mean, variance } = outline.at(power(c));
    return { value, mean: sign * mean, variance };
  };
  const rest = (moment: Approximate, w: number): Approximate => {
    const part = gaussianPart(law, w);
    return { value: moment.value - part, error: moment.error + 8 * U * (Math.abs(part) + Math.abs(moment.value)) };
  };
  const momentAt = (c: number, depth?: number, last?: number): AllocationMoment => {
    const w = power(c);
    return new AllocationMoment(law, w, outline.at(w).value + gaussianPart(law, w), depth, last);
  };
  const lines = new LruCache<{ readonly line: LineTransform; readonly moment: Approximate }>(KEPT);
  const aliases = new LruCache<Approximate>(64);
  const lineOn = (c: number, last = 0) => {
    // So that equal questions have equal answers whatever else is asked.
    const extent = last > 0 ? 2 ** Math.ceil(Math.log2(last)) : 0;
    return lines.get(`${c} ${extent}`, () => {
      const moment = momentAt(c, undefined, extent);
      return { line: lineOf(law, sign, power(c), moment, about(c)), moment: rest(moment.moment, power(c)) };
    });
  };
  const lineWith = (c: number, others: readonly number[], last: number): LineMoments => ({
    ...lineOn(c, last),
    others: others.map((one) => aliases.get(String(one), () => rest(momentAt(one, ALIASES).moment, power(one)))),
  });
  return {
    terms: Math.min(24, 4 + Math.ceil(Math.log2(law.batches))),
    isMutual: true,
    about,
    typical: () => Math.sqrt(about(0).variance),
    lineWith,
    logMoment: (c) => lineOn(c).moment,
    on: (c) => lineOn(c).line,
  };

  function lineOf(
    { batches, muSquared: square }: Allocation,
    turned: 1 | -1,
    w: number,
    moment: AllocationMoment,
    { mean, variance }: About,
  ): LineTransform {
    const half = square / (2 * batches);
    const fill = (h: number, first: number, count: number, ratios: Ratios): void => {
      const { x, y, error } = ratios;
      // Where nothing is known of M it is not asked for.
      const faded = Math.sqrt(FADED / half);
      const known = Math.min(count, Math.max(0, Math.ceil(faded / h) - first));
      moment.fill(h, first, known, ratios);
      for (let k = 0; k < count; k++) {
        const t = (first + k) * h;
        const raised = Math.min(FADED, half * t * t);
        const turn = half * t * (2 * w - 1);
        const size = Math.exp(raised);
        const [cos, sin] = [size * Math.cos(turn), size * Math.sin(turn)];
        const [re, im] = [x[k]!, y[k]!];
        const off = error[k]! * size * (1 + 1e-12);
        const far = off + 16 * U * (1 + raised + Math.abs(turn)) * size * (Math.abs(re) + Math.abs(im));
        if (k >= known || !(far < 0.5)) {
          // All that is known is that the modulus is at most 1.
          [x[k], y[k], error[k]] = [-1, 0, 1];
          continue;
        }
        x[k] = re * cos + im * sin - 1;
        y[k] = turned * (im * cos - re * sin);
        error[k] = far + 4 * U;
      }
    };
    const one: Ratios = { x: new Float64Array(1), y: new Float64Array(1), error: new Float64Array(1) };
    return {
      terms: Math.max(1, Math.ceil(moment.terms / 16)),
      deviation: Math.sqrt(variance),
      mean,
      logMost: () => 0,
      at(t, ratio) {
        fill(t, 1, 1, one);
        writeLogRatio(one.x[0]!, one.y[0]!, one.error[0]!, ratio);
      },
      fill,
    };
  }
}
