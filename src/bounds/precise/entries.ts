import { Decimal, ZERO, ONE } from '../../numeric/decimal.ts';
import type { Entry, Mechanism } from '../../privacy/mechanism.ts';
import { epsilonDeltaOf, isResponse } from '../../privacy/mechanisms/records.ts';
import { varianceOf, writtenVariance } from '../../privacy/gaussian.ts';
import type { Arithmetic, Interval } from './interval.ts';

/** `count` mechanisms with one epsilon > 0. */
export interface Group {
  readonly epsilon: Decimal;
  readonly count: Decimal;
}

/** Products of this many decimal places are taken exactly. */
const EXACT_PLACES = 2400;
/** Beyond this a loss is not handled in decimals. */
const LARGEST_LOSS = 1e5;

/** The e of a mechanism's (e, d)-DP guarantee, a quotient rounded up to the arithmetic's digits; null: it has none. */
export function pureEpsilon(mechanism: Mechanism, { digits }: Arithmetic): Decimal | null {
  if (mechanism.type === 'laplace' || mechanism.type === 'discrete-laplace') {
    const Up = Decimal.clone({ precision: digits, rounding: 2 });
    return new Decimal(new Up(mechanism.sensitivity).div(mechanism.scale));
  }
  return isResponse(mechanism) ? epsilonDeltaOf(mechanism).epsilon : null;
}

/** The entries' epsilons, equal ones together and without those that are 0; null where an entry has none. */
export function pureGroups(entries: readonly Entry[], a: Arithmetic): readonly Group[] | null {
  const groups = new Map<string, Group>();
  for (const { mechanism, count } of entries) {
    const epsilon = pureEpsilon(mechanism, a);
    if (!epsilon) return null;
    const key = epsilon.toString();
    const before = groups.get(key)?.count ?? ZERO;
    if (!epsilon.isZero()) groups.set(key, { epsilon, count: before.plus(count) });
  }
  return [...groups.values()];
}

/** sum of e_i, exactly. */
export const totalOf = (groups: readonly Group[]): Decimal =>
  groups.reduce((sum, { epsilon, count }) => sum.plus(epsilon.times(count)), ZERO);

/** Whether the losses are small enough to be handled. */
export const isHandled = (groups: readonly Group[]): boolean => totalOf(groups).lte(LARGEST_LOSS);

/** The probability 1 - prod (1 - d_i) that an (e_i, d_i)-DP or d_i-approximate zCDP mechanism reveals everything. */
export function failureOf(entries: readonly Entry[], a: Arithmetic): Interval {
  const parts = entries.flatMap(({ mechanism, count }) =>
    'delta' in mechanism && mechanism.delta.gt(0) ? [{ delta: mechanism.delta, count: new Decimal(count) }] : [],
  );
  if (parts.length === 0) return a.zero;
  const places = parts.reduce((sum, { delta, count }) => sum + delta.decimalPlaces() * count.toNumber(), 0);
  const zeros = parts.reduce((max, { delta }) => Math.max(max, -delta.e), 0);
  const wide = a.withDigits(places <= EXACT_PLACES ? EXACT_PLACES + 10 : a.digits + zeros + 20);
  const survival = parts.reduce(
    (all, { delta, count }) => wide.multiply(all, wide.power(wide.of(ONE.minus(delta)), count)),
    wide.one,
  );
  const failure = wide.subtract(wide.one, survival);
  return a.between(failure.lower, failure.upper);
}

/** mu^2 / 2 of Gaussian noise, discrete or not, and of mu-GDP; null for anything else. */
export function gaussianRho(mechanism: Mechanism, a: Arithmetic): Interval | null {
  const isVariance = mechanism.type === 'gaussian' && writtenVariance(mechanism) !== null;
  if (isVariance || mechanism.type === 'discrete-gaussian') {
    const variance = varianceOf(mechanism);
    const whole = (x: bigint): Interval => a.of(new Decimal(x.toString()));
    const squared = a.divide(whole(variance.numerator), whole(variance.denominator));
    return a.divide(a.square(a.of(mechanism.sensitivity)), a.multiply(a.of(2), squared));
  }
  if (mechanism.type === 'gaussian') {
    return a.divide(a.square(a.divide(a.of(mechanism.sensitivity), a.of(mechanism.sigma))), a.of(2));
  }
  return mechanism.type === 'gdp' ? a.divide(a.square(a.of(mechanism.mu)), a.of(2)) : null;
}

/** sum of mu^2 / 2 over Gaussian entries; null where there are others. */
export function totalGaussianRho(entries: readonly Entry[], a: Arithmetic): Interval | null {
  let total = a.zero;
  for (const { mechanism, count } of entries) {
    const rho = gaussianRho(mechanism, a);
    if (!rho) return null;
    total = a.add(total, a.multiply(a.of(count), rho));
  }
  return total;
}
