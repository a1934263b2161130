import { Decimal } from '../../numeric/decimal.ts';

/** Digits of sums that are rounded up. */
const PRECISION = 60;
const Up = Decimal.clone({ precision: PRECISION, rounding: Decimal.ROUND_UP });

/** More steps than this are not added up one by one. */
const MOST_TERMS = 1000;

/**
 * An upper end of `delta (1 + e^epsilon + ... + e^((steps - 1) epsilon))`: the delta of `steps` neighbouring steps, each of
 * which is (epsilon, delta)-indistinguishable; `epsilon` at least 0, `delta` from 0 to 1. Infinity is capped at 1, as
 * every delta is.
 *
 * Each factor and sum is rounded up; of many steps, each term is replaced by the last and largest.
 */
export function deltaOfSteps(epsilon: Decimal, delta: Decimal, steps: number): Decimal {
  if (delta.isZero()) return delta;
  const one = new Decimal(1);
  const largest = new Up(epsilon).times(steps - 1);
  if (largest.plus(new Up(delta).ln()).gt(0)) return one;
  let sum = new Up(0);
  if (steps > MOST_TERMS) {
    sum = largest.exp().times(steps);
  } else {
    const factor = new Up(epsilon).exp();
    let term = new Up(1);
    for (let i = 0; i < steps; i++) {
      sum = sum.plus(term);
      term = term.times(factor);
    }
  }
  return Decimal.min(one, new Decimal(sum.times(delta)));
}
