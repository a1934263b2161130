import { Arithmetic } from '../../bounds/precise/interval.ts';
import { Decimal, ZERO, ONE, productUp } from '../../numeric/decimal.ts';
import { type Mechanism, relationOf, type Entry } from '../../privacy/mechanism.ts';
import type { Path } from '../../privacy/mechanisms/record.ts';
import { recordOf } from '../../privacy/mechanisms/records.ts';
import { isMechanism, type Guarantee } from './rule.ts';
import type { Refusal } from './refusal.ts';
import type { Terms } from './terms.ts';

const DIGITS = 60;
const UP = 0;
/** Beyond this the last term of the sum exceeds every 1 / d. */
const LARGEST_EXPONENT = 1000;

/** More zeros after the point of an epsilon than this are not looked at: the sum is k but for a share of k 1e-400. */
const MOST_ZEROS = 400;

/**
 * d (1 + e^e + ... + e^((k-1) e)), at most d k e^((k-1) e) and at most 1; rounded up, at most a share of 1e-50 above.
 *
 * Accuracy: the sum is a quotient of e^x - 1, of which a small epsilon takes as many digits as it has zeros.
 */
function groupDelta(epsilon: Decimal, delta: Decimal, steps: Decimal): Decimal {
  if (delta.isZero()) return ZERO;
  if (epsilon.isZero()) return Decimal.min(ONE, productUp(delta, steps));
  const whole = productUp(epsilon, steps);
  const before = productUp(epsilon, steps.minus(1));
  if (before.gt(LARGEST_EXPONENT)) return ONE;
  const wide = new Arithmetic(DIGITS + Math.min(MOST_ZEROS, Math.max(0, -epsilon.e)));
  const last = wide.exponential(wide.of(before));
  const atMost = wide.multiply(wide.of(steps), last).upper;
  const step = wide.expm1(wide.of(epsilon));
  const sum = step.lower.gt(0) ? wide.divide(wide.expm1(wide.of(whole)), step).upper : atMost;
  return Decimal.min(ONE, productUp(delta, Decimal.min(sum, atMost)).toSignificantDigits(DIGITS, UP));
}

/** A path of so many steps, rounded up. */
const pathOf = (steps: Decimal): Path => ({
  times: (x) => productUp(x, steps),
  timesSquare: (x) => productUp(x, productUp(steps, steps)),
  whole: (x) => productUp(x, steps).ceil(),
  delta: (epsilon, delta) => groupDelta(epsilon, delta, steps),
});

/**
 * A guarantee at distance 1 as it is at distance d; null where nothing is known.
 *
 * A guarantee of neighbours holds along a path of ceil(d) steps, and as it is up to a distance of 1: see the `along` of
 * each type of mechanism. Renyi guarantees at single orders, approximate ones and finite pairs have no map beyond 1 here.
 */
export function atDistance(guarantee: Guarantee, distance: Decimal): Guarantee | null {
  const steps = distance.ceil();
  if (steps.lte(1)) return guarantee;
  const along = isMechanism(guarantee) ? recordOf(guarantee).along : undefined;
  return along === undefined ? null : along(guarantee as Mechanism, pathOf(steps));
}

/**
 * The refusal of a mechanism whose guarantee is for a relation of neighbours that the ledger does not name as its own: guarantees
 * for different relations do not add up. Null where there is none.
 */
export function otherRelation(entry: Entry, { neighbours }: Pick<Terms, 'neighbours'>): Refusal | null {
  const relation = relationOf(entry);
  if (relation === null || relation === neighbours) return null;
  return { code: 'unverified', reason: 'other-relation', relation, ledger: neighbours };
}
