import { concentration, squares, sumOver } from './concentration.ts';
import { totalOf } from './entries.ts';
import { pureKl } from './kl.ts';
import { pureBound } from './pure-bound.ts';

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
