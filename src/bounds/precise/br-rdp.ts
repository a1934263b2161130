import { boundedRangeMoments, MOST_GROUPS } from './br-mgf.ts';
import { withFailure, type PreciseBound } from './curve.ts';
import { isHandled, pureGroups, totalOf } from './entries.ts';
import { logConversion, momentCurve } from './moments.ts';

/** br-mgf with the factor lambda^lambda / (1 + lambda)^(1 + lambda), see src/bounds/bounded-range/rdp.ts. */
export const brRdp: PreciseBound = ({ entries }, a) => {
  const groups = pureGroups(entries, a);
  if (!groups) return 'mechanism-not-covered';
  if (!isHandled(groups) || groups.length > MOST_GROUPS) return 'too-large';
  const curve = momentCurve(a, totalOf(groups), (b) => {
    const moments = boundedRangeMoments(groups, b);
    return (lambda) => {
      const [moment, factor] = [moments(lambda), logConversion(lambda, b)];
      return { value: b.add(moment.value, factor.value), slope: b.add(moment.slope, factor.slope) };
    };
  });
  return withFailure(a, curve, a.zero);
};
