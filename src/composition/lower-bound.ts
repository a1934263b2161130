import type { Effort } from '../bounds/bound.ts';
import { nonadaptiveOptimum } from '../bounds/br-nonadaptive-optimum.ts';
import { pureOptimum } from '../bounds/dp-optimal.ts';
import { failureOf } from '../bounds/entries.ts';
import { gaussian } from '../bounds/gaussian.ts';
import { asLower, type LowerBound } from '../numeric/enclosure.ts';
import type { PrivacyCurve } from '../privacy/curve.ts';
import { NEVER } from '../privacy/failure.ts';
import { curveWithFailure } from '../privacy/finite-loss-curve.ts';
import type { Entry } from '../privacy/mechanism.ts';
import { groupEqual, type PureGroup } from '../privacy/pure-group.ts';
import type { Query } from '../privacy/query.ts';
import { lowerLaplace } from './lower-laplace.ts';

/**
 * Mechanisms that the classes certainly contain: (e, d)-DP contains RR(e, d); e-bounded range contains RR(e, e/2), which
 * is RR(e/2).
 */
function pureAdversary(entries: readonly Entry[]): PureGroup[] {
  return groupEqual(
    entries.flatMap(({ mechanism, count }) => {
      if (mechanism.type === 'dp') return [{ epsilon: mechanism.epsilon, count }];
      if (mechanism.type === 'bounded-range') return [{ epsilon: mechanism.epsilon.times('0.5'), count }];
      return [];
    }),
  );
}

/** Curves of adversaries within the declared classes; entries an adversary has no use for answer a constant. */
function adversaries(entries: readonly Entry[], effort: Effort): PrivacyCurve[] {
  const curves: PrivacyCurve[] = [];
  const exact = entries.filter(({ mechanism }) => mechanism.type === 'dp' || mechanism.type === 'bounded-range');
  const ranged = groupEqual(
    exact.flatMap(({ mechanism, count }) =>
      mechanism.type === 'bounded-range' ? [{ epsilon: mechanism.epsilon, count }] : [],
    ),
  );
  const [range, ...others] = ranged;
  if (range && others.length === 0 && exact.every(({ mechanism }) => mechanism.type === 'bounded-range')) {
    curves.push(curveWithFailure(nonadaptiveOptimum(range.epsilon, range.count), NEVER, 'tight'));
  } else if (exact.length > 0) {
    const failure = failureOf(exact.map(lowerLaplace));
    curves.push(curveWithFailure(pureOptimum(pureAdversary(exact), effort), failure, 'tight'));
  }
  const normal = entries.flatMap((entry) =>
    entry.mechanism.type === 'gaussian' || entry.mechanism.type === 'gdp'
      ? [lowerLaplace({ ...entry, kind: 'noninteractive' })]
      : [],
  );
  if (normal.length > 0) {
    const applied = gaussian.apply({ entries: normal, adaptivity: 'adaptive' }, effort);
    if ('curve' in applied) curves.push(applied.curve);
  }
  return curves;
}

/**
 * What no correct accountant can go below for exactly these classes: the largest of a few legal adversaries' curves
 * (fixed in advance, so they are legal in every setting); null where the classes give none. For equal bounded-range
 * mechanisms it is the nonadaptive optimum; bounded range is never replaced by the larger class of (e, 0)-DP here, nor
 * Laplace noise by its pure-DP guarantee.
 */
export function lowerBound(entries: readonly Entry[], query: Query, effort: Effort): LowerBound | null {
  const value = (curve: PrivacyCurve): number | null =>
    query.solveFor === 'epsilon' ? curve.epsilon(query.delta).lower : curve.delta(query.epsilon).lower;
  const known = adversaries(entries, effort)
    .map(value)
    .filter((x) => x !== null);
  return known.length === 0 ? null : asLower(Math.max(...known));
}
