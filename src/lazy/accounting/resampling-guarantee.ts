import { encloseDecimal, type Decimal } from '../../numeric/decimal.ts';
import { divide, multiply } from '../../numeric/enclosure-arithmetic.ts';
import { exactly, type Enclosure } from '../../numeric/enclosure.ts';
import type { Measure, RegularisedWeights } from '../core/measure.ts';

/** The known guarantee of one resampling of x or y, for replacing one loss. */
export type ResamplingGuarantee =
  | { readonly kind: 'randomized-response'; readonly epsilon: Decimal }
  | { readonly kind: 'bounded-range'; readonly epsilon: Decimal }
  | { readonly kind: 'gaussian'; readonly muSquared: Enclosure };

export type GuaranteeKind = ResamplingGuarantee['kind'];

/**
 * mu^2 = 2 beta L^2 / lambda: exponents that are 2 beta lambda-strongly convex on a convex set and differ by a
 * 2 beta L-Lipschitz function give mu-Gaussian differential privacy with mu = 2 beta L / sqrt(2 beta lambda).
 *
 * Source: Gopi, Lee, Liu (2022), Theorem 4.1.
 */
export function gaussianSquared({ beta, lambda, lipschitz }: RegularisedWeights): Enclosure {
  const l = encloseDecimal(lipschitz);
  return divide(multiply(multiply(exactly(2), encloseDecimal(beta)), multiply(l, l)), encloseDecimal(lambda));
}

/**
 * The guarantees that every resampling of a measure is known to have.
 *
 * Multiplicative weights are exponential mechanisms: replacing a loss moves the exponent by a function of range 2 eta at
 * most, so they are of 2 eta-bounded range, and (2 eta, 0)-DP. Any measure of Assumption 3.1 with delta0 = 0 is
 * (2 eta, 0)-DP (Asi, Koren, Liu, Talwar 2024, Lemma 3.6). Regularised weights: see {@link gaussianSquared}.
 */
export function guaranteesOf(measure: Measure, eta: Decimal): readonly ResamplingGuarantee[] {
  const epsilon = eta.times(2);
  switch (measure.type) {
    case 'multiplicative-weights':
      return [
        { kind: 'randomized-response', epsilon },
        { kind: 'bounded-range', epsilon },
      ];
    case 'any':
      return [{ kind: 'randomized-response', epsilon }];
    case 'regularised-multiplicative-weights':
      return [{ kind: 'gaussian', muSquared: gaussianSquared(measure) }];
  }
}
