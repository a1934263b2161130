import { Decimal, ZERO } from '../../numeric/decimal.ts';
import { unlessInterrupted, type Watch } from '../../numeric/watch.ts';
import type { Query } from '../../privacy/curve.ts';
import type { BoundId, Composition } from '../core/bound.ts';
import { brDr19, brMgf, brOptKl, brRdp } from './bounded-range.ts';
import { brNonadaptive } from './br-nonadaptive.ts';
import type { PreciseBound, Unavailable } from './curve.ts';
import { dpOptimal } from './dp-optimal.ts';
import { pureGroups, totalOf } from './entries.ts';
import { gaussian } from './gaussian.ts';
import { Arithmetic, isKnownTo, upperDigits, type Interval } from './interval.ts';
import { concentration, squares, sumOver, pureKl, pureBound } from './pure.ts';
import { rdp, zcdp } from './rdp.ts';

/** (sum e_i, sum d_i)-DP, see src/bounds/closed-form/basic.ts. */
const basic: PreciseBound = ({ entries }, a) => {
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
const advancedDrv = pureBound((groups, a) => {
  const mean = sumOver(groups, a, (epsilon) => pureKl(epsilon, a));
  return concentration(a, mean, a.multiply(a.of(2), squares(groups, a)), totalOf(groups));
});

/** eps = min { m + sqrt(2 v ln(e + sqrt(v)/d')), m + sqrt(2 v ln(1/d')) }, see src/bounds/closed-form/advanced-kov.ts. */
const advancedKov = pureBound((groups, a) => {
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

/** The theorems that have a form in decimal arithmetic; the others are computed by integrals or tables. */
const BY_ID: Readonly<Partial<Record<BoundId, PreciseBound>>> = {
  'dp-optimal': dpOptimal,
  gaussian,
  'br-nonadaptive': brNonadaptive,
  'br-rdp': brRdp,
  rdp,
  zcdp,
  'br-mgf': brMgf,
  'br-optkl': brOptKl,
  'br-dr19': brDr19,
  'advanced-kov': advancedKov,
  'advanced-drv': advancedDrv,
  basic,
};

/** The value of a bound in decimal arithmetic: its digits, rounded up, and the interval they were read off. */
type PreciseValue = { readonly digits: string; readonly interval: Interval } | { readonly unavailable: Unavailable };

/** Guard digits of the first attempt, and of those after an attempt whose interval was too wide. */
const GUARD_DIGITS = [15, 50, 160];

/**
 * A bound to `digits` significant digits, rounded up, for a composition to which it applies.
 *
 * Everything is computed in intervals with directed rounding, first with 15 digits more than asked. What is lost to
 * rounding and cancellation shows as the width of the resulting interval: where it exceeds a tenth of a unit in the last
 * digit asked, the work is done again with more guard digits. So no estimate of the error is trusted, and the digits of
 * the upper end are both safe and those of the bound up to one unit in the last.
 */
export function preciseValue(
  id: BoundId,
  composition: Composition,
  query: Query,
  digits: number,
  watch: Watch = {},
): PreciseValue {
  const bound = BY_ID[id];
  if (!bound) return { unavailable: 'needs-lattice' };
  const work = (): PreciseValue => resolved(bound, composition, query, digits, watch);
  return unlessInterrupted(work) ?? { unavailable: 'interrupted' };
}

function resolved(
  bound: PreciseBound,
  composition: Composition,
  query: Query,
  digits: number,
  watch: Watch,
): PreciseValue {
  for (const guard of GUARD_DIGITS) {
    const curve = bound(composition, new Arithmetic(digits + guard, watch));
    if (typeof curve === 'string') return { unavailable: curve };
    const interval = query.solveFor === 'epsilon' ? curve.epsilon(query.delta) : curve.delta(query.epsilon);
    if (isKnownTo(interval, digits + 1)) return { digits: upperDigits(interval, digits), interval };
  }
  return { unavailable: 'not-resolved' };
}
