import { toUpper } from '../../numeric/decimal.ts';
import { toDouble } from '../../numeric/double-double.ts';
import { exponential, logarithm } from '../../numeric/enclosure-arithmetic.ts';
import { enclosure, exactly, midpoint } from '../../numeric/enclosure.ts';
import { bracketRoot } from '../../numeric/bracket-root.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { totalEpsilon, type PureGroup } from '../../privacy/pure-group.ts';
import type { Effort } from '../core/bound.ts';
import { branch, type Branched } from './branches.ts';
import { thresholdSets } from './threshold-sets.ts';

/** The relative width that is tried for. */
const TOLERANCE = 1e-4;
/** Outcomes that are looked at in all: half a second, or several where a tolerance is asked. */
const USUAL_WORK = 2e6;
const MOST_WORK = 3e7;
/** Claims are tried at these parts of the tolerance beyond the place where the best t's cross the target. */
const MARGINS = [1 / 4, 1, 4, 16, 64];

/**
 * The optimum of few bounded-range mechanisms that are fixed in advance, by branch and bound over their t's (see
 * {@link branch}); null where they have too many outcomes.
 */
export function fewChoices(groups: readonly PureGroup[], effort: Effort): FiniteLossCurve | null {
  const sets = thresholdSets(groups);
  if (!sets) return null;
  const tolerance = effort.tolerance ?? TOLERANCE;
  const work = (effort.tolerance === undefined || effort.sparing === true ? USUAL_WORK : MOST_WORK) / sets.outcomes;
  const maximum = totalEpsilon(groups);
  const climbed = (x: number): Branched => branch(sets, x, 0, (best) => best);
  return {
    maximum,
    logDelta(epsilon) {
      const found = branch(sets, toDouble(epsilon), work, (best) => best * (1 + tolerance / 2));
      return logarithm(enclosure(found.lower, Math.min(1, found.upper)));
    },
    epsilon(target) {
      const goal = exponential(target);
      const to = toUpper(maximum);
      const nothing = branch(sets, 0, work, (best) => Math.max(goal.lower, best));
      if (nothing.upper <= goal.lower) return enclosure(0, 0);
      const evaluate = (x: number) => exactly(climbed(x).lower);
      const at = bracketRoot({ evaluate, target: exactly(midpoint(goal)), from: 0, to });
      let lower: number = at.lower;
      while (lower > 0 && !(climbed(lower).lower > goal.upper))
        lower = lower > 1e-12 * to ? lower * (1 - 1e-12) - 1e-13 * to : 0;
      for (const share of MARGINS) {
        const upper = at.upper * (1 + share * tolerance);
        if (upper >= to || effort.exhausted()) break;
        if (branch(sets, upper, work, () => goal.lower).upper <= goal.lower)
          return enclosure(Math.max(0, lower), upper);
      }
      return enclosure(Math.max(0, lower), to);
    },
  };
}
