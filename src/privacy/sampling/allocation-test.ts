import { midpoint } from '../../numeric/enclosure.ts';
import { normalTail } from '../../numeric/normal.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { muSquaredOfBatch, sizesOf, type RandomAllocation } from './random-allocation.ts';

/** A measure on whole numbers from `first` on, with what was left out of it. */
interface WholeMeasure {
  readonly first: number;
  readonly masses: Float64Array;
  readonly left: number;
}

/** Weights that are smaller than this are left out. */
const LEAST = 1e-26;
/** Cells for one deviation of one term of the statistic, and at most for one of all. */
const CELLS = 24;
const MOST_CELLS = 400;

function trimmed(first: number, masses: Float64Array, left: number): WholeMeasure {
  let [start, end] = [0, masses.length];
  let more = left;
  while (start < end - 1 && masses[start]! < LEAST) more += masses[start++]!;
  while (end > start + 1 && masses[end - 1]! < LEAST) more += masses[--end]!;
  return { first: first + start, masses: masses.slice(start, end), left: more };
}

/** The law of a sum; all masses and what is left out are off by at most the roundings of as many terms. */
function sumOf(a: WholeMeasure, b: WholeMeasure): WholeMeasure {
  const masses = new Float64Array(a.masses.length + b.masses.length - 1);
  const [x, y] = [a.masses, b.masses];
  for (let i = 0; i < x.length; i++) for (let j = 0; j < y.length; j++) masses[i + j]! += x[i]! * y[j]!;
  return trimmed(a.first + b.first, masses, (a.left + b.left) * 1.001);
}

function powerOf(one: WholeMeasure, count: number): WholeMeasure | null {
  let result: WholeMeasure | null = null;
  for (let rest = count, doubled = one; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = result ? sumOf(result, doubled) : doubled;
    if (rest > 1) doubled = sumOf(doubled, doubled);
  }
  return result;
}

/** P(a < x <= b) of a standard normal x, from below and above. */
function between(a: number, b: number): readonly [number, number] {
  if (a >= 0) {
    const [from, to] = [normalTail(a), normalTail(b)];
    return [Math.max(0, from.lower - to.upper), from.upper - to.lower];
  }
  if (b <= 0) return between(-b, -a);
  const [left, right] = [normalTail(-a), normalTail(b)];
  return [1 - left.upper - right.upper - 2 * U, 1 - left.lower - right.lower + 2 * U];
}

/** The two laws of the statistic of one batch, with the record in it and without. */
function lawsOf(
  mu: number,
  lambda: number,
  step: number,
): Record<'with' | 'without', readonly [WholeMeasure, WholeMeasure]> {
  const place = (edge: number): number =>
    edge <= 0 ? -Infinity : (Math.log(Math.expm1(edge) / lambda) + (mu * mu) / 2) / mu;
  const most = Math.ceil(Math.log1p(lambda * Math.exp(mu * (13 + mu))) / step) + 1;
  const law = (shift: number): readonly [WholeMeasure, WholeMeasure] => {
    const [least, largest] = [new Float64Array(most + 1), new Float64Array(most + 1)];
    for (let j = 0; j <= most; j++) {
      const edges = [j - 0.5, j + 0.5].map((edge) => Math.max(-40, place(edge * step) - shift)) as [number, number];
      // The last cell has all above it.
      const [low, high] = between(edges[0], j === most ? 40 : edges[1]);
      // Both laws are of the same cells, whose edges are doubles: no more than the rounding of a shift moves them.
      const off = 64 * U * (1 + Math.abs(edges[0]) + Math.abs(edges[1]));
      least[j] = low * (1 - off * 40);
      largest[j] = high * (1 + off * 40) + Number.MIN_VALUE;
    }
    return [trimmed(0, least, 0), trimmed(0, largest, 2e-300)];
  };
  return { without: law(0), with: law(mu) };
}

/** More batches of all epochs than these take too long. */
export const MOST_TESTED = 20_000;

/** At most delta at an epsilon, for removals and additions. */
export interface AllocationTest {
  readonly delta: (epsilon: number) => { readonly remove: number; readonly add: number };
}

const FACTORS = [1, 1.6, 2.5];

/** Sums from each place on, or up to it. */
function cumulative({ first, masses }: WholeMeasure, from: number, to: number, upward: boolean): Float64Array {
  const all = new Float64Array(to - from + 2);
  const at = (i: number): number => masses[i - first] ?? 0;
  if (upward) for (let i = to; i >= from; i--) all[i - from] = all[i - from + 1]! + at(i);
  else for (let i = from; i <= to; i++) all[i - from + 1] = all[i - from]! + at(i);
  return all;
}

/** A statistic: masses of its values with and without the record, each from below and above. */
function statistic(mechanism: RandomAllocation, count: number, factor: number): AllocationTest['delta'] {
  const { batches, selected } = sizesOf(mechanism);
  const mu = Math.sqrt(midpoint(muSquaredOfBatch(mechanism)));
  const lambda = (factor * selected) / (batches - selected);
  // About the deviation of ln(1 + lambda Y).
  const slope = (lambda / (1 + lambda)) * Math.min(mu, Math.sqrt(Math.expm1(Math.min(mu * mu, 50))));
  const step = Math.max(slope / CELLS, (Math.sqrt(batches * count) * slope) / MOST_CELLS);
  const one = lawsOf(mu, lambda, step);
  const law = (end: 0 | 1) => {
    const others = powerOf(one.without[end], (batches - selected) * count)!;
    return {
      without: sumOf(others, powerOf(one.without[end], selected * count)!),
      with: sumOf(others, powerOf(one.with[end], selected * count)!),
    };
  };
  const [least, most] = [law(0), law(1)];
  const all = [least.without, least.with, most.without, most.with];
  const from = Math.min(...all.map(({ first }) => first));
  const to = Math.max(...all.map(({ first, masses }) => first + masses.length - 1));
  // Sums of as many products as there are cells, for each sum of two.
  const error = 4 * (to - from + 64) * (batches * count + 64) * U;
  const gain = (own: WholeMeasure, other: WholeMeasure, upward: boolean) => {
    const [p, q] = [cumulative(own, from, to, upward), cumulative(other, from, to, upward)];
    return (epsilon: number): number => {
      const scale = Math.exp(epsilon) * (1 + 16 * U + 4 * U * Math.abs(epsilon));
      let best = 0;
      for (let i = 0; i < p.length; i++) {
        best = Math.max(best, p[i]! * (1 - error) - scale * (q[i]! * (1 + error) + other.left));
      }
      return best;
    };
  };
  const [remove, add] = [gain(least.with, most.without, true), gain(least.without, most.with, false)];
  return (epsilon) => ({ remove: remove(epsilon), add: add(epsilon) });
}

/**
 * What a test gains against epochs of k of t batches: of the sum of ln(1 + lambda Y_i) over all batches, rounded to a lattice, Y_i the
 * likelihood ratio of a batch. Any test is legal, and a statistic that is rounded is a statistic; so its gain is at most delta. The
 * largest of a few lambda near k / (t - k), for which it is nearly the likelihood ratio.
 *
 * Source: derived; by data processing from the pair that the mechanism attains.
 */
export function allocationTest(mechanism: RandomAllocation, count: number): AllocationTest {
  const all = FACTORS.map((factor) => statistic(mechanism, count, factor));
  return {
    delta(epsilon) {
      const gains = all.map((gain) => gain(epsilon));
      return {
        remove: Math.max(...gains.map(({ remove }) => remove)),
        add: Math.max(...gains.map(({ add }) => add)),
      };
    },
  };
}
