import { Decimal } from '../../numeric/decimal.ts';
import { smallestWhole } from '../../numeric/smallest-whole.ts';
import { failureProbability } from '../../privacy/failure.ts';
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

const Up = Decimal.clone({ precision: 60, rounding: 2 });

/**
 * The delta that the next instance may have under a cap once instances with these deltas exist: 1 - (1 - cap) / prod(1 - d_j),
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

/** Fewer instances than this are counted. */
const MOST_COUNTED = 2 ** 52;

/**
 * How many instances of one delta fit under a cap, as far as doubles can count; Infinity where delta is 0 or cap 1.
 */
export function roomFor(cap: Decimal, delta: Decimal): number {
  if (delta.isZero() || cap.gte(1)) return Infinity;
  if (delta.gt(cap)) return 0;
  const isBeyond = (count: number): boolean => failureProbability([{ delta, count }]).upper.gt(cap);
  return Math.min(smallestWhole(isBeyond, MOST_COUNTED - 1), MOST_COUNTED) - 1;
}
