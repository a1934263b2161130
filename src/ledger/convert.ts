import type { Bound } from '../bounds/core/bound.ts';
import { dpOptimal } from '../bounds/dp-optimal/dp-optimal.ts';
import { gaussian } from '../bounds/closed-form/gaussian.ts';
import { logConversionFactor, momentCurve } from '../bounds/core/moment-curve.ts';
import { orderBreakpoints } from '../bounds/renyi/entries.ts';
import { asUpper, type Bracket } from '../numeric/enclosure.ts';
import type { PrivacyCurve } from '../privacy/curve.ts';
import type { Failure } from '../privacy/failure.ts';
import { curveWithFailure } from '../privacy/finite-loss-curve.ts';
import type { Mechanism, Rdp, Zcdp } from '../privacy/mechanism.ts';
import { momentOf } from '../privacy/mechanisms/records.ts';
import type { Query } from '../privacy/query.ts';
import { launchedEntry } from './charges/launched-entry.ts';
import type { LedgerGuarantee } from './core/guarantee.ts';
import { Decimal } from '../numeric/decimal.ts';

const ZERO = new Decimal(0);

/** The curve of one bound for one guarantee. */
function curveOfBound(bound: Bound, mechanism: Mechanism): PrivacyCurve {
  const entries = [launchedEntry(mechanism, 'noninteractive')];
  const applied = bound.apply({ entries, adaptivity: 'adaptive', order: 'any' }, { exhausted: () => false });
  if ('reason' in applied) throw new Error(`${bound.id} does not apply: ${applied.reason.code}`);
  return applied.curve;
}

/** The optimal conversion of a Renyi guarantee that fails with probability delta. */
function curveOfMoments(mechanism: Zcdp | Rdp, delta: Decimal): PrivacyCurve {
  const entry = launchedEntry(mechanism, 'noninteractive');
  const failure: Failure = { lower: delta, upper: delta };
  const curve = momentCurve({
    logMoment: momentOf(entry),
    logFactor: logConversionFactor,
    maximum: mechanism.type === 'zcdp' && mechanism.rho.isZero() ? ZERO : null,
    breakpoints: orderBreakpoints([entry]),
  });
  return curveWithFailure(curve, failure, 'upper-only');
}

/** The privacy curve that a guarantee of finite loss implies, by the best conversion known. */
function curveOf(guarantee: LedgerGuarantee): PrivacyCurve {
  switch (guarantee.type) {
    case 'dp':
      return curveOfBound(dpOptimal, guarantee);
    case 'gdp':
      return curveOfBound(gaussian, guarantee);
    case 'rdp':
      return curveOfMoments(guarantee, ZERO);
    case 'zcdp':
    case 'approximate-zcdp':
      return curveOfMoments({ type: 'zcdp', rho: guarantee.rho }, guarantee.delta ?? ZERO);
    case 'approximate-rdp': {
      const { alpha, epsilon, delta } = guarantee;
      return curveOfMoments({ type: 'rdp', orders: [{ alpha, epsilon }] }, delta);
    }
  }
}

const isUnbounded = (guarantee: LedgerGuarantee): boolean =>
  guarantee.type === 'dp' && !(guarantee.epsilon.isFinite() && guarantee.delta.lt(1));

/**
 * The (epsilon, delta)-DP behind a guarantee that was fixed at the start, such as a ledger's budget: the smallest
 * epsilon at a delta, or delta at an epsilon; `upper` is the claim, rounded up, and Infinity where no epsilon will do.
 *
 * zCDP and Renyi DP by the optimal conversion, delta = inf over a > 1 of e^((a-1)(R(a) - eps)) / (a-1) (1 - 1/a)^a
 * [Canonne, Kamath, Steinke 2020, Cor 13], over the orders that are known; approximate ones with their delta on top, as
 * delta + (1 - delta) of it; Gaussian DP exactly; (epsilon, delta)-DP by its own curve.
 *
 * The loss so far depends on the answers: it is for `convertSpent`, which refuses what no theorem covers.
 */
export function convert(guarantee: LedgerGuarantee, query: Query): Bracket {
  if (isUnbounded(guarantee)) {
    const none = query.solveFor === 'epsilon' && query.delta.lt(1) ? Infinity : query.solveFor === 'epsilon' ? 0 : 1;
    return { lower: null, upper: asUpper(none) };
  }
  const curve = curveOf(guarantee);
  return query.solveFor === 'epsilon' ? curve.epsilon(query.delta) : curve.delta(query.epsilon);
}
