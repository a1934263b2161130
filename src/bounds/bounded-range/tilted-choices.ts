import { Decimal, ZERO } from '../../numeric/decimal.ts';
import type { LossGroup } from '../../numeric/contour/composed-loss.ts';
import { toDouble } from '../../numeric/double-double.ts';
import { enclosure, exactly, midpoint } from '../../numeric/enclosure.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { solveEpsilon, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { totalEpsilon, type PureGroup } from '../../privacy/pure.ts';
import { atomsTransform } from '../../privacy/atoms-transform.ts';
import type { Effort } from '../core/bound.ts';
import { boundedRangeMoments } from './mgf.ts';
import { contourCurve } from '../loss-distribution/contour-curve.ts';
import { logConversionFactor, saddlePointOfDelta, saddlePointOfEpsilon } from '../core/moment-curve.ts';

/** The largest tilt that is looked for. */
const LARGEST_TILT = 1e9;
/** Tilts are powers of this: near questions share their choices. */
const RATIO = 1.25;
/** So many choices of t are kept. */
const MOST_KEPT = 8;
/** Nearer to 0 or e, as a part of e, probabilities of a choice would cancel. */
const LEAST_SHARE = 1 / 8;

/**
 * The t whose Chernoff bound is largest under a tilt: ln M_t(lambda) is lambda t plus the logarithm of a function that is
 * linear in e^t, and has its only maximum where y = e^(t-e) is lambda (1 - e^-(1+lambda)e) / ((1 + lambda) (1 - e^-lambda e)).
 */
export function chernoffChoice(e: number, tilt: number): number {
  const y = (tilt * Math.expm1(-e * (1 + tilt))) / ((1 + tilt) * Math.expm1(-e * tilt));
  return Math.min(e, Math.max(0, e + Math.log(y)));
}

/** `count` mechanisms of range e with one t: loss t with probability (1 - e^(t-e)) / (1 - e^-e), else t - e. */
function lossesOf({ epsilon, count }: PureGroup, choice: number): LossGroup & { readonly t: number } {
  const e = epsilon.toNumber();
  const t = Math.min((1 - LEAST_SHARE) * e, Math.max(LEAST_SHARE * e, choice));
  const whole = Math.log(-Math.expm1(-e));
  const atoms = [
    { loss: t, logMass: Math.log(-Math.expm1(t - e)) - whole },
    { loss: t - e, logMass: t - e + Math.log(-Math.expm1(-t)) - whole },
  ];
  // e is off by a rounding, e - t by one of e and one of its own: by at most ten of itself.
  return { t, count, transform: atomsTransform(atoms, 4 * U, 6 * ELEMENTARY_ERROR + (60 + 40 * e) * U) };
}

/**
 * What the adversary gains who fixes one t for each group, or the nearest that is not next to 0 or e: a lower end of the optimum, adaptive
 * or not. The upper end is his, too, and so bounds nothing else.
 */
export function fixedChoicesCurve(
  groups: readonly PureGroup[],
  choices: readonly number[],
  tolerance: number,
  effort: Effort,
): FiniteLossCurve {
  const losses = groups.map((group, p) => lossesOf(group, choices[p]!));
  const maximum = losses.reduce((sum, { t, count }) => sum.plus(new Decimal(t).times(count)), ZERO);
  return contourCurve(
    { groups: losses, muSquared: exactly(0), lattice: null, atoms: null },
    maximum,
    tolerance,
    effort,
  );
}

/**
 * Lower ends of the optimum of bounded-range mechanisms, adaptive or not: what the adversary gains who fixes for each
 * parameter the t that is best under the tilt of the asked tail. The upper ends are his, too, and so bound nothing else.
 *
 * Source: derived; any t is legal.
 */
export function tiltedChoices(groups: readonly PureGroup[], tolerance: number, effort: Effort): FiniteLossCurve {
  const { logMoment } = boundedRangeMoments(groups, logConversionFactor);
  const roughly = (tilt: number): number => midpoint(logMoment(tilt));
  const kept = new LruCache<FiniteLossCurve>(MOST_KEPT);
  const curveFor = (tilt: number): FiniteLossCurve => {
    const power = Math.round(Math.log(tilt) / Math.log(RATIO));
    return kept.get(String(power), () => {
      const choices = groups.map(({ epsilon }) => chernoffChoice(epsilon.toNumber(), RATIO ** power));
      return fixedChoicesCurve(groups, choices, tolerance, effort);
    });
  };
  return {
    maximum: totalEpsilon(groups),
    logDelta(epsilon) {
      const x = toDouble(epsilon);
      const curve = curveFor(saddlePointOfEpsilon(roughly, LARGEST_TILT, x).tilt);
      return curve.maximum!.lte(x) ? enclosure(-Infinity, 0) : curve.logDelta(epsilon);
    },
    epsilon(target) {
      return solveEpsilon(curveFor(saddlePointOfDelta(roughly, LARGEST_TILT, midpoint(target)).tilt), target);
    },
  };
}
