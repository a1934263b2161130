import { Arithmetic } from '../../bounds/precise/interval.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { RoundUp } from '../../numeric/round-up.ts';
import type { Mechanism } from '../../privacy/mechanism.ts';
import type { Path } from '../../privacy/mechanisms/record.ts';
import { recordOf } from '../../privacy/mechanisms/records.ts';
import { isMechanism, type Guarantee } from './guarantee.ts';

const ZERO = new Decimal(0);
const ONE = new Decimal(1);
const DIGITS = 60;
const UP = 0;
const wide = new Arithmetic(DIGITS);
/** Beyond this a sum of e^(i e) exceeds every 1 / d. */
const LARGEST_EXPONENT = 1000;

const product = (a: Decimal, b: Decimal): Decimal => new Decimal(new RoundUp(a).times(b));

/** d (1 + e^e + ... + e^((k-1) e)), at most d k e^((k-1) e) and at most 1; rounded up. */
function groupDelta(epsilon: Decimal, delta: Decimal, steps: Decimal): Decimal {
  if (delta.isZero() || steps.isZero()) return ZERO;
  const whole = epsilon.times(steps);
  if (whole.gt(LARGEST_EXPONENT)) return ONE;
  const last = wide.exponential(wide.of(whole.minus(epsilon)));
  const atMost = wide.multiply(wide.of(steps), last).upper;
  const step = wide.expm1(wide.of(epsilon));
  const sum = step.lower.gt(0) ? wide.divide(wide.expm1(wide.of(whole)), step).upper : atMost;
  return Decimal.min(ONE, product(delta, Decimal.min(sum, atMost)).toSignificantDigits(DIGITS, UP));
}

/** A path of so many steps, rounded up. */
const pathOf = (steps: Decimal): Path => ({
  times: (x) => product(x, steps),
  timesSquare: (x) => product(x, steps.times(steps)),
  whole: (x) => product(x, steps).ceil(),
  delta: (epsilon, delta) => groupDelta(epsilon, delta, steps),
});

/**
 * A guarantee at distance 1 as it is at distance d; null where nothing is known.
 *
 * A guarantee of neighbours holds along a path of ceil(d) steps: see the `along` of each type of mechanism. Renyi guarantees
 * at single orders, approximate ones and finite pairs have no map beyond 1 here.
 */
export function atDistance(guarantee: Guarantee, distance: Decimal): Guarantee | null {
  if (distance.eq(1)) return guarantee;
  const steps = distance.ceil();
  const along = isMechanism(guarantee) ? recordOf(guarantee).along : undefined;
  if (along === undefined) return steps.lte(1) ? guarantee : null;
  return along(guarantee as Mechanism, pathOf(steps));
}
