import { add, multiply } from '../../numeric/enclosure-arithmetic.ts';
import { exactly } from '../../numeric/enclosure.ts';
import { curveWithFailure } from '../../privacy/finite-loss-curve.ts';
import { zcdpMoment } from '../../privacy/log-moment.ts';
import type { Bound } from '../core/bound.ts';
import { WITH_PURE_PART } from '../../privacy/pure-guarantee.ts';
import { failureOf, onlyTypes } from '../core/entries.ts';
import { logConversionFactor, momentCurve } from '../core/moment-curve.ts';
import { rhoOf } from '../../privacy/rho.ts';
import { largestLoss } from './entries.ts';

/**
 * zCDP composition with the optimal conversion: rho = sum of rho_i, then
 * delta = inf over a > 1 of e^((a-1)(a rho - eps)) / (a-1) (1 - 1/a)^a. Every class has its exact rho, see rhoOf: an
 * (e,0)-DP mechanism e tanh(e/2), Laplace noise e + e^-e - 1, bounded range b - 1 - ln b with b = e / (1 - e^-e), Gaussian
 * noise mu^2/2. What (e, d)-DP loses to d, and a finite pair to infinite losses, comes on top.
 *
 * Source: Bun, Steinke (2016), Lemma 2.3; Canonne, Kamath, Steinke (2020), Corollary 13.
 */
export const zcdp: Bound = {
  id: 'zcdp',
  name: 'zCDP composition, optimal conversion',
  reference: 'Bun, Steinke 2016, Lemma 2.3; Canonne, Kamath, Steinke 2020, Cor 13',
  apply(composition) {
    const covered = onlyTypes(composition, [...WITH_PURE_PART, 'gaussian', 'discrete-gaussian', 'zcdp', 'gdp']);
    if ('reason' in covered) return covered;
    const rho = covered.entries.reduce(
      (sum, entry) => add(sum, multiply(exactly(entry.count), rhoOf(entry) ?? exactly(Infinity))),
      exactly(0),
    );
    const curve = momentCurve({
      logMoment: zcdpMoment(rho),
      logFactor: logConversionFactor,
      maximum: largestLoss(covered.entries),
      breakpoints: [],
    });
    return { curve: curveWithFailure(curve, failureOf(covered.entries), 'upper-only') };
  },
};
