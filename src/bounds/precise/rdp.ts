import { Decimal, ZERO } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { boundedRangeMoment, MOST_GROUPS } from './bounded-range.ts';
import { withFailure, type PreciseBound } from './curve.ts';
import { failureOf, gaussianRho, isHandled, pureEpsilon, pureGroups, totalOf } from './entries.ts';
import type { Arithmetic, Interval } from './interval.ts';
import { momentCurve, sumOfMoments, withConversion, type MomentFunction } from './moments.ts';
import { boundedRangeKl, discreteLaplaceKl, laplaceKl, pureKl } from './pure.ts';

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
function zcdpMoment(rho: Interval, a: Arithmetic): MomentFunction {
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

/** A function of lambda and its derivative. */
interface Weight {
  readonly value: Interval;
  readonly slope: Interval;
}

/** lambda e + ln(1 + w(lambda) m), m = e^(-(1 + 2 lambda) e) - 1. */
function withWeight(epsilon: Decimal, a: Arithmetic, weight: (lambda: Interval) => Weight): MomentFunction {
  const e = a.of(epsilon);
  const two = a.of(2);
  return (lambda) => {
    const tail = a.exponential(a.negate(a.multiply(a.add(a.one, a.multiply(two, lambda)), e)));
    const { value: w, slope } = weight(lambda);
    const m = a.subtract(tail, a.one);
    const inner = a.add(a.one, a.multiply(w, m));
    const change = a.subtract(a.multiply(slope, m), a.multiply(a.multiply(two, a.multiply(w, e)), tail));
    return { value: a.add(a.multiply(lambda, e), a.logarithm(inner)), slope: a.add(e, a.divide(change, inner)) };
  };
}

/** Laplace noise: w = lambda / (1 + 2 lambda). Source: Mironov (2017), Proposition 6. */
const laplaceMoment = (epsilon: Decimal, a: Arithmetic): MomentFunction =>
  withWeight(epsilon, a, (lambda) => {
    const whole = a.add(a.one, a.multiply(a.of(2), lambda));
    return { value: a.divide(lambda, whole), slope: a.divide(a.one, a.square(whole)) };
  });

/**
 * Discrete Laplace noise, P(z) proportional to e^(-r |z|): w = A / (A + B), A = e^-r (1 - e^(-2 lambda r)),
 * B = 1 - e^(-2 (1 + lambda) r), which is sinh(lambda r) / (sinh(lambda r) + sinh((1 + lambda) r)).
 */
function discreteLaplaceMoment(epsilon: Decimal, scale: Decimal, a: Arithmetic): MomentFunction {
  const rate = a.divide(a.one, a.of(scale));
  const decay = a.exponential(a.negate(rate));
  const twice = a.multiply(a.of(2), rate);
  return withWeight(epsilon, a, (lambda) => {
    const near = a.exponential(a.negate(a.multiply(twice, lambda)));
    const far = a.exponential(a.negate(a.multiply(twice, a.add(a.one, lambda))));
    const [above, below] = [a.multiply(decay, a.subtract(a.one, near)), a.subtract(a.one, far)];
    const total = a.add(above, below);
    const rise = a.multiply(a.multiply(twice, decay), a.multiply(near, below));
    const fall = a.multiply(a.multiply(twice, far), above);
    return { value: a.divide(above, total), slope: a.divide(a.subtract(rise, fall), a.square(total)) };
  });
}

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
    const before = groups.get(key)?.count ?? ZERO;
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
