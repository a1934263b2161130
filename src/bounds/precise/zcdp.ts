import { Decimal, ZERO } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { withFailure, type PreciseBound } from './curve.ts';
import { failureOf, gaussianRho, pureEpsilon, pureGroups, totalOf } from './entries.ts';
import type { Arithmetic, Interval } from './interval.ts';
import { boundedRangeKl, discreteLaplaceKl, laplaceKl, pureKl } from './pure.ts';
import { momentCurve, withConversion, type MomentFunction } from './moments.ts';

/** The moment is quadratic: its best lambda may be far up. */
const LARGEST_LAMBDA = new Decimal('1e150');
/** Sums of rho above this are not handled in decimals. */
const LARGEST_RHO = 1e12;

/** rho of one entry's mechanism; null where zCDP does not cover it. */
function rhoOf({ mechanism }: Entry, a: Arithmetic): Interval | null {
  if (mechanism.type === 'zcdp') return a.of(mechanism.rho);
  const epsilon = pureEpsilon(mechanism, a);
  if (epsilon === null) return gaussianRho(mechanism, a);
  if (mechanism.type === 'laplace') return laplaceKl(epsilon, a);
  if (mechanism.type === 'discrete-laplace') return discreteLaplaceKl(epsilon, mechanism.scale, a);
  return mechanism.type === 'bounded-range' ? boundedRangeKl(epsilon, a) : pureKl(epsilon, a);
}

/** lambda (1 + lambda) rho with the optimal conversion. */
export function zcdpMoment(rho: Interval, a: Arithmetic): MomentFunction {
  return (lambda) => ({
    value: a.multiply(a.multiply(lambda, a.add(a.one, lambda)), rho),
    slope: a.multiply(a.add(a.one, a.multiply(a.of(2), lambda)), rho),
  });
}

/** zCDP composition with the optimal conversion, see src/bounds/renyi/zcdp.ts. */
export const zcdp: PreciseBound = ({ entries }, a) => {
  const total = (b: Arithmetic): Interval | null => {
    let sum = b.zero;
    for (const entry of entries) {
      const rho = rhoOf(entry, b);
      if (!rho) return null;
      sum = b.add(sum, b.multiply(b.of(entry.count), rho));
    }
    return sum;
  };
  const all = total(a);
  if (!all) return 'mechanism-not-covered';
  if (all.upper.gt(LARGEST_RHO)) return 'too-large';
  const pure = pureGroups(entries, a);
  const maximum = pure ? totalOf(pure) : all.upper.isZero() ? ZERO : null;
  const curve = momentCurve(
    a,
    maximum,
    (b) => withConversion(zcdpMoment(total(b) ?? b.of(all.upper), b), b),
    LARGEST_LAMBDA,
  );
  return withFailure(a, curve, failureOf(entries, a));
};
