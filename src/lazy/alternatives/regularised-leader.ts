import { encloseDecimal, type Decimal } from '../../numeric/decimal.ts';
import { add, minimum, multiply, squareRoot, times } from '../../numeric/enclosure-arithmetic.ts';
import { exactly, type Enclosure, type UpperBound } from '../../numeric/enclosure.ts';
import { squaredBatches } from '../core/batches.ts';
import type { ConvexProblem } from '../core/named-setting.ts';
import { roundedUp } from '../core/rounded.ts';
import { transitions } from '../core/setting.ts';
import type { ProvedAlternative } from './alternative.ts';
import { batchSizes } from './batches.ts';
import { gaussianScale } from './gaussian-scale.ts';
import { guessingRegretOfConvex, largestRegret, smallestRadius } from './guessing.ts';
import { prefixNoise, type PrefixNoise } from './prefix-noise.ts';

interface Led {
  readonly batch: number;
  readonly deviation: Decimal | null;
  readonly regret: UpperBound;
}

function withBatch(problem: ConvexProblem, kind: PrefixNoise, batch: number, scale: Enclosure): Led {
  const { rounds, dimension } = problem;
  const sums = transitions({ rounds, batch });
  if (sums === 0) return { batch, deviation: null, regret: guessingRegretOfConvex(problem) };
  const l = encloseDecimal(problem.lipschitz);
  const deviation = roundedUp(multiply(times(2, l), multiply(scale, prefixNoise(kind, sums))).upper);
  const drift = multiply(multiply(l, l), squaredBatches({ rounds, batch }));
  const noise = multiply(
    times(2, multiply(exactly(rounds), l)),
    multiply(encloseDecimal(deviation), squareRoot(exactly(dimension))),
  );
  const regret = multiply(smallestRadius(problem), squareRoot(add(drift, noise)));
  return { batch, deviation, regret: minimum(regret, largestRegret(problem)).upper };
}

/**
 * Follow the regularised leader on noisy sums of gradients (DP-FTRL), for convex L-Lipschitz losses on a set of diameter D in
 * dimension d: in each batch it plays the x that minimises <G + Z, x> + lambda |x - x_0|^2 / 2, G the sum of the gradients of all
 * batches before, Z the noise, x_0 the centre of the smallest ball around the set. Of the batch sizes tried the one with the least
 * bound on the expected regret,
 *
 *   R sqrt(L^2 sum b^2 + 2 T L s sqrt(d)),   R = D sqrt(d / (2 (d + 1))),
 *
 * s the standard deviation of the noise, b the sizes of batches; it holds for losses that are chosen along the way as well.
 *
 * Privacy. Replacing one round's loss moves its gradient by at most 2 L; later gradients are the same functions of what is played.
 * The sums with noise of {@link prefixNoise} are together (epsilon, delta)-DP, and what is played is made of them.
 *
 * Regret. Convexity leaves the sum of <g_j, x_j - u> over batches, g_j the gradient of the batch at x_j, |g_j| <= b L. Without Z the
 * leader y_j of the same gradients has sum <g_j, y_j - u> <= lambda R^2 / 2 + sum |g_j|^2 / (2 lambda), and |x_j - y_j| <= |Z| / lambda,
 * with E |Z| <= s sqrt(d). The lambda with the least sum of all gives the bound.
 *
 * Source: Kairouz, McMahan, Song, Thakkar, Thakurta, Xu (2021) for the learner and its analysis; the constants are derived.
 */
export function regularisedLeader(problem: ConvexProblem, kind: PrefixNoise): ProvedAlternative {
  const scale = gaussianScale(problem.epsilon, problem.delta);
  const { batch, deviation, regret } = batchSizes(problem.rounds)
    .map((size) => withBatch(problem, kind, size, scale))
    .reduce((best, each) => (each.regret < best.regret ? each : best));
  return {
    kind: 'proved',
    id: `regularised-leader-${kind}`,
    privacy: 'target',
    regret,
    noise: { batch, deviation },
  };
}
