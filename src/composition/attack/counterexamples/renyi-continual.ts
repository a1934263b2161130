import { encloseDecimal, type Decimal } from '../../../numeric/decimal.ts';
import { divide, expm1, log1p, multiply, subtract } from '../../../numeric/enclosure-arithmetic.ts';
import { asLower, exactly, type LowerBound } from '../../../numeric/enclosure.ts';

/**
 * The impossibility lower bound of epsilon at order alpha for so many continual (alpha, e)-RDP instances of which one may differ:
 * ln(1 + l (e^((alpha - 1) e) - 1)) / (alpha - 1), rounded down; 1 < alpha, without limit as l grows if e > 0.
 *
 * Each instance has zero loss, but with probability p it tells its data with a certainty that makes it exactly (alpha, e)-RDP;
 * whoever sees that one will, gives it the data that differ. The bound is the limit of p to 0.
 *
 * Source: the construction of Henzinger, Safavi, Vadhan (2025), Theorem 13.5; for l instances derived. The constants
 * printed there do not prove the theorem for large claims (their mechanism's divergence stays below the claim), and for
 * e = 0 it is not true.
 */
export function renyiOfOne(alpha: Decimal, epsilon: Decimal, instances: number): LowerBound {
  const order = subtract(encloseDecimal(alpha), exactly(1));
  const each = expm1(multiply(order, encloseDecimal(epsilon)));
  if (each.upper === Infinity) return asLower(encloseDecimal(epsilon).lower);
  const { lower } = divide(log1p(multiply(exactly(instances), each)), order);
  return asLower(Math.max(0, lower));
}
