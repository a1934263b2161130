import { Decimal } from '../../numeric/decimal.ts';
import { failureProbability } from '../../privacy/failure.ts';
import type { ApproximateDp, Entry } from '../../privacy/mechanism.ts';
import { henzingerSafaviVadhan, type Theorem } from './theorem.ts';

const shared = {
  number: 'Thm 5.4',
  reference: henzingerSafaviVadhan('Thm 5.4 with Lemma 5.11'),
  exposition: {
    statement:
      'Continual mechanisms with deltas: every instance that is created pays its delta, whether its data differ or not, and creation stops at a cap or a number.',
    formula: [
      'D = 1 - prod(1 - d_j) over all instances ever created',
      'if the composition of those k RR(e_i, 0) is (e, d)-DP, theirs is (e, 1 - (1 - d)(1 - D))-DP',
    ],
    departures: [
      'The theorem prints d + D; the product form is that of its Lemma 5.11, and is smaller.',
      'The proof of the product form needs neighbours to be neighbours the other way round: a counterexample breaks it otherwise. Where that is denied, every d_j counts twice.',
    ],
    works: ['henzinger-safavi-vadhan-2025'],
  },
} as const;

/**
 * Continual (e_j, d_j)-DP mechanisms created along the way, at most k of which ever get different data, while
 * D = 1 - prod(1 - d_j) over all that are created stays within a cap: if the composition of those k RR(e_i, 0) is
 * (e, d)-DP, theirs is (e, 1 - (1 - d)(1 - D))-DP. So every instance pays its RR(0, d_j), those that differ RR(e_i, 0)
 * besides.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Theorem 5.4, in the product form of its Lemma 5.11 (the theorem prints
 * d + D). The lemma needs pairs of neighbours to be neighbours the other way round; else every d_j counts twice, as the
 * mechanism is (e_j, 2 d_j)-DP for both directions (derived).
 */
export const parallelDeltaCap: Theorem = {
  id: 'parallel-delta-cap',
  name: 'k-sparse parallel composition under a cap on delta',
  needs: ['sparsity', 'delta-cap', 'symmetric', 'adaptive-adversary', 'discrete'],
  ...shared,
};

/** The same where the number of instances is limited: D is what that many can add up to. */
export const parallelBoundedNumber: Theorem = {
  id: 'parallel-delta-cap',
  name: 'k-sparse parallel composition of a limited number',
  needs: ['sparsity', 'bounded-instances', 'symmetric', 'adaptive-adversary', 'discrete'],
  ...shared,
};

const ONE = new Decimal(1);

/** d of a mechanism that is (e, d)-DP for neighbours in one order, in both orders. */
export const inBothOrders = (delta: Decimal): Decimal => Decimal.min(ONE, delta.times(2));

/** A mechanism that reveals everything with probability `delta`, and nothing else. */
export const revealing = (delta: Decimal): Entry => ({
  mechanism: { type: 'dp', epsilon: new Decimal(0), delta },
  count: 1,
  kind: 'continual',
  label: null,
});

const isDp = (entry: Entry): entry is Entry<ApproximateDp> => entry.mechanism.type === 'dp';

/** An upper end of 1 - prod(1 - d_j) over the (e_j, d_j)-DP mechanisms of a list. */
export const deltasTogether = (entries: readonly Entry[]): Decimal =>
  failureProbability(entries.filter(isDp).map(({ mechanism, count }) => ({ delta: mechanism.delta, count }))).upper;

/** The same mechanisms with every (e, d)-DP one taken as (e, 0)-DP. */
export const withoutDeltas = (entries: readonly Entry[]): readonly Entry[] =>
  entries.flatMap((entry): Entry[] => {
    if (!isDp(entry) || entry.mechanism.delta.isZero()) return [entry];
    const { mechanism } = entry;
    return mechanism.epsilon.isZero() ? [] : [{ ...entry, mechanism: { ...mechanism, delta: new Decimal(0) } }];
  });

const Up = Decimal.clone({ precision: 60, rounding: 2 });

/**
 * What the next instance may have under a cap once instances with these deltas exist: 1 - (1 - cap) / prod(1 - d_j),
 * rounded down; negative once the cap is passed. Derived from Definition 5.3 (iii).
 */
export function remainingDelta(
  cap: Decimal,
  created: readonly { readonly delta: Decimal; readonly count: number }[],
): Decimal {
  const survival = ONE.minus(failureProbability(created).upper);
  if (survival.isZero()) return cap.eq(1) ? ONE : new Decimal(-Infinity);
  return ONE.minus(new Decimal(new Up(ONE.minus(cap)).div(survival)));
}

/**
 * How many instances of one delta fit under a cap, as far as doubles can count; Infinity where delta is 0 or cap 1.
 */
export function roomFor(cap: Decimal, delta: Decimal): number {
  if (delta.isZero() || cap.gte(1)) return Infinity;
  if (delta.gt(cap)) return 0;
  const fits = (count: number): boolean => count === 0 || failureProbability([{ delta, count }]).upper.lte(cap);
  let [low, high] = [1, 2];
  while (high <= Number.MAX_SAFE_INTEGER / 2 && fits(high)) [low, high] = [high, high * 2];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
