import { approximately, ofDouble, type Interval, type Real } from './fixed-point.ts';
import type { EntrySpec } from './specification.ts';
import { NO_FAILURE, type Truth } from './truth.ts';

/**
 * Epochs of random allocation to one batch, in doubles and positive sums alone. With Y_i the likelihood ratio of a batch, M = mean of Y_i,
 * removals have delta E[(M - e^eps)+] under Q and additions E[(1 - e^eps M)+]: convex in M, and of a product in every factor. So M lies between
 * a law in which cells are replaced by their means, and one in which they are spread over their ends. All sums are of numbers of at least 0
 * and of less than 1e6 terms, so that rounding is below 1e-9 relatively; what is left out is added to the upper end.
 */

/** Masses under Q of S = sum of `terms` ratios in [e^(jh), e^((j+1)h)), or at e^(jh); and E[S] there. */
interface Law {
  readonly first: number;
  readonly q: readonly number[];
  readonly x: readonly number[];
  readonly h: number;
  readonly terms: number;
  readonly leftQ: number;
  readonly leftX: number;
}

type Side = 'spread' | 'means';

const LEAST = 1e-24;
const ROUNDING = 1e-9;
const REACH = 11;

/** Four nodes of Gauss-Legendre on [-1, 1]. */
const NODES = [
  [0.3399810435848563, 0.6521451548625461],
  [0.8611363115940526, 0.3478548451374538],
] as const;

/** The integral of the normal density over [a, b], in eight parts. */
function normalMass(a: number, b: number): number {
  const half = (b - a) / 16;
  let sum = 0;
  for (let part = 0; part < 8; part++) {
    const middle = a + (2 * part + 1) * half;
    for (const [node, weight] of NODES) {
      for (const z of [middle - node * half, middle + node * half]) sum += weight * Math.exp((-z * z) / 2);
    }
  }
  return (sum * half) / Math.sqrt(2 * Math.PI);
}

function trimmed(law: Law): Law {
  let { leftQ, leftX } = law;
  const isSmall = (i: number): boolean => law.q[i]! < LEAST && law.x[i]! < LEAST * law.terms;
  let [from, to] = [0, law.q.length];
  for (; from < to && isSmall(from); from++) [leftQ, leftX] = [leftQ + law.q[from]!, leftX + law.x[from]!];
  for (; to > from && isSmall(to - 1); to--) [leftQ, leftX] = [leftQ + law.q[to - 1]!, leftX + law.x[to - 1]!];
  return { ...law, first: law.first + from, q: law.q.slice(from, to), x: law.x.slice(from, to), leftQ, leftX };
}

/** Mass q of mean x / q between places j and j + 1, on these two. */
function spread(h: number, j: number, q: number, x: number): readonly [number, number] {
  const low = Math.exp(j * h);
  const up = Math.min(q, Math.max(0, (x / low - q) / Math.expm1(h)));
  return [q - up, up];
}

function oneBatch(mu: number, h: number, side: Side): Law {
  const first = Math.floor((-mu * REACH - (mu * mu) / 2) / h);
  const count = Math.ceil((2 * mu * REACH + mu * mu) / h) + 2;
  const [q, x] = [new Array<number>(count + 1).fill(0), new Array<number>(count + 1).fill(0)];
  for (let i = 0; i < count; i++) {
    const [a, b] = [((first + i) * h) / mu, ((first + i + 1) * h) / mu];
    const [mass, moment] = [normalMass(a + mu / 2, b + mu / 2), normalMass(a - mu / 2, b - mu / 2)];
    if (side === 'means') {
      [q[i], x[i]] = [mass, moment];
      continue;
    }
    const [low, up] = spread(h, first + i, mass, moment);
    q[i]! += low;
    q[i + 1]! += up;
  }
  if (side === 'spread') q.forEach((mass, i) => (x[i] = mass * Math.exp((first + i) * h)));
  // Beyond eleven deviations there is less than 1e-27.
  return trimmed({ first, q, x, h, terms: 1, leftQ: 1e-27, leftX: 1e-27 });
}

/** On a grid that is twice as fine. */
function finer(law: Law): Law {
  const twice = (list: readonly number[]): number[] => list.flatMap((mass) => [mass, 0]);
  return { ...law, first: 2 * law.first, h: law.h / 2, q: twice(law.q), x: twice(law.x) };
}

function sumOf(a: Law, b: Law, side: Side): Law {
  const { h } = a;
  const place = (d: number): number => (Math.max(d, 0) * h + Math.log1p(Math.exp(-Math.abs(d) * h))) / h;
  const first = Math.min(a.first, b.first);
  const last = Math.max(a.first + a.q.length, b.first + b.q.length) + Math.ceil(Math.LN2 / h) + 2;
  const [q, x] = [new Array<number>(last - first + 1).fill(0), new Array<number>(last - first + 1).fill(0)];
  for (let d = a.first - b.first - b.q.length + 1; d < a.first - b.first + a.q.length; d++) {
    const above = place(d);
    const [whole, share] = [Math.floor(above), Math.expm1((above % 1) * h) / Math.expm1(h)];
    const nearest = Math.round(above);
    for (let j = Math.max(0, a.first - b.first - d); j < b.q.length; j++) {
      const i = j + b.first + d - a.first;
      if (i >= a.q.length) break;
      const mass = a.q[i]! * b.q[j]!;
      const at = j + b.first - first;
      if (side === 'spread') {
        q[at + whole]! += mass * (1 - share);
        q[at + whole + 1]! += mass * share;
      } else {
        q[at + nearest]! += mass;
        x[at + nearest]! += a.x[i]! * b.q[j]! + a.q[i]! * b.x[j]!;
      }
    }
  }
  if (side === 'spread') q.forEach((mass, i) => (x[i] = mass * Math.exp((first + i) * h)));
  const leftX = a.leftX + b.leftX + a.terms * b.leftQ + b.terms * a.leftQ;
  return trimmed({ first, q, x, h, terms: a.terms + b.terms, leftQ: a.leftQ + b.leftQ, leftX });
}

/** One epoch, S of all its batches. */
function epoch(mu: number, batches: number, h: number, side: Side): Law {
  let doubled = oneBatch(mu, h, side);
  let sum: Law | null = null;
  for (let [rest, stage] = [batches, 1]; ; rest = Math.floor(rest / 2), stage++) {
    if (rest % 2 === 1) {
      while (sum && sum.h > doubled.h * 1.5) sum = finer(sum);
      sum = sum ? sumOf(sum, doubled, side) : doubled;
    }
    if (rest < 2) return sum!;
    doubled = sumOf(doubled, doubled, side);
    if (stage % 2 === 0) doubled = finer(doubled);
  }
}

/** Masses of products: P of the whole is x over the number of all terms. */
function productOf(a: Law, b: Law): Law {
  const size = a.q.length + b.q.length - 1;
  const [q, x] = [new Float64Array(size), new Float64Array(size)];
  for (let i = 0; i < a.q.length; i++) {
    for (let j = 0; j < b.q.length; j++) {
      q[i + j]! += a.q[i]! * b.q[j]!;
      x[i + j]! += a.x[i]! * b.x[j]!;
    }
  }
  const leftX = a.leftX * b.terms + b.leftX * a.terms;
  const terms = a.terms * b.terms;
  return trimmed({ first: a.first + b.first, q: [...q], x: [...x], h: a.h, terms, leftQ: a.leftQ + b.leftQ, leftX });
}

function powerOf(law: Law, count: number): Law {
  const half = count > 1 ? powerOf(law, Math.floor(count / 2)) : null;
  if (half === null) return law;
  const even = productOf(half, half);
  return count % 2 === 1 ? productOf(even, law) : even;
}

/** delta of removals and of additions. */
function deltasOf({ q, x, terms, leftQ, leftX }: Law, side: Side, epsilon: number): readonly [number, number] {
  const ratio = Math.exp(epsilon);
  let [remove, add] = side === 'spread' ? [leftX / terms, leftQ] : [0, 0];
  for (let i = 0; i < q.length; i++) {
    remove += Math.max(0, x[i]! / terms - ratio * q[i]!);
    add += Math.max(0, q[i]! - (ratio * x[i]!) / terms);
  }
  return [remove, add];
}

const muOf = (entry: EntrySpec): number =>
  entry.type === 'gaussian' ? Number(entry.sensitivity) / Number(entry.sigma) : NaN;

/** Losses of randomized responses with their probabilities. */
function lossesOf(entries: readonly EntrySpec[]): readonly (readonly [number, number])[] {
  let all: (readonly [number, number])[] = [[0, 1]];
  for (const entry of entries) {
    if (entry.type !== 'dp') throw new Error(`${entry.type} beside random allocation`);
    const e = Number(entry.epsilon);
    const likely = 1 / (1 + Math.exp(-e));
    for (let i = 0; i < entry.count; i++) {
      all = all.flatMap(([loss, p]): (readonly [number, number])[] => [
        [loss + e, p * likely],
        [loss - e, p * (1 - likely)],
      ]);
    }
  }
  return all;
}

/** Epochs of random allocation to one batch, with Gaussian noise, and with few randomized responses. */
export function allocatedTruth(entries: readonly EntrySpec[]): Truth {
  const noisy = entries.filter(({ type }) => type === 'gaussian');
  const losses = lossesOf(entries.filter(({ type }) => type !== 'gaussian'));
  const batchesOf = (entry: EntrySpec): number => Number(entry.sampling?.rate[1] ?? 1);
  // Where all records are in the one batch all epochs are one Gaussian mechanism.
  const plain = noisy.filter((entry) => batchesOf(entry) === 1);
  const parts = noisy
    .filter((entry) => batchesOf(entry) > 1)
    .map((entry) => ({ mu: muOf(entry), batches: batchesOf(entry), count: entry.count }));
  const mu = Math.sqrt(plain.reduce((sum, entry) => sum + entry.count * muOf(entry) ** 2, 0));
  if (mu > 0) parts.push({ mu, batches: 1, count: 1 });
  const widest = Math.max(...parts.map((part) => part.mu * (2 * REACH + part.mu)));
  const finest = Math.min(0.04, ...parts.map((part) => part.mu / 12 / Math.sqrt(part.batches)));
  const places = 2 ** Math.floor(Math.log2(Math.max(finest, 5e-4, widest / 4000)));
  const lawOf = (side: Side): Law =>
    parts
      .map(({ mu: one, batches, count }): Law => {
        // Every grid ends as the same power of 2.
        const stages = Math.floor(Math.floor(Math.log2(batches)) / 2);
        return powerOf(epoch(one, batches, places * 2 ** stages, side), count);
      })
      .reduce(productOf);
  const [most, least] = [lawOf('spread'), lawOf('means')];
  const deltaAt = (law: Law, side: Side, epsilon: number): number => {
    const both = [0, 0];
    for (const [loss, p] of losses) deltasOf(law, side, epsilon - loss).forEach((delta, i) => (both[i]! += p * delta));
    return Math.max(...both);
  };
  return {
    means: 'optimum',
    deltaAt(epsilon: Real): Interval {
      const at = approximately(epsilon(400), 400);
      const bits = 1000;
      return {
        low: ofDouble(deltaAt(least, 'means', at) * (1 - ROUNDING))(bits),
        high: ofDouble(Math.min(1, deltaAt(most, 'spread', at) * (1 + ROUNDING)))(bits) + 1n,
        bits,
      };
    },
    failure: NO_FAILURE,
    maximum: Infinity,
  };
}
