import { Decimal } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { boundedRangeMoment } from './bounded-range-moment.ts';
import { MOST_GROUPS } from './br-mgf.ts';
import { withFailure, type PreciseBound } from './curve.ts';
import { failureOf, gaussianRho, isHandled, pureEpsilon, pureGroups, totalOf } from './entries.ts';
import type { Arithmetic } from './interval.ts';
import { discreteLaplaceMoment, laplaceMoment } from './laplace-moment.ts';
import { momentCurve, sumOfMoments, withConversion, type MomentFunction } from './moments.ts';
import { zcdpMoment } from './zcdp.ts';

/** (e, 0)-DP: lambda e + ln((1 + e^-(1 + 2 lambda)e) / (1 + e^-e)). */
function pureMoment(epsilon: Decimal, a: Arithmetic): MomentFunction {
  const e = a.of(epsilon);
  const base = a.log1p(a.exponential(a.negate(e)));
  return (lambda) => {
    const order = a.add(a.one, a.multiply(a.of(2), lambda));
    const tail = a.exponential(a.negate(a.multiply(order, e)));
    const share = a.divide(tail, a.add(a.one, tail));
    return {
      value: a.add(a.multiply(lambda, e), a.subtract(a.log1p(tail), base)),
      slope: a.multiply(e, a.subtract(a.one, a.multiply(a.of(2), share))),
    };
  };
}

/** The moments of one entry's mechanism; null where it gives none here, or only at single orders. */
function momentOf({ mechanism }: Entry, a: Arithmetic): MomentFunction | null {
  if (mechanism.type === 'zcdp') return zcdpMoment(a.of(mechanism.rho), a);
  const rho = gaussianRho(mechanism, a);
  if (rho) return zcdpMoment(rho, a);
  const epsilon = pureEpsilon(mechanism, a);
  if (!epsilon) return null;
  if (epsilon.isZero()) return () => ({ value: a.zero, slope: a.zero });
  if (mechanism.type === 'laplace') return laplaceMoment(epsilon, a);
  if (mechanism.type === 'discrete-laplace') return discreteLaplaceMoment(epsilon, mechanism.scale, a);
  return mechanism.type === 'bounded-range' ? boundedRangeMoment(epsilon, a) : pureMoment(epsilon, a);
}

/** Every entry once, with the counts of those that are the same. */
function distinct(entries: readonly Entry[]): { entry: Entry; count: Decimal }[] {
  const groups = new Map<string, { entry: Entry; count: Decimal }>();
  for (const entry of entries) {
    const { kind, mechanism } = entry;
    const parameters = mechanism.type === 'dp' ? { ...mechanism, delta: 0 } : mechanism;
    const key = JSON.stringify([kind, parameters]);
    const before = groups.get(key)?.count ?? new Decimal(0);
    groups.set(key, { entry, count: before.plus(entry.count) });
  }
  return [...groups.values()];
}

/** Renyi composition with the optimal conversion, see src/bounds/renyi/rdp.ts; not for Renyi DP at single orders. */
export const rdp: PreciseBound = ({ entries }, a) => {
  const groups = distinct(entries);
  if (groups.some(({ entry }) => !momentOf(entry, a))) return 'mechanism-not-covered';
  const pure = pureGroups(entries, a);
  if (groups.length > MOST_GROUPS || (pure && !isHandled(pure))) return 'too-large';
  const curve = momentCurve(a, pure ? totalOf(pure) : null, (b) => {
    const parts = groups.flatMap(({ entry, count }) => {
      const moment = momentOf(entry, b);
      return moment ? [{ moment, count }] : [];
    });
    return withConversion(sumOfMoments(parts, b), b);
  });
  return withFailure(a, curve, failureOf(entries, a));
};
