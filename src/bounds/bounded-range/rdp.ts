import { NEVER } from '../../privacy/failure.ts';
import { curveWithFailure } from '../../privacy/finite-loss-curve.ts';
import type { Bound } from '../core/bound.ts';
import { boundedRangeMoments } from './mgf.ts';
import { boundedRangeGroups } from '../core/entries.ts';
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
  apply(composition) {
    const covered = boundedRangeGroups(composition);
    if ('reason' in covered) return covered;
    const curve = momentCurve(boundedRangeMoments(covered.groups, logConversionFactor));
    return { curve: curveWithFailure(curve, NEVER, 'upper-only') };
  },
};
