import { boundedRangeMoments, MOST_GROUPS } from './br-mgf.ts';
import { totalOf } from './entries.ts';
import { momentCurve, withConversion } from './moments.ts';
import { pureBound } from './pure-bound.ts';

/** br-mgf with the factor lambda^lambda / (1 + lambda)^(1 + lambda), see src/bounds/bounded-range/rdp.ts. */
export const brRdp = pureBound((groups, a) =>
  groups.length > MOST_GROUPS
    ? null
    : momentCurve(a, totalOf(groups), (b) => withConversion(boundedRangeMoments(groups, b), b)),
);
