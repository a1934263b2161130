import { enclosure, exactly, type Enclosure } from '../../numeric/enclosure.ts';
import {
  add,
  exponential,
  expm1,
  log1p,
  logarithm,
  logSum,
  multiply,
  squareRoot,
  subtract,
  times,
} from '../../numeric/enclosure-arithmetic.ts';
import { encloseRational, Rational } from '../../numeric/rational.ts';
import { gaussianLogDelta, muSquaredOfNoise } from '../gaussian.ts';
import { placeOf } from './ratio.ts';
import type { Direction } from './sampled-law.ts';
import { recordRates } from './rate.ts';
import { recordsOf, severalRatio, type OfSeveralRecords } from './several-records.ts';

/** Sums of more Gaussian curves take too long. */
const MOST_PAIRS = 1200;
/** Exponentials of larger numbers are not taken. */
const LARGEST = 600;
/** Steps away from a place, in roundings of it, each four times the one before. */
const MOST_STEPS = 24;

/** One of two mixtures sum_m w_m N(m mu, 1), by its weights. */
interface Mixture {
  readonly weights: readonly Enclosure[];
  readonly logWeights: readonly Enclosure[];
}

function binomial(records: number, rate: Enclosure, rest: Enclosure): Mixture {
  let choices = exactly(0);
  const logWeights = Array.from({ length: records + 1 }, (_, m) => {
    if (m > 0) choices = add(choices, subtract(logarithm(exactly(records - m + 1)), logarithm(exactly(m))));
    return add(choices, add(times(m, logarithm(rate)), times(records - m, logarithm(rest))));
  });
  return { logWeights, weights: logWeights.map(exponential) };
}

/** The Poisson binomial law: of records that have rates of their own. */
function poissonBinomial(rates: readonly Rational[]): Mixture {
  const logWeights = rates.reduce<readonly Enclosure[]>(
    (all, q) => {
      const [drawn, left] = [q, Rational.ONE.minus(q)].map((x) => logarithm(encloseRational(x)));
      const [same, more] = [left!, drawn!].map((step) => all.map((weight) => add(weight, step)));
      return [...all, all[0]!].map((_, m) =>
        m === 0 ? same![0]! : m === all.length ? more![m - 1]! : logSum(same![m]!, more![m - 1]!),
      );
    },
    [exactly(0)],
  );
  return { logWeights, weights: logWeights.map(exponential) };
}

/** ln of the sum of w_m e^(t_m); near 0 that of what it is more than 1, in which nothing cancels. */
function logMean({ weights, logWeights }: Mixture, exponents: readonly Enclosure[]): Enclosure {
  if (exponents.every(({ upper }) => upper < LARGEST)) {
    const excess = weights
      .slice(1)
      .reduce((sum, weight, m) => add(sum, multiply(weight, expm1(exponents[m + 1]!))), exactly(0));
    if (excess.lower > -0.5) return log1p(excess);
  }
  return logWeights.map((weight, m) => add(weight, exponents[m]!)).reduce(logSum);
}

/** At a place u: ln of the ratio of the two densities, and ln of the sum of {@link severalOnce}. */
interface AtPlace {
  readonly loss: Enclosure;
  readonly logSum: () => Enclosure;
}

function atPlace(own: Mixture, other: Mixture, mu: Enclosure, u: number): AtPlace {
  const square = multiply(mu, mu);
  const exponentsOf = ({ weights }: Mixture, v: number): readonly Enclosure[] =>
    weights.map((_, m) => subtract(times(m, multiply(mu, exactly(v))), multiply(exactly((m * m) / 2), square)));
  const [up, down] = [exponentsOf(own, u), exponentsOf(other, -u)];
  const logOther = logMean(other, down);
  return {
    loss: subtract(logMean(own, up), logOther),
    logSum: () =>
      own.logWeights
        .flatMap((weight, m) =>
          other.logWeights.flatMap((otherWeight, j) =>
            m + j === 0
              ? []
              : [
                  add(
                    add(weight, subtract(add(otherWeight, down[j]!), logOther)),
                    gaussianLogDelta(times(m + j, mu), subtract(up[m]!, down[j]!)),
                  ),
                ],
          ),
        )
        .reduce(logSum),
  };
}

/**
 * ln delta at epsilon >= 0 of one step for several records (see {@link severalRatio}), from both sides: P = sum_m w_m N(m mu, 1) against
 * P' = sum_j v_j N(-j mu, 1). With a_m = e^(m mu u - (m mu)^2 / 2), b_j = e^(-j mu u - (j mu)^2 / 2), g = sum w_m a_m, h = sum v_j b_j at a
 * place u, and D_x the curve of N(x, 1) against N(0, 1),
 *
 *   S(u) = sum_m,j w_m (v_j b_j / h) D_((m + j) mu)(ln a_m - ln b_j)
 *
 * is P(x > u) - (g / h) P'(x > u), as x > u is the best test of each of the pairs at that epsilon. So delta >= S(u) where g / h >= e^eps,
 * and delta <= S(u) where g / h <= e^eps, as P - e^eps P' is then no more than the sum of these parts' differences. Nothing cancels.
 * null where there are too many pairs, and where all records, or none, are drawn.
 *
 * Source: derived.
 */
export function severalOnce(
  mechanism: OfSeveralRecords,
  direction: Direction,
): ((epsilon: Enclosure) => Enclosure) | null {
  const rates = recordRates(mechanism);
  const { rate: fraction, own: ownRates } = rates;
  const { gained, lost } = recordsOf(mechanism);
  const isTurned = direction === 'add';
  const [most, least] = isTurned ? [lost, gained] : [gained, lost];
  if (fraction.isZero() || fraction.equals(Rational.ONE) || (most + 1) * (least + 1) > MOST_PAIRS) return null;
  const [rate, rest] = [encloseRational(fraction), encloseRational(Rational.ONE.minus(fraction))];
  const mu = squareRoot(muSquaredOfNoise(mechanism.of));
  const slope = (mu.lower + mu.upper) / 2;
  const several = severalRatio(rates, slope, { gained, lost });
  if (several === null || !(slope > 0)) return null;
  const [own, other] = [most, least].map((records) =>
    ownRates && records > 0 ? poissonBinomial(ownRates) : binomial(records, rate, rest),
  ) as [Mixture, Mixture];
  const along = { slope, shift: several.shift };
  const farthest = 45 + (most + least) * slope;
  return (epsilon) => {
    const x = (epsilon.lower + epsilon.upper) / 2;
    // Turned round the loss is that of -u, less.
    const place = isTurned ? -placeOf(several.ratio, along, -x) : placeOf(several.ratio, along, x);
    const u = Math.max(-farthest, Math.min(farthest, place));
    const end = (sign: 1 | -1): Enclosure | null => {
      for (let step = 0, off = 0; step < MOST_STEPS; step++, off = 4 ** step * Number.EPSILON * (1 + Math.abs(u))) {
        const { loss, logSum: sum } = atPlace(own, other, mu, u + sign * off);
        if (sign > 0 ? loss.lower >= epsilon.upper : loss.upper <= epsilon.lower) return sum();
      }
      return null;
    };
    return enclosure(end(1)?.lower ?? -Infinity, Math.min(0, end(-1)?.upper ?? 0));
  };
}
