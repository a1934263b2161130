import { curveWithFailure } from '../../privacy/finite-loss-curve.ts';
import type { Bound } from '../core/bound.ts';
import { momentOf, typesWith } from '../../privacy/mechanisms/records.ts';
import { failureOf } from '../core/entries.ts';
import { logConversionFactor, momentCurve, sumOfMoments } from '../core/moment-curve.ts';
import { boundedFirst, largestLoss, orderBreakpoints } from './entries.ts';

/**
 * Renyi composition with the optimal conversion: delta = inf over a > 1 of
 * e^((a-1)(R(a) - eps)) / (a-1) (1 - 1/a)^a, R(a) the sum of the entries' Renyi divergences of order a: each class's
 * own largest ((e,0)-DP: randomized response; bounded range: the supremum over its family; Gaussian: a mu^2 / 2). What
 * (e, d)-DP loses to d comes on top as 1 - (1 - delta) prod(1 - d_i). Adaptive, and concurrent for interactive and
 * continual entries.
 *
 * Source: Mironov (2017), Proposition 1; Canonne, Kamath, Steinke (2020), Corollary 13; concurrently Henzinger, Safavi,
 * Vadhan (2025), Theorem 13.4.
 */
export const rdp: Bound = {
  id: 'rdp',
  name: 'Renyi composition, optimal conversion',
  reference: 'Mironov 2017, Prop 1; Canonne, Kamath, Steinke 2020, Cor 13',
  exposition: {
    statement: 'Renyi divergences add up, order by order; the best order is converted to (e, d).',
    formula: [
      'd(e) = inf over a > 1 of exp((a - 1)(R(a) - e)) / (a - 1) (1 - 1 / a)^a',
      'R(a) = sum R_i(a), the largest Renyi divergence of order a of each mechanism',
      'd = 1 - (1 - d(e)) prod(1 - d_i) where mechanisms are (e_i, d_i)-DP',
    ],
    departures: [
      'The conversion is that of Canonne, Kamath and Steinke, which is smaller than the printed one of Mironov.',
      'Guarantees of different orders are taken at the orders where they are given, lowered to the smallest common one.',
    ],
    works: ['mironov-2017', 'canonne-kamath-steinke-2020', 'henzinger-safavi-vadhan-2025'],
    slack: 'one order of Renyi divergence stands for the whole distribution of the loss',
    coverage: {
      types: boundedFirst(typesWith('moment')),
      noninteractive: [],
      adaptivity: 'any',
      conditions: [],
    },
  },
  apply({ entries }) {
    const curve = momentCurve({
      logMoment: sumOfMoments(entries.map((entry) => ({ moment: momentOf(entry), count: entry.count }))),
      logFactor: logConversionFactor,
      maximum: largestLoss(entries),
      breakpoints: orderBreakpoints(entries),
    });
    return { curve: curveWithFailure(curve, failureOf(entries), 'upper-only') };
  },
};
