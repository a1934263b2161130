import { encloseDecimal, type Decimal } from '../../numeric/decimal.ts';
import { add, divide, multiply, negate, squareRoot, times } from '../../numeric/enclosure-arithmetic.ts';
import type { Enclosure } from '../../numeric/enclosure.ts';
import { logDecimal } from '../core/log-decimal.ts';
import type { RegularisedWeights } from '../core/measure.ts';

/**
 * The distance of consecutive regularised weights, up to delta0: eta = 2 u + sqrt(8 u ln(2/delta0)) with
 * u = beta L^2 / lambda.
 *
 * Source: Asi, Koren, Liu, Talwar (2024), Lemma 3.11 (Gopi, Lee, Liu 2022; Agarwal, Kale, Singh, Thakurta 2023).
 */
export function lemma311(
  { beta, lambda, lipschitz }: Pick<RegularisedWeights, 'beta' | 'lambda' | 'lipschitz'>,
  delta0: Decimal,
): Enclosure {
  const l = encloseDecimal(lipschitz);
  const u = divide(multiply(encloseDecimal(beta), multiply(l, l)), encloseDecimal(lambda));
  const log = negate(logDecimal(delta0.div(2)));
  return add(times(2, u), squareRoot(times(8, multiply(u, log))));
}
