import type { Decimal } from '../numeric/decimal.ts';
import { Rational } from '../numeric/rational.ts';

/** In which steps of a run the data of one person may be used. */
export interface Participation {
  /** Steps of the run, numbered from 0. */
  readonly steps: number;
  /** The most steps in which one person takes part. */
  readonly participations: number;
  /** Each of them is at least so many steps after the one before; 1: they may follow each other. */
  readonly separation: number;
}

/** Steps and separations up to here: sums of a few of them are exact in doubles. */
export const MOST_STEPS = 1e15;

/** How often one person can take part at most: the separation leaves room for no more than ceil(steps / separation). */
export const mostParticipations = ({ steps, participations, separation }: Participation): number =>
  Math.min(participations, Math.ceil(steps / separation));

/*
 * Tree aggregation releases, for every node of a binary tree over the steps, the sum of its leaves with Gaussian noise of the
 * same sigma (Dwork, Naor, Pitassi, Rothblum 2010; Chan, Shi, Song 2011; in DP-FTRL: Kairouz, McMahan, Song, Thakkar,
 * Thakurta, Xu 2021). A person who takes part in the steps of a set P moves the sum of a node by a vector of norm at most
 * n(v) = |P in v|, where one contribution has norm at most 1, and by that much where all contributions are equal. The squared
 * sensitivity is thus the maximum over P of the sum of n(v)^2, a whole number.
 *
 * It is the same where contributions depend on earlier answers: each answer is given after the steps it sums up, its shift is
 * known from the answers before it, and Gaussian noise with shifts chosen adaptively whose squared norms sum to at most
 * S^2 on every path is dominated by that of one shift of norm S (Denisov, McMahan, Rush, Smith, Thakurta 2022; as a
 * filter of Gaussian differential privacy: Smith, Thakurta 2022).
 *
 * The maximum is found over places as wide as the separation at most, of which each holds one participation: how many
 * participations are in each part of the tree decides the sum, and which sets of first and last steps go with it is a polygon
 * x <= first, z <= last, x + z <= both, in the steps x before the first that are closed and the z after the last. Side by side
 * two such polygons make one again: of the steps between, j closed to the left part and b - 1 - j to the right, j is whole, so
 * that it exists where each lower end is at most each upper end. No step is lost, so the maximum is exact.
 *
 * Where there are too many ways, some are joined to one that has the largest sum and the largest polygon of them: it allows
 * all that they allow and more, and what is made of it has no smaller sum and no smaller polygon, so that the result is an
 * upper bound.
 */

/** Which nodes are released: all of the smallest whole tree over the steps, or those whose leaves are all steps of the run. */
export type TreeNodes = 'all' | 'completed';

/** A way to distribute participations over a part of the tree: the sum of n(v)^2 there, and its polygon of closed steps. */
interface Way {
  readonly sum: number;
  readonly first: number;
  readonly last: number;
  readonly both: number;
}

/** A part of the tree of so many steps, with the ways that no other outdoes, by the number of participations. */
interface Part {
  readonly size: number;
  readonly ways: readonly (readonly Way[])[];
}

/** Ways that are compared before another limit is tried: parts of a second. */
const MOST_WORK = 2e7;

/** How many ways are kept for one number of participations in a part, one limit after the other. */
const MOST_WAYS = [Infinity, 24, 6, 1];

/** More participations than these are not looked at. */
export const MOST_PARTICIPATIONS = 1000;

/** Thrown where there are more ways than are looked at. */
class TooMany extends Error {}

const outdoes = (a: Way, b: Way): boolean =>
  a.sum >= b.sum && a.first >= b.first && a.last >= b.last && a.both >= b.both;

/** The least way that allows all that two allow. */
const over = (a: Way, b: Way): Way => ({
  sum: Math.max(a.sum, b.sum),
  first: Math.max(a.first, b.first),
  last: Math.max(a.last, b.last),
  both: Math.max(a.both, b.both),
});

class Tree {
  readonly #mostParticipations: number;
  readonly #separation: number;
  readonly #mostWays: number;
  readonly #whole = new Map<number, Part>();
  #work = 0;
  /** Whether no ways were joined. */
  isExact = true;

  constructor(participation: Participation, mostWays: number) {
    this.#mostWays = mostWays;
    this.#mostParticipations = mostParticipations(participation);
    this.#separation = participation.separation;
  }

  /** A way without what no neighbour asks for: at most b - 1 steps are closed on a side. */
  #trimmed({ sum, first, last, both }: Way): Way {
    const limit = this.#separation - 1;
    const [x, z] = [Math.min(first, both, limit), Math.min(last, both, limit)];
    return { sum, first: x, last: z, both: Math.min(both, x + z) };
  }

  /** Adds a way to those that no other outdoes. */
  #insert(ways: Way[], way: Way): void {
    if (ways.length > 1) this.#work += ways.length;
    if (this.#work > MOST_WORK && this.#mostWays > 1) throw new TooMany();
    for (const other of ways) if (outdoes(other, way)) return;
    let size = 0;
    for (const other of ways) if (!outdoes(way, other)) ways[size++] = other;
    ways[size] = way;
    ways.length = size + 1;
  }

  /** No more ways than are kept, which allow all that these allow. */
  #thinned(ways: Way[]): Way[] {
    const limit = this.#mostWays;
    if (ways.length <= limit) return ways;
    this.isExact = false;
    const sorted = ways.toSorted((a, b) => b.both - a.both || b.sum - a.sum);
    const thinned: Way[] = [];
    for (let i = 0; i < limit; i++) {
      const from = Math.round((i * sorted.length) / limit);
      const near = sorted.slice(from, Math.round(((i + 1) * sorted.length) / limit));
      this.#insert(thinned, near.reduce(over));
    }
    return thinned;
  }

  /** A way on the left and one on the right, as one; null where they come too near to each other. */
  #joined(left: Part, l: Way, before: number, right: Part, r: Way, after: number): Way | null {
    if (before === 0 && after === 0) return l;
    if (before === 0) return { ...r, first: r.first + left.size, both: r.both + left.size };
    if (after === 0) return { ...l, last: l.last + right.size, both: l.both + right.size };
    const between = this.#separation - 1;
    if (l.last + r.first < between) return null;
    const first = Math.min(l.first, l.both, l.both + r.first - between);
    const last = Math.min(r.last, r.both, r.both + l.last - between);
    const both = l.both + r.both - between;
    return first < 0 || last < 0 || both < 0 ? null : { sum: l.sum + r.sum, first, last, both };
  }

  beside(left: Part, right: Part): Part {
    const size = left.size + right.size;
    const ways: Way[][] = [];
    const participations = Math.min(this.#mostParticipations, left.ways.length + right.ways.length - 2);
    for (let count = 0; count <= participations; count++) {
      const candidates: Way[] = [];
      // The largest sum of ways that close as few steps as any.
      let free = -1;
      const from = Math.max(0, count - right.ways.length + 1);
      for (let before = from; before <= Math.min(count, left.ways.length - 1); before++) {
        for (const l of left.ways[before]!) {
          for (const r of right.ways[count - before]!) {
            if (l.sum + r.sum <= free) continue;
            const way = this.#joined(left, l, before, right, r, count - before);
            if (way === null) continue;
            const trimmed = this.#trimmed(way);
            if (trimmed.both === 2 * this.#separation - 2) free = trimmed.sum;
            this.#insert(candidates, trimmed);
          }
        }
      }
      if (candidates.length === 0) break;
      ways.push(this.#thinned(candidates));
    }
    return { size, ways };
  }

  /** The same part with a node over all of it. */
  #under({ size, ways }: Part): Part {
    return { size, ways: ways.map((list, count) => list.map((way) => ({ ...way, sum: way.sum + count * count }))) };
  }

  /** The whole tree of 2^height steps. */
  #wholeTree(height: number): Part {
    const cachedTree = this.#whole.get(height);
    if (cachedTree !== undefined) return cachedTree;
    const size = 2 ** height;
    const half = (): Part => this.#wholeTree(height - 1);
    const closed = { first: size - 1, last: size - 1, both: size - 1 };
    const part: Part =
      size <= this.#separation
        ? { size, ways: [[{ sum: 0, first: 0, last: 0, both: 0 }], [this.#trimmed({ sum: height + 1, ...closed })]] }
        : this.#under(this.beside(half(), half()));
    this.#whole.set(height, part);
    return part;
  }

  /** The tree of 2^height places of which the first `steps` are steps of the run. */
  tree(steps: number, height: number, nodes: TreeNodes): Part {
    if (steps === 2 ** height) return this.#wholeTree(height);
    const half = 2 ** (height - 1);
    const part =
      steps <= half
        ? this.tree(steps, height - 1, nodes)
        : this.beside(this.#wholeTree(height - 1), this.tree(steps - half, height - 1, nodes));
    return nodes === 'all' ? this.#under(part) : part;
  }

  /** Equal parts one after the other. */
  repeated(part: Part, times: number): Part {
    if (times === 1) return part;
    const half = this.repeated(part, Math.floor(times / 2));
    const twice = this.beside(half, half);
    return times % 2 === 0 ? twice : this.beside(twice, part);
  }
}

function heightOver(steps: number): number {
  let height = 0;
  while (2 ** height < steps) height++;
  return height;
}

/** A squared sensitivity, or an upper bound on it. */
interface SquaredSensitivity {
  readonly square: number;
  readonly isExact: boolean;
}

function squareOf(
  participation: Participation,
  nodes: TreeNodes,
  restartEvery: number,
  mostWays: number,
): SquaredSensitivity {
  const tree = new Tree(participation, mostWays);
  const { steps } = participation;
  const treeOver = (leaves: number): Part => tree.tree(leaves, heightOver(leaves), nodes);
  const [trees, rest] = [Math.floor(steps / restartEvery), steps % restartEvery];
  const whole = trees === 0 ? null : tree.repeated(treeOver(restartEvery), trees);
  const all = whole === null ? treeOver(rest) : rest === 0 ? whole : tree.beside(whole, treeOver(rest));
  const square = all.ways.flat().reduce((max, { sum }) => Math.max(max, sum), 0);
  return { square, isExact: tree.isExact };
}

/**
 * The squared L2 sensitivity of tree aggregation in units of one contribution: the maximum of the sum over nodes of the
 * squared number of participations in them. A new tree begins after every `restartEvery` steps. Exact where there are not too
 * many ways to take part (with up to 50 participations, or a power of two as separation, there seldom are), and otherwise an
 * upper bound. Null where more than {@link MOST_PARTICIPATIONS} fit in.
 */
export function treeSquaredSensitivity(
  participation: Participation,
  nodes: TreeNodes,
  restartEvery = participation.steps,
): SquaredSensitivity | null {
  if (mostParticipations(participation) > MOST_PARTICIPATIONS) return null;
  for (const mostWays of MOST_WAYS) {
    try {
      return squareOf(participation, nodes, restartEvery, mostWays);
    } catch (error) {
      if (!(error instanceof TooMany)) throw error;
    }
  }
  return null;
}

/*
 * A matrix mechanism releases C x + z, row by row, and all that is made of it: C is lower triangular with one row for each
 * step, x the contributions, z Gaussian noise of the same sigma in every row (Denisov, McMahan, Rush, Smith, Thakurta 2022).
 * A person who takes part in the steps of a set P, each time by a vector u_t of norm at most 1, moves it by the sum over P of
 * c_t u_t, c_t the columns, whose squared norm is the sum over pairs of <c_s, c_t><u_s, u_t>. That contributions depend on
 * earlier rows changes nothing (the same paper; tree-sensitivity.ts says why).
 *
 * With `bands` bands column t is 0 but in the rows t to t + bands - 1. Columns that are at least `bands` apart share no row,
 * so the squared norm is the sum of |c_t|^2 |u_t|^2: at most the number of participations times the largest squared norm of
 * a column (Choquette-Choo, Ganesh, McKenna, McMahan, Rush, Thakurta, Xu 2023).
 */

/** `C[s + i][s]` for every step s: the first column of a Toeplitz matrix, of which all that follows is 0. */
type Coefficients = readonly Decimal[];

/** The coefficients times a power of ten, as whole numbers, and that power. */
function wholeNumbers(coefficients: Coefficients): { readonly values: readonly bigint[]; readonly unit: bigint } {
  const places = coefficients.reduce((max, c) => Math.max(max, c.decimalPlaces()), 0);
  const values = coefficients.map((c) => BigInt(c.toFixed(places).replace('.', '')));
  return { values, unit: 10n ** BigInt(places) };
}

const sumOfSquares = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value * value, 0n);

/** The largest squared Euclidean norm of a column: that of the first. */
export function largestSquaredColumnNorm(coefficients: Coefficients, steps: number): Rational {
  const { values, unit } = wholeNumbers(coefficients);
  return Rational.of(sumOfSquares(values.slice(0, steps)), unit * unit);
}

const neverGrow = (values: readonly bigint[]): boolean =>
  values.every((value, index) => value >= 0n && (index === 0 || value <= values[index - 1]!));

/** The squared norm of the sum of the columns 0, b, 2 b, ..., where these share rows. */
function overlapping(values: readonly bigint[], steps: number, times: number, separation: number): bigint {
  const sumAt = (row: number): bigint => {
    let sum = 0n;
    const from = Math.max(0, Math.ceil((row - values.length + 1) / separation));
    for (let i = from; i <= Math.min(times - 1, Math.floor(row / separation)); i++)
      sum += values[row - i * separation]!;
    return sum;
  };
  const sumOver = (from: number, to: number): bigint => {
    let sum = 0n;
    for (let row = from; row < to; row++) sum += sumAt(row) ** 2n;
    return sum;
  };
  const end = Math.min(steps, (times - 1) * separation + values.length);
  // Rows repeat from where the first column ends to where the next one would begin.
  const start = Math.min(values.length - 1, end);
  const periods = Math.max(0, Math.floor((Math.min(end, times * separation) - start) / separation));
  const repeated = periods === 0 ? 0n : BigInt(periods) * sumOver(start, start + separation);
  return sumOver(0, start) + repeated + sumOver(start + periods * separation, end);
}

/**
 * The squared L2 sensitivity of a banded Toeplitz matrix mechanism in units of one contribution, exactly.
 *
 * Where participations are at least as far apart as there are bands, the norms of columns add up, and earlier columns are cut
 * off less: it is that of the steps 0, b, 2 b and so on. Where they are not, that is so for coefficients which are at least 0
 * and never grow: all u_t are then best equal, and <c_s, c_t> is the sum over i of c_i c_(i + t - s) as far as the rows go,
 * which does not decrease where t comes nearer to s or both come earlier; the steps 0, b, 2 b come from any others in this way.
 * For other coefficients null.
 */
export function bandedSquaredSensitivity(coefficients: Coefficients, participation: Participation): Rational | null {
  const { values, unit } = wholeNumbers(coefficients);
  const { steps, separation } = participation;
  const times = mostParticipations(participation);
  const square = (whole: bigint): Rational => Rational.of(whole, unit * unit);
  if (times > 1 && separation < values.length) {
    return neverGrow(values) ? square(overlapping(values, steps, times, separation)) : null;
  }
  const left = steps - (times - 1) * separation;
  return square(BigInt(times - 1) * sumOfSquares(values) + sumOfSquares(values.slice(0, left)));
}
