import type { Decimal } from '../numeric/decimal.ts';
import { fromDouble } from '../numeric/double-double.ts';
import { add, exponential, expm1, log1p, logarithm, multiply, negate } from '../numeric/enclosure-arithmetic.ts';
import { enclosure, exactly, type Enclosure } from '../numeric/enclosure.ts';
import { solveDecreasing } from '../numeric/solve-decreasing.ts';
import { logConversionFactor, momentCurve, sumOfMoments } from '../bounds/moment-curve.ts';
import type { FiniteLossCurve } from '../privacy/finite-loss-curve.ts';
import type { LogMoment } from '../privacy/log-moment.ts';
import { afterFlag, flagMoment, type Flag, type LogDeltaOver } from './first-flag.ts';
import { logSum } from './log-sum.ts';
import type { Resampling } from './resampling.ts';

/** From here on e^h would soon overflow, and ln(1 - q + q e^h) is as precise with logarithms inside. */
const LARGE = 500;

/** ln E[e^(lambda L)] of one round: with the part's probability q a mechanism of moment h, ln(1 + q (e^h - 1)). */
export function resampledMoment({ probability, complement }: Resampling, moment: LogMoment): LogMoment {
  if (complement.upper <= 0) return moment;
  const [logResampled, logKept] = [logarithm(probability), logarithm(complement)];
  return (lambda) => {
    const h = moment(lambda);
    if (h.upper < LARGE) return log1p(multiply(probability, expm1(h)));
    return logSum(logKept, add(logResampled, h));
  };
}

/** ln delta at any real epsilon from a curve that is known from 0 on, of a class that swapping neighbours does not change. */
const mirrored =
  (logDelta: FiniteLossCurve['logDelta']): LogDeltaOver =>
  (epsilon) => {
    const x: number = epsilon.lower;
    if (x >= 0) return enclosure(-Infinity, Math.min(0, logDelta(fromDouble(x)).upper));
    const rest = multiply(exponential(exactly(x)), exponential(logDelta(fromDouble(-x))));
    return enclosure(-Infinity, Math.min(0, logarithm(add(negate(expm1(exactly(x))), rest)).upper));
  };

/**
 * An upper bound on the curve of a flag and of mechanisms of this moment that are resampled after it: each outcome of the
 * flag with the moment bound (and its optimal conversion) on what follows. Never above the moment bound of all together,
 * which is where the search for epsilon starts; it grows with the chance of every resampling, since h >= 0.
 *
 * Source: derived; conversion: Canonne, Kamath, Steinke (2020), Corollary 13.
 */
export function momentBound(
  flag: Flag,
  moment: LogMoment,
  parts: readonly Resampling[],
  maximum: Decimal | null,
): FiniteLossCurve {
  const resampled = parts.map((part) => ({ moment: resampledMoment(part, moment), count: part.rounds }));
  const curveOf = (moments: typeof resampled): FiniteLossCurve =>
    momentCurve({ logMoment: sumOfMoments(moments), logFactor: logConversionFactor, maximum, breakpoints: [] });
  const logDelta = afterFlag(flag, mirrored(curveOf(resampled).logDelta));
  const joint = curveOf([{ moment: (lambda) => flagMoment(flag, lambda), count: 1 }, ...resampled]);
  return {
    maximum,
    logDelta,
    epsilon(target) {
      const evaluate = (x: number): Enclosure => {
        const { upper } = logDelta(fromDouble(x));
        return enclosure(upper, upper);
      };
      if (evaluate(0).upper <= target.lower) return enclosure(0, 0);
      const to = joint.epsilon!(target).upper;
      return enclosure(0, solveDecreasing({ evaluate, target, from: 0, to, start: to }).upper);
    },
  };
}
