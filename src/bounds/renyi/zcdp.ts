import { add, multiply } from '../../numeric/enclosure-arithmetic.ts';
import { exactly } from '../../numeric/enclosure.ts';
import { curveWithFailure } from '../../privacy/finite-loss-curve.ts';
import { zcdpMoment } from '../../privacy/log-moment.ts';
import type { Bound } from '../core/bound.ts';
import { failureOf, onlyTypes } from '../core/entries.ts';
import { LARGEST_ZCDP_LAMBDA, logConversionFactor, momentCurve } from '../core/moment-curve.ts';
import { rhoOf, typesWith, WITH_PURE_PART } from '../../privacy/mechanisms/records.ts';
import { boundedFirst, largestLoss } from './entries.ts';

/**
 * zCDP composition with the optimal conversion: rho = sum of rho_i, then
 * delta = inf over a > 1 of e^((a-1)(a rho - eps)) / (a-1) (1 - 1/a)^a. Every class has its exact rho, see rhoOf: an
 * (e,0)-DP mechanism e tanh(e/2), Laplace noise e + e^-e - 1, bounded range b - 1 - ln b with b = e / (1 - e^-e), Gaussian
 * noise mu^2/2. What (e, d)-DP and d-approximate zCDP lose to d, and a finite pair to
 * infinite losses, comes on top.
 *
 * Source: Bun, Steinke (2016), Lemma 2.3; Canonne, Kamath, Steinke (2020), Corollary 13.
 */
export const zcdp: Bound = {
  id: 'zcdp',
  name: 'zCDP composition, optimal conversion',
  reference: 'Bun, Steinke 2016, Lemma 2.3; Canonne, Kamath, Steinke 2020, Cor 13',
  exposition: {
    statement: 'Zero-concentrated privacy adds up, and is converted to (e, d) at the best order.',
    formula: [
      'd(e) = inf over a > 1 of exp((a - 1)(a rho - e)) / (a - 1) (1 - 1 / a)^a',
      'rho = sum rho_i: e_i tanh(e_i / 2) of (e_i, 0)-DP, e_i^2 / 8 of bounded range, mu^2 / 2 of Gaussian noise',
    ],
    departures: [
      'The rho of (e_i, 0)-DP, e_i tanh(e_i / 2), is derived; in print it is e_i^2 / 2, which is larger.',
      'A d-approximate zCDP mechanism is taken as its rho beside a failure of probability d; that is derived.',
    ],
    works: ['bun-steinke-2016', 'canonne-kamath-steinke-2020', 'cesar-rogers-2021'],
    slack:
      'a line through all orders stands for the Renyi divergence of each mechanism, and one order for the distribution of the loss',
    coverage: {
      types: boundedFirst(typesWith('rho')),
      noninteractive: [],
      adaptivity: 'any',
      conditions: [],
    },
  },
  apply(composition) {
    const covered = onlyTypes(composition, [...new Set([...WITH_PURE_PART, ...typesWith('rho')])]);
    if ('reason' in covered) return covered;
    const rho = covered.entries.reduce(
      (sum, entry) => add(sum, multiply(exactly(entry.count), rhoOf(entry) ?? exactly(Infinity))),
      exactly(0),
    );
    const curve = momentCurve({
      logMoment: zcdpMoment(rho),
      logFactor: logConversionFactor,
      maximum: largestLoss(covered.entries),
      breakpoints: [LARGEST_ZCDP_LAMBDA],
    });
    return { curve: curveWithFailure(curve, failureOf(covered.entries), 'upper-only') };
  },
};
