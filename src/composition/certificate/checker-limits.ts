import type { Entry } from '../../privacy/mechanism.ts';
import { hasPurePart, pureEpsilon, recordOf } from '../../privacy/mechanisms/records.ts';
import { groupEqual, mechanismsOf, totalEpsilon, type PureGroup } from '../../privacy/pure.ts';

/** A claim in doubles: enough to estimate what its check takes. */
export interface Claim {
  readonly entries: readonly Entry[];
  readonly epsilon: number;
  readonly delta: number;
}

/** The limits of docs/checker.py, a little lower, as they are compared with estimates in doubles. */
const MOST = {
  bits: 19_000,
  normalBits: 7600,
  work: 3.8e7,
  mechanisms: 1000,
  sums: 20_000,
  ranges: 300,
  products: 530_000,
  squares: 4.8e8,
  orderBits: 98,
  failureBits: 190_000,
};

/** -log2 x of a small x; 0 of others. */
const smallness = (x: number): number => (x > 0 && x < 1 ? -Math.log2(x) : 0);

const pureParts = (entries: readonly Entry[]): PureGroup[] =>
  groupEqual(
    entries.flatMap(({ mechanism, count }) =>
      hasPurePart(mechanism) ? [{ epsilon: pureEpsilon(mechanism), count }] : [],
    ),
  );

/** Whether the losses of composed randomized responses are few enough to be summed exactly. */
export function areFewSums({ entries, epsilon, delta }: Claim): boolean {
  const groups = pureParts(entries);
  const mechanisms = mechanismsOf(groups);
  const largest = Math.max(0, ...groups.map(({ count }) => count));
  const sums = groups.reduce((product, { count }) => product * (count + 1), 1) / (largest + 1);
  const bits = 200 + 2 * mechanisms + 3 * (epsilon + totalEpsilon(groups).toNumber()) + 2 * smallness(delta);
  return mechanisms <= MOST.mechanisms && sums <= MOST.sums && bits <= MOST.bits && sums * bits <= MOST.work;
}

/** Whether the normal distribution function takes few digits where the Gaussian curve needs it. */
export function isNearCenter({ entries, epsilon, delta }: Claim): boolean {
  const square = entries.reduce(
    (sum, { mechanism, count }) => sum + count * (recordOf(mechanism).muSquared?.enclosed(mechanism).upper ?? 0),
    0,
  );
  const bits = 200 + 8 * (epsilon + square) + (3 * epsilon ** 2) / square + 2 * smallness(delta) + smallness(square);
  return square === 0 || bits <= MOST.normalBits;
}

/** Whether few bounded-range mechanisms of one parameter are composed, and nothing else. */
export function areFewRanges({ entries, epsilon, delta }: Claim): boolean {
  const [range, ...others] = pureParts(entries);
  if (entries.length > 1 || range === undefined || others.length > 0 || range.count > MOST.ranges) return false;
  const [e, k] = [range.epsilon.toNumber(), range.count];
  const bits = 200 + 2 * k + 3 * (epsilon + k * e) + 2 * (smallness(delta) + smallness(e));
  return bits <= MOST.bits && k * bits <= MOST.products;
}

/** Whether divergences are few where the conversion needs their digits. */
export function areFewDivergences({ entries, delta }: Claim, lambda: number): boolean {
  const bits = 600 + 2 * smallness(delta) + 4 * smallness(lambda);
  return smallness(lambda) <= MOST.orderBits && entries.length * bits ** 2 <= MOST.squares;
}

/** Digits of a decimal that it reads; of more, a claim is the double above it. */
export const MOST_DIGITS = 1000;

/** Whether a list is one that the checker reads: few entries, and few digits in 1 - prod (1 - d_i). */
export function isReadable(entries: readonly Entry[]): boolean {
  const digits = entries.reduce((sum, { mechanism, count }) => {
    const places = 'delta' in mechanism ? mechanism.delta.decimalPlaces() : 0;
    return sum + count * Math.ceil(places * Math.log2(10));
  }, 0);
  return entries.length <= MOST.mechanisms && digits <= MOST.failureBits;
}
