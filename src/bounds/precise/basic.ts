import { Decimal } from '../../numeric/decimal.ts';
import type { PreciseBound } from './curve.ts';
import { pureGroups, totalOf } from './entries.ts';

/** (sum e_i, sum d_i)-DP, see src/bounds/closed-form/basic.ts. */
export const basic: PreciseBound = ({ entries }, a) => {
  const groups = pureGroups(entries, a);
  if (!groups) return 'mechanism-not-covered';
  const epsilonSum = totalOf(groups);
  const deltaSum = Decimal.min(
    1,
    entries.reduce(
      (sum, { mechanism, count }) => (mechanism.type === 'dp' ? sum.plus(mechanism.delta.times(count)) : sum),
      new Decimal(0),
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
