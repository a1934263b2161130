import { boundedRangeMoment } from './bounded-range-moment.ts';
import { totalOf, type Group } from './entries.ts';
import type { Arithmetic } from './interval.ts';
import { momentCurve, sumOfMoments, type MomentFunction } from './moments.ts';
import { pureBound } from './pure-bound.ts';

/** Beyond this many different parameters a search for lambda takes too long. */
export const MOST_GROUPS = 100;

/** sum of h_(e_i). */
export const boundedRangeMoments = (groups: readonly Group[], a: Arithmetic): MomentFunction =>
  sumOfMoments(
    groups.map(({ epsilon, count }) => ({ moment: boundedRangeMoment(epsilon, a), count })),
    a,
  );

/** delta = inf of e^(sum h_(e_i)(lambda) - lambda eps), see src/bounds/bounded-range/mgf.ts. */
export const brMgf = pureBound((groups, a) =>
  groups.length > MOST_GROUPS ? null : momentCurve(a, totalOf(groups), (b) => boundedRangeMoments(groups, b)),
);
