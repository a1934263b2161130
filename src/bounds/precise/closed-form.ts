import { Decimal, ZERO } from '../../numeric/decimal.ts';
import type { PreciseBound } from './curve.ts';
import { pureGroups, totalOf } from './entries.ts';
import { concentration, squares, sumOver, pureKl, pureBound } from './pure.ts';

/** (sum e_i, sum d_i)-DP, see src/bounds/closed-form/basic.ts. */
export const basic: PreciseBound = ({ entries }, a) => {
  const groups = pureGroups(entries, a);
  if (!groups) return 'mechanism-not-covered';
  const epsilonSum = totalOf(groups);
  const deltaSum = Decimal.min(
    1,
    entries.reduce(
      (sum, { mechanism, count }) => (mechanism.type === 'dp' ? sum.plus(mechanism.delta.times(count)) : sum),
      ZERO,
    ),
  );
  return {
    delta(epsilon) {
      if (epsilon.gte(epsilonSum)) return a.of(deltaSum);
      if (epsilon.negated().lt(epsilonSum)) return a.one;
      const decay = a.exponential(a.of(epsilon));
      return a.min(a.one, a.add(a.subtract(a.one, decay), a.multiply(decay, a.of(deltaSum))));
    },
    epsilon(delta) {
      if (delta.gte(1)) return a.zero;
      return a.of(delta.lt(deltaSum) ? Infinity : epsilonSum);
    },
  };
};

/** eps = m + sqrt(2 v ln(1/d')), see src/bounds/closed-form/advanced-drv.ts. */
export const advancedDrv = pureBound((groups, a) => {
  const mean = sumOver(groups, a, (epsilon) => pureKl(epsilon, a));
  return concentration(a, mean, a.multiply(a.of(2), squares(groups, a)), totalOf(groups));
});

/** eps = min { m + sqrt(2 v ln(e + sqrt(v)/d')), m + sqrt(2 v ln(1/d')) }, see src/bounds/closed-form/advanced-kov.ts. */
export const advancedKov = pureBound((groups, a) => {
  const mean = sumOver(groups, a, (epsilon) => pureKl(epsilon, a));
  const variance = squares(groups, a);
  const scale = a.multiply(a.of(2), variance);
  const maximum = totalOf(groups);
  const third = concentration(a, mean, scale, maximum);
  const napier = a.exponential(a.one);
  const deviation = a.squareRoot(variance);
  return {
    maximum,
    delta(epsilon) {
      const distance = a.max(a.zero, a.subtract(a.of(epsilon), mean));
      const odds = a.subtract(a.exponential(a.divide(a.square(distance), scale)), napier);
      const other = third.delta(epsilon);
      return odds.lower.gt(0) ? a.min(a.divide(deviation, odds), other) : other;
    },
    epsilon(target) {
      const odds = a.add(napier, a.divide(deviation, target));
      return a.min(a.add(mean, a.squareRoot(a.multiply(scale, a.logarithm(odds)))), third.epsilon(target));
    },
  };
});
