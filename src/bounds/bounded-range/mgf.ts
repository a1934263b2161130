import { encloseDecimal } from '../../numeric/decimal.ts';
import { boundedRangeMoment } from '../../privacy/log-moment.ts';
import { totalEpsilon, type PureGroup } from '../../privacy/pure.ts';
import type { Bound } from '../core/bound.ts';
import { onRanges, RANGES_ALONE } from './closed-form.ts';
import { momentCurve, noFactor, sumOfMoments, type MomentBound } from '../core/moment-curve.ts';

/** The moments of bounded-range groups, with the factor a bound puts before them. */
export function boundedRangeMoments(groups: readonly PureGroup[], logFactor: MomentBound['logFactor']): MomentBound {
  return {
    logMoment: sumOfMoments(
      groups.map(({ epsilon, count }) => ({ moment: boundedRangeMoment(encloseDecimal(epsilon)), count })),
    ),
    logFactor,
    maximum: totalEpsilon(groups),
    breakpoints: [],
  };
}

/**
 * delta = inf over lambda > 0 of e^(sum h_(e_i)(lambda) - lambda eps), h the log-moment of bounded range; adaptive.
 *
 * Source: Dong, Durfee, Rogers (2020), Theorem 5.
 */
export const brMgf: Bound = {
  id: 'br-mgf',
  name: 'bounded range, moment generating function',
  reference: 'Dong, Durfee, Rogers 2020, Thm 5',
  exposition: {
    statement: 'The moment generating function of bounded-range mechanisms, as printed.',
    formula: [
      'd(e) = inf over a > 0 of exp(sum h_i(a) - a e)',
      'h_i(a) = sup over t in [0, e_i] of a (e_i - t) + ln(1 + p_t (exp(-a e_i) - 1)),  p_t = (exp(-t) - exp(-e_i)) / (1 - exp(-e_i))',
    ],
    departures: ['The supremum over t is taken in closed form, which is derived.'],
    works: ['dong-durfee-rogers-2020'],
    slack: 'a Chernoff bound counts a loss above epsilon as if all of it were failure',
    coverage: RANGES_ALONE,
  },
  apply: onRanges((groups) => momentCurve(boundedRangeMoments(groups, noFactor))),
};
