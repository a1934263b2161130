import type { Bound } from '../core/bound.ts';
import { onRanges, RANGES_ALONE } from './closed-form.ts';
import { boundedRangeMoments } from './mgf.ts';
import { logConversionFactor, momentCurve } from '../core/moment-curve.ts';

/**
 * delta = inf over lambda > 0 of lambda^lambda / (1 + lambda)^(1 + lambda) e^(sum h_(e_i)(lambda) - lambda eps);
 * adaptive. Since (1 - e^(eps - l)) e^(-lambda l) is at most that factor times e^(-lambda eps), and
 * E[e^(lambda L)] <= e^(sum h) adaptively (Theorem 5's induction), delta = E[max(0, 1 - e^(eps - L))] is at most this.
 *
 * Source: derived from Dong, Durfee, Rogers (2020), Theorem 5, with the conversion of Canonne, Kamath, Steinke (2020),
 * Corollary 13; the printed Theorem 5 lacks the factor.
 */
export const brRdp: Bound = {
  id: 'br-rdp',
  name: 'bounded range, Renyi moments',
  reference: 'derived: Dong, Durfee, Rogers 2020, Thm 5, with the conversion of Canonne, Kamath, Steinke 2020, Cor 13',
  exposition: {
    statement:
      'Moments of bounded-range mechanisms with the conversion that loses least; close to the adaptive optimum at the cost of a closed form.',
    formula: [
      'd(e) = inf over a > 0 of a^a / (1 + a)^(1 + a) exp(sum h_i(a) - a e)',
      'h_i(a) = sup over t in [0, e_i] of a (e_i - t) + ln(1 + p_t (exp(-a e_i) - 1)),  p_t = (exp(-t) - exp(-e_i)) / (1 - exp(-e_i))',
    ],
    departures: ['The printed Theorem 5 (br-mgf) lacks the factor a^a / (1 + a)^(1 + a), which is below 1.'],
    works: ['dong-durfee-rogers-2020', 'canonne-kamath-steinke-2020'],
    slack: 'one moment of the loss stands for its whole distribution',
    coverage: RANGES_ALONE,
  },
  apply: onRanges((groups) => momentCurve(boundedRangeMoments(groups, logConversionFactor))),
};
