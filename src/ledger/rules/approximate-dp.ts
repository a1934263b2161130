import { Arithmetic } from '../../bounds/precise/interval.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { productUp } from '../../numeric/round-up.ts';
import { approximateDpOf } from '../charges/rho.ts';
import type { LedgerGuarantee } from '../core/guarantee.ts';
import { summed, behindConversion, convertedDelta, wrongMeasure, type FilterRule } from './accumulate.ts';

const WIDE_DIGITS = 60;
const SHOWN_DIGITS = 20;
const UP = 0;
const HALF = new Decimal('0.5');
const wide = new Arithmetic(WIDE_DIGITS);
const ShortDown = Decimal.clone({ precision: WIDE_DIGITS, rounding: 1 });
const UNBOUNDED: LedgerGuarantee = { type: 'dp', epsilon: new Decimal(Infinity), delta: new Decimal(Infinity) };

/** ln(1/delta'). */
const logInverse = (deltaPrime: Decimal) => wide.negate(wide.logarithm(wide.of(deltaPrime)));

/**
 * The largest S with sqrt(2 ln(1/delta') S) + S / 2 <= epsilon, rounded down at about 60 digits:
 * S* = 2 (sqrt(L + epsilon) - sqrt(L))^2 = 2 (epsilon / (sqrt(L + epsilon) + sqrt(L)))^2, L = ln(1/delta').
 */
export function largestSquareSum(epsilon: Decimal, deltaPrime: Decimal): Decimal {
  if (epsilon.isZero()) return new Decimal(0);
  const log = logInverse(deltaPrime);
  const roots = wide.add(wide.squareRoot(wide.add(log, wide.of(epsilon))), wide.squareRoot(log));
  return new Decimal(wide.multiply(wide.of(2), wide.square(wide.divide(wide.of(epsilon), roots))).lower);
}

/** sqrt(2 ln(1/delta') S) + S / 2, rounded up at 20 digits. */
export function epsilonOfSquares(squares: Decimal, deltaPrime: Decimal): Decimal {
  if (squares.isZero()) return new Decimal(0);
  const sum = wide.of(squares);
  const root = wide.squareRoot(wide.multiply(wide.multiply(wide.of(2), logInverse(deltaPrime)), sum));
  const { upper } = wide.add(root, wide.divide(sum, wide.of(2)));
  return new Decimal(upper.toSignificantDigits(SHOWN_DIGITS, UP));
}

/**
 * (e_i, d_i)-DP: sqrt(2 ln(1/delta') sum e_i^2) + sum e_i^2 / 2 <= epsilon and delta' + sum d_i <= delta, delta' > 0
 * fixed at the start; as an odometer it reads (that epsilon, delta), and (Infinity, Infinity) once the d_i exceed delta.
 *
 * The first condition is decided as sum e_i^2 <= S*, the sum an exact decimal and S* rounded down. The printed statement
 * (Haney et al. 2023, Thm 3.7 and Example B.2) has the inequality the wrong way round; their proof has it as here. It can
 * be worse than basic composition, and no theorem covers taking the better of the two along the way.
 *
 * Product form of the d_i, 1 - (1 - delta') prod (1 - d_i) <= delta [derived]: given that nothing is revealed, the
 * mechanisms are (e_i, 0)-DP and the rule with all d_i = 0 bounds delta(epsilon) by delta'; a path counts with
 * prod (1 - d_i) >= 1 - delta''. So 1 - delta is at least (1 - delta'')(1 - delta').
 *
 * Source: Whitehouse, Ramdas, Rogers, Wu 2023; Haney et al. 2023, Thm 3.7, 3.8 (corrected) and 1.20.
 */
export const approximateDpRule: FilterRule<'approximate-dp'> = {
  id: 'approximate-dp',
  name: 'fully adaptive advanced composition',
  reference:
    'Whitehouse, Ramdas, Rogers, Wu 2023; Haney et al. 2023, Thm 3.7 and 3.8 (inequality corrected); Henzinger, Safavi, Vadhan 2025, Thm 12.4',
  concurrent: 'proved',
  assumes: 'discrete-answers',
  accumulator(rule, budget) {
    const { delta, deltaPrime } = rule;
    return {
      coordinates: [
        summed('epsilonSquared', budget && largestSquareSum(budget.epsilon, deltaPrime)),
        convertedDelta(rule, budget !== null),
      ],
      charge(guarantee) {
        const behind = approximateDpOf(guarantee);
        if (!behind) return wrongMeasure('approximate-dp', guarantee);
        return { parts: [productUp(behind.epsilon, behind.epsilon), behind.delta] };
      },
      reading([squares, total]) {
        if (total!.gt(delta)) return UNBOUNDED;
        return { type: 'dp', epsilon: epsilonOfSquares(squares!, deltaPrime), delta };
      },
      // (e, 0)-DP is e^2/2-zCDP.
      underlying: ([squares, total]) => (total!.gt(delta) ? null : behindConversion(rule, productUp(squares!, HALF))),
      guarantee: budget && { type: 'dp', epsilon: budget.epsilon, delta },
      leftOf: ([squares, rest]) => ({
        type: 'dp',
        epsilon: new Decimal(new ShortDown(squares!).sqrt()),
        delta: rest!,
      }),
    };
  },
};
