import { fromDecimal, toDouble, type DoubleDouble } from '../numeric/double-double.ts';
import type { Decimal } from '../numeric/decimal.ts';
import type { Probability } from '../numeric/binomial.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from '../numeric/rounding.ts';

/** Below this the probability of the lower loss is taken as "at most": it would underflow. */
const TINY = 1e-299;
const LARGEST_EXPONENT = 688;

/**
 * Randomized response RR(e), the pair that dominates every (e, 0)-DP mechanism: privacy loss +e with probability
 * e^e / (1 + e^e), -e otherwise (Kairouz, Oh, Viswanath; mathematics of (e, d): with probability d all is revealed).
 */
export interface RandomizedResponse {
  readonly epsilon: DoubleDouble;
  /** `value`: probability of the loss -e; `complement`: of +e. */
  readonly minus: Probability;
}

export function randomizedResponse(epsilon: Decimal): RandomizedResponse {
  const e = fromDecimal(epsilon);
  const rounded = toDouble(e);
  if (rounded > LARGEST_EXPONENT) return { epsilon: e, minus: { value: TINY, complement: 1, error: 1 } };
  const small = Math.exp(-rounded);
  const complement = 1 / (1 + small);
  return {
    epsilon: e,
    // The exponent's rounding costs e U, the exponential its own error, the rest three roundings.
    minus: { value: small * complement, complement, error: ELEMENTARY_ERROR + (4 + rounded) * U },
  };
}
