import { Decimal, decimalFromDouble } from '../../numeric/decimal.ts';
import { goldenSection } from '../../numeric/convex/minimum.ts';
import type { Measure, NamedSetting } from '../core/setting.ts';

/** The obstacle to a smaller regret by another value of one of the chosen parameters, all others being the same. */
export type Limit =
  /** The next value of four digits is not private enough by exact accounting. */
  | { readonly by: 'privacy'; readonly parameter: 'eta' | 'lambda'; readonly next: Decimal }
  /** The safe regret itself is least there, to four digits, whatever privacy asks. */
  | { readonly by: 'regret'; readonly parameter: 'eta' | 'lambda' }
  /** There is one batch: the first x is played in all rounds, and nothing is learned. */
  | { readonly by: 'one-batch' };

/** Parameters that a search found, and why these. */
export interface Chosen<M extends Measure = Measure> {
  readonly named: NamedSetting<M>;
  readonly limit: Limit;
  /** About the safe regret with other parameters, all else searched again; Infinity where nothing is private enough. */
  readonly others: readonly Change[];
}

/** A change of one parameter, and about what the safe regret would be then. */
export interface Change {
  readonly parameter: 'batch' | 'switchRate';
  readonly value: number;
  readonly regret: number;
}

/** A point with its value. */
export interface Found {
  readonly at: number;
  readonly value: number;
}

/** The least value seen by golden sections on ln x; of equal ones the first. For functions that fall, then rise. */
export function leastOnLogScale(f: (x: number) => number, from: number, to: number, sections: number): Found {
  let best: Found = { at: from, value: Infinity };
  const look = (at: number): number => {
    const value = f(at);
    if (value < best.value) best = { at, value };
    return value;
  };
  goldenSection(look, from, to, sections);
  return best;
}

/** The largest x of [from, to], to a relative 2^-steps of their ratio, that is allowed, if what is allowed lies below; else null. */
export function largestAllowed(
  allowed: (x: number) => boolean,
  from: number,
  to: number,
  steps: number,
): number | null {
  if (allowed(to)) return to;
  if (!allowed(from)) return null;
  let [low, high] = [Math.log(from), Math.log(to)];
  for (let i = 0; i < steps; i++) {
    const middle = (low + high) / 2;
    if (allowed(Math.exp(middle))) low = middle;
    else high = middle;
  }
  return Math.exp(low);
}

const MOST_STEPS = 60;

/**
 * An x of [from, to], no further than a relative `precision` below where f, which grows, passes 0, with f(x) <= 0; null
 * where f(from) > 0. By false position on ln x (Illinois), for an f that takes long: each guess is taken a little to the other side
 * of where the last one was, so that good ones close in from both sides.
 */
export function lastBelow(f: (x: number) => number, from: number, to: number, precision: number): number | null {
  let [a, fa] = [Math.log(from), f(from)];
  if (fa > 0) return null;
  let [b, fb] = [Math.log(to), f(to)];
  if (fb <= 0) return to;
  let root = from;
  let moved: 'a' | 'b' | null = null;
  for (let i = 0; i < MOST_STEPS && b - a > precision; i++) {
    const slope = fb - fa;
    const aside = moved === 'a' ? 0.4 * precision : moved === 'b' ? -0.4 * precision : 0;
    const guess = Number.isFinite(slope) ? b - (fb * (b - a)) / slope + aside : (a + b) / 2;
    const middle = Math.max(a + precision / 2, Math.min(b - precision / 2, guess));
    const x = Math.exp(middle);
    const value = f(x);
    if (value <= 0) {
      if (moved === 'a') fb /= 2;
      [a, fa, root, moved] = [middle, value, x, 'a'];
    } else {
      if (moved === 'b') fa /= 2;
      [b, fb, moved] = [middle, value, 'b'];
    }
  }
  return root;
}

/** The same on (0, limit], looked for within a factor of where it may be; null where it is not found there. */
export function lastBelowNear(
  f: (x: number) => number,
  { near, factor, limit }: { readonly near: number; readonly factor: number; readonly limit: number },
  precision: number,
): number | null {
  const to = Math.min(limit, near * factor);
  const root = lastBelow(f, near / factor, to, precision);
  return root === to && to < limit ? null : root;
}

/** Whole numbers from 1 to `limit`: all up to `dense`, then growing by `ratio`, and `limit` itself. */
export function gridOfWholes(limit: number, dense: number, ratio: number): number[] {
  const grid: number[] = [];
  for (let n = 1; n < limit; n = n < dense ? n + 1 : Math.max(n + 1, Math.round(n * ratio))) grid.push(n);
  return [...grid, limit];
}

/** Batch sizes of T rounds: a grid of sizes, and the least size for each of a few numbers of batches. */
export function gridOfBatches(rounds: number, dense: number, ratio: number): number[] {
  const shares = Array.from({ length: dense }, (_, i) => Math.ceil(rounds / (i + 1)));
  return [...new Set([...gridOfWholes(rounds, dense, ratio), ...shares])].sort((a, b) => a - b);
}

/** Half a batch and twice the batch, as far as T rounds have such batches. */
export const halfAndTwice = (batch: number, rounds: number): number[] =>
  [Math.floor(batch / 2), Math.min(rounds, 2 * batch)].filter((other) => other >= 1 && other !== batch);

/** The whole number with the least value: the best of the grid, then around it by thirds; of equal ones the smallest. */
export function leastWhole(f: (n: number) => number, grid: readonly number[]): Found {
  const values = new Map<number, number>();
  const look = (n: number): number => {
    const value = values.get(n) ?? f(n);
    values.set(n, value);
    return value;
  };
  const best = grid.reduce((min, n, i) => (look(n) < look(grid[min]!) ? i : min), 0);
  let [low, high] = [grid[Math.max(0, best - 1)]!, grid[Math.min(grid.length - 1, best + 1)]!];
  while (high - low > 3) {
    const third = Math.floor((high - low) / 3);
    if (look(low + third) <= look(high - third)) high -= third;
    else low += third;
  }
  for (let n = low; n <= high; n++) look(n);
  const all = [...values].sort(([a], [b]) => a - b);
  return all.reduce<Found>((min, [at, value]) => (value < min.value ? { at, value } : min), {
    at: grid[0]!,
    value: Infinity,
  });
}

/** Positive decimals of so many significant digits. */
const DIGITS = 4;
const FIRST = 10 ** (DIGITS - 1);
const PER_DECADE = 9 * FIRST;

/** The positive decimals of four significant digits, numbered in their order: 1 is number 0. */
export function gridValue(index: number): Decimal {
  const decade = Math.floor(index / PER_DECADE);
  return new Decimal(FIRST + index - decade * PER_DECADE).times(new Decimal(10).pow(decade - DIGITS + 1));
}

/** The number of the largest decimal of four digits that is at most x > 0. */
export function gridIndexBelow(x: number): number {
  const value = decimalFromDouble(x).toSignificantDigits(DIGITS, Decimal.ROUND_DOWN);
  const decade = value.e;
  return decade * PER_DECADE + value.times(new Decimal(10).pow(DIGITS - 1 - decade)).toNumber() - FIRST;
}

/**
 * A number from `from` to `to` that is allowed while the next one is not (or is beyond `to`), near `start`; null where
 * none is found below it.
 */
export function lastAllowed(
  allowed: (index: number) => boolean,
  start: number,
  from: number,
  to: number,
): number | null {
  const first = Math.max(from, Math.min(to, start));
  const up = allowed(first);
  const end = up ? to : from;
  let near = first;
  for (let step = 1; near !== end; step *= 4) {
    const far = up ? Math.min(to, near + step) : Math.max(from, near - step);
    if (allowed(far) !== up) return up ? lastBetween(allowed, near, far) : lastBetween(allowed, far, near);
    near = far;
  }
  return up ? to : null;
}

/** The last number before one that is not allowed, `low` being allowed and `high` not. */
function lastBetween(allowed: (index: number) => boolean, low: number, high: number): number {
  let [inside, outside] = [low, high];
  while (outside - inside > 1) {
    const middle = Math.floor((inside + outside) / 2);
    if (allowed(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
}
