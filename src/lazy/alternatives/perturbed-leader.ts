import { encloseDecimal, type Decimal } from '../../numeric/decimal.ts';
import { add, divide, multiply, squareRoot, times } from '../../numeric/enclosure-arithmetic.ts';
import { asUpper, exactly, type Enclosure, type UpperBound } from '../../numeric/enclosure.ts';
import { squaredBatches } from '../core/batches.ts';
import type { ExpertsProblem } from '../core/named-setting.ts';
import { roundedUp } from '../core/rounded.ts';
import { transitions } from '../core/setting.ts';
import type { ProvedAlternative } from './alternative.ts';
import { batchSizes } from './batches.ts';
import { gaussianScale } from './gaussian-scale.ts';
import { lessShare } from './guessing.ts';
import { largestNormal } from './largest-normal.ts';
import { prefixNoise, type PrefixNoise } from './prefix-noise.ts';

/** A bound on the expected regret, and the standard deviation of the noise for which it holds. */
interface Led {
  readonly batch: number;
  readonly deviation: Decimal | null;
  readonly regret: UpperBound;
}

/**
 * m (s + sum b^2 / (4 s)): an upper bound on the expected regret of follow the perturbed leader, m the mean of the largest of d
 * standard normals, s the standard deviation of the noise of a sum, b the sizes of batches.
 */
export function leaderRegret(largest: UpperBound, deviation: Decimal, squares: Enclosure): UpperBound {
  const s = encloseDecimal(deviation);
  return multiply(exactly(largest), add(s, divide(squares, times(4, s)))).upper;
}

function withBatch(
  { rounds, experts }: Pick<ExpertsProblem, 'rounds' | 'experts'>,
  kind: PrefixNoise,
  batch: number,
  { scale, largest }: { readonly scale: Enclosure; readonly largest: UpperBound },
): Led {
  const sums = transitions({ rounds, batch });
  const guess = lessShare(rounds, batch, experts);
  if (sums === 0) return { batch, deviation: null, regret: guess };
  const squares = squaredBatches({ rounds, batch });
  const needed = multiply(multiply(scale, squareRoot(exactly(experts))), prefixNoise(kind, sums)).upper;
  const deviation = roundedUp(Math.max(needed, Math.sqrt(squares.upper) / 2));
  return { batch, deviation, regret: asUpper(Math.min(guess, leaderRegret(largest, deviation, squares))) };
}

/**
 * Follow the perturbed leader on noisy sums of losses of d experts in [0, 1]: in each batch of B rounds it plays the expert of
 * which the sum of all losses before, with Gaussian noise, is least. Of the batch sizes tried the one with the least bound on the
 * expected regret against losses that are fixed in advance.
 *
 * Privacy. Replacing one round's losses moves one batch's vector by at most sqrt(d), since no coordinate moves by more than 1. The sums
 * with noise of {@link prefixNoise} are together (epsilon, delta)-DP, and what is played is made of them.
 *
 * Regret. Independent noise is added to each sum until all have the variance s^2 in each coordinate, s at least what privacy needs; it
 * reads nothing. Losses are fixed in advance, so the expected regret depends on the law of each choice alone, and is the same if
 * one vector Z of law N(0, s^2 I) perturbs all sums. Let F(S) = E min_i (S_i + Z_i), which is concave and smooth, with gradient p,
 * the probability of each choice. F of all losses is at most the loss of the best expert, and F(0) = -m s, so
 *
 *   regret <= m s + sum over batches of r,   r = F(S) + p(S) . l - F(S + l) = -(1/2) l' H l,
 *
 * H the Hessian at some point between. Its rows sum to 0 and its other entries than those of the diagonal are at least 0: a larger sum
 * of one makes every other more likely. So -l' H l is the sum over pairs of H_ij (l_i - l_j)^2, at most b^2 times half of -tr H.
 * Integration by parts gives s^2 times the derivative of p_i by S_i as E[Z_i; i is played], so -tr H = -E[Z of what is played] / s^2,
 * at most m / s, and r <= b^2 m / (4 s). The first batch is played uniformly and costs at most B (1 - 1/d).
 *
 * Source: Agarwal, Singh (2017) and Smith, Thakurta (2013) for the learner on a tree; Abernethy, Lee, Sinha, Tewari (2014) for the
 * potential; the constants are derived.
 */
export function perturbedLeader(problem: ExpertsProblem, kind: PrefixNoise): ProvedAlternative {
  const known = {
    scale: gaussianScale(problem.epsilon, problem.delta),
    largest: largestNormal(problem.experts),
  };
  const { batch, deviation, regret } = batchSizes(problem.rounds)
    .map((size) => withBatch(problem, kind, size, known))
    .reduce((best, each) => (each.regret < best.regret ? each : best));
  return {
    kind: 'proved',
    id: `perturbed-leader-${kind}`,
    privacy: 'target',
    regret,
    noise: { batch, deviation },
  };
}
