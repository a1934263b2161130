import { Arithmetic } from '../../bounds/precise/interval.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { RoundUp } from '../../numeric/round-up.ts';
import type { Guarantee } from './guarantee.ts';

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

/** The most that a statistic in whole numbers moves along so many steps. */
const wholeSensitivity = (sensitivity: Decimal, steps: Decimal): Decimal => product(sensitivity, steps).ceil();

/**
 * A guarantee at distance 1 as it is at distance d; null where nothing is known.
 *
 * A guarantee of neighbours holds along a path of k = ceil(d) steps. A statistic moves at most k times as far, so that
 * sensitivities of noise are multiplied by k; (e, d)-DP becomes (k e, d (1 + e^e + ... + e^((k-1)e)))-DP, e-bounded
 * range k e, rho-zCDP k^2 rho [Bun, Steinke 2016, Prop 1.9], mu-GDP k mu [Dong, Roth, Su 2022, Thm 2.14]. Renyi guarantees
 * at single orders, approximate ones and finite pairs have no map beyond 1 here.
 */
export function atDistance(guarantee: Guarantee, distance: Decimal): Guarantee | null {
  if (distance.eq(1)) return guarantee;
  const steps = distance.ceil();
  switch (guarantee.type) {
    case 'dp': {
      const { epsilon, delta } = guarantee;
      return { type: 'dp', epsilon: product(epsilon, steps), delta: groupDelta(epsilon, delta, steps) };
    }
    case 'bounded-range':
      return { type: 'bounded-range', epsilon: product(guarantee.epsilon, steps) };
    case 'laplace':
    case 'gaussian':
      return { ...guarantee, sensitivity: product(guarantee.sensitivity, steps) };
    case 'discrete-laplace':
    case 'discrete-gaussian':
      return { ...guarantee, sensitivity: wholeSensitivity(guarantee.sensitivity, steps) };
    case 'zcdp':
      return { type: 'zcdp', rho: product(guarantee.rho, steps.times(steps)) };
    case 'gdp':
      return { type: 'gdp', mu: product(guarantee.mu, steps) };
    case 'rdp':
    case 'approximate-zcdp':
    case 'approximate-rdp':
    case 'finite-pair':
      return steps.lte(1) ? guarantee : null;
  }
}
