import { gaussLegendre4 } from '../gauss-legendre.ts';
import { UNIT_ROUNDOFF as U } from '../rounding.ts';

// Laws of positive variables of mean 1, or of sums of them, that are certainly larger, or smaller, in convex order: E[f] is at least, or at
// most, the true one for every convex f. Convex order is kept by sums and by products of independent variables >= 0.

/** A density of the logarithm of a variable, under the law itself. */
export interface LogDensity {
  readonly density: (u: number) => number;
  /** At least |slope| + 3 sqrt(|curvature|) of its logarithm, and of that of e^u, between places (see `discretiseSmooth`). */
  readonly steepness: (from: number, to: number) => number;
  readonly from: number;
  readonly to: number;
  /** At most the mass below `from` (where e^u < 1), and at most the mean above `to` (where e^u > 1). */
  readonly below: number;
  readonly above: number;
}

/** Masses at e^((first + j) step); where `moments` is there, each has that first moment, and so stands at their quotient. */
export interface GeometricLaw {
  readonly step: number;
  readonly first: number;
  readonly masses: Float64Array;
  readonly moments: Float64Array | null;
  /** A mass at 0, and a mean at infinity. */
  readonly zero: number;
  readonly infinite: number;
  /** Bounds the relative errors of masses and moments, and of places. */
  readonly error: number;
  readonly displaced: number;
}

/** Of a cell: its length times the steepness of the density; the share that goes up adds 8 f^(7) / step to the remainder, which this covers. */
const STEEPEST = 0.3;
/** The quadrature, and the density's own rounding. */
const QUADRATURE = 2e-12;

/** What lies beyond is made a mean at infinity, or a mass at 0. */
const TAIL = 1e-48;

/** The law on the ends of cells, mean kept (larger), or in every cell at its mean (smaller). */
export function geometricLaw(
  { density, steepness, from, to, below, above }: LogDensity,
  step: number,
  isLarger: boolean,
): GeometricLaw {
  const first = Math.floor(from / step);
  const size = Math.ceil(to / step) - first + 2;
  const masses = new Float64Array(size);
  const moments = isLarger ? null : new Float64Array(size);
  const width = Math.expm1(step);
  for (let j = 0; j < size - 1; j++) {
    const [a, b] = [(first + j) * step, (first + j + 1) * step];
    const pieces = Math.max(1, Math.ceil((step * steepness(a, b)) / STEEPEST));
    for (let piece = 0; piece < pieces; piece++) {
      const ends = [a + (step * piece) / pieces, a + (step * (piece + 1)) / pieces] as const;
      for (const { x, weight } of gaussLegendre4(...ends)) {
        const mass = weight * density(x);
        if (moments) {
          masses[j]! += mass;
          moments[j]! += mass * Math.exp(x);
        } else {
          const share = Math.min(1, Math.max(0, Math.expm1(x - a) / width));
          masses[j]! += mass * (1 - share);
          masses[j + 1]! += mass * share;
        }
      }
    }
  }
  return {
    step,
    first,
    masses,
    moments,
    // What is left out counts as if it were at 0, and at infinity.
    zero: below + above,
    infinite: below + above,
    error: QUADRATURE,
    displaced: 8 * U * (Math.abs(from) + Math.abs(to) + 2),
  };
}

/** Drops ends that are small: those of a larger law go to 0 and to infinity, those of a smaller one to the cell at the end. */
function trimmed(law: GeometricLaw): GeometricLaw {
  const { masses, moments, step, first } = law;
  const place = (i: number): number => Math.exp((first + i) * step);
  const meanAt = (i: number): number => moments?.[i] ?? masses[i]! * place(i);
  let [start, end] = [0, masses.length - 1];
  let [low, high] = [0, 0];
  while (start < end && low + masses[start]! <= TAIL) low += masses[start++]!;
  while (end > start && high + meanAt(end) <= TAIL) high += meanAt(end--);
  const kept = masses.slice(start, end + 1);
  if (moments === null) {
    // A mass below goes to 0 and the first place, one above to the last and infinity: what they leave is no more than they were.
    kept[0]! += low;
    kept[kept.length - 1]! += masses.slice(end + 1).reduce((sum, x) => sum + x, 0);
    return { ...law, first: first + start, masses: kept, zero: law.zero + low, infinite: law.infinite + high };
  }
  const keptMoments = moments.slice(start, end + 1);
  for (let i = 0; i < start; i++) keptMoments[0]! += moments[i]!;
  kept[0]! += low;
  for (let i = end + 1; i < masses.length; i++) {
    kept[kept.length - 1]! += masses[i]!;
    keptMoments[kept.length - 1]! += moments[i]!;
  }
  return { ...law, first: first + start, masses: kept, moments: keptMoments };
}

/** The same law on a grid twice as fine. */
function refined(law: GeometricLaw): GeometricLaw {
  const spread = (values: Float64Array): Float64Array => {
    const all = new Float64Array(2 * values.length - 1);
    values.forEach((value, i) => (all[2 * i] = value));
    return all;
  };
  const { masses, moments, first, step } = law;
  return { ...law, step: step / 2, first: 2 * first, masses: spread(masses), moments: moments && spread(moments) };
}

/** More than any count of variables: means are at most that. */
const LARGEST_MEAN = 2 ** 20;

/**
 * The sum of two independent variables of one grid, on that grid or one `finer` times as fine. Places e^i and e^j add up to
 * e^(j + ln(1 + e^(i - j))), so that all pairs of one difference go the same way up, with one share.
 *
 * Larger: a sum between two places goes to both, its mean kept. Smaller: a cell keeps mass and first moment of all that goes to it, which
 * is a conditional mean whatever goes there. Where one of two is at 0 the sum is counted as 0 and at infinity, whichever is more.
 */
function sumOf(a: GeometricLaw, b: GeometricLaw, finer: 1 | 2): GeometricLaw {
  const step = a.step / finer;
  const [n, m] = [a.masses.length, b.masses.length];
  const lowest = finer * Math.max(a.first, b.first);
  const last = finer * Math.max(a.first + n, b.first + m) + Math.ceil(Math.LN2 / step) + 2;
  const masses = new Float64Array(last - lowest + 1);
  const moments = a.moments && new Float64Array(masses.length);
  const width = Math.expm1(step);
  const [pa, pb, xa, xb] = [a.masses, b.masses, a.moments, b.moments];
  // j is the place in b, j + d that in a, both counted from their own beginnings.
  for (let d = -(m - 1); d <= n - 1; d++) {
    const apart = (d + a.first - b.first) * a.step;
    // ln(1 + e^apart) in cells: how far above the place in b.
    const above = (apart > 0 ? apart + Math.log1p(Math.exp(-apart)) : Math.log1p(Math.exp(apart))) / step;
    const [from, to] = [Math.max(0, -d), Math.min(m - 1, n - 1 - d)];
    const base = finer * b.first - lowest;
    if (moments === null) {
      const cells = Math.floor(above);
      const share = Math.min(1, Math.expm1((above - cells) * step) / width);
      for (let j = from, at = base + cells + finer * from; j <= to; j++, at += finer) {
        const mass = pa[j + d]! * pb[j]!;
        const up = mass * share;
        masses[at]! += mass - up;
        masses[at + 1]! += up;
      }
    } else {
      for (let j = from, at = base + Math.round(above) + finer * from; j <= to; j++, at += finer) {
        masses[at]! += pa[j + d]! * pb[j]!;
        moments[at]! += xa![j + d]! * pb[j]! + pa[j + d]! * xb![j]!;
      }
    }
  }
  return trimmed({
    step,
    first: lowest,
    masses,
    moments,
    zero: a.zero + b.zero,
    infinite: a.infinite + b.infinite + (a.zero + b.zero) * LARGEST_MEAN,
    // A cell is a sum of at most two products for each difference.
    error: (a.error + b.error + (2 * (n + m) + 16) * U) * (1 + 1e-9),
    displaced: Math.max(a.displaced, b.displaced) + 8 * U * (1 + Math.abs(lowest * step) + Math.abs(last * step)),
  });
}

/**
 * The law of the sum of `count` independent variables, larger or smaller in convex order, by doubling. The grid is twice as fine after
 * every second doubling, as the sum over its mean has half the deviation.
 */
export function geometricSum(one: GeometricLaw, count: number): GeometricLaw {
  let doubled = trimmed(one);
  let result: GeometricLaw | null = null;
  for (let rest = count, doublings = 0; ; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) {
      while (result !== null && result.step > doubled.step * 1.5) result = refined(result);
      result = result ? sumOf(result, doubled, 1) : doubled;
    }
    if (rest < 2) return result!;
    doubled = sumOf(doubled, doubled, ++doublings % 2 === 0 ? 2 : 1);
  }
}
