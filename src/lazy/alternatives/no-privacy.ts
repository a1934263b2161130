import { encloseDecimal } from '../../numeric/decimal.ts';
import { divide, logarithm, multiply, squareRoot } from '../../numeric/enclosure-arithmetic.ts';
import { asUpper, exactly, type UpperBound } from '../../numeric/enclosure.ts';
import type { ConvexProblem, ExpertsProblem } from '../core/named-setting.ts';
import { lessShare, smallestRadius } from './guessing.ts';

/**
 * sqrt(T ln(d) / 2), or T - 1/d where that is less: an upper bound on the expected regret of Hedge with the best eta,
 * sqrt(8 ln(d) / T), on losses in [0, 1]. It is not private.
 *
 * Source: Freund, Schapire (1997), with Hoeffding's lemma: ln(d)/eta + eta T / 8. The first draw is uniform, so that its round costs
 * at most 1 - 1/d.
 */
export function hedgeRegret({ rounds, experts }: Pick<ExpertsProblem, 'rounds' | 'experts'>): UpperBound {
  const hedge = squareRoot(divide(multiply(exactly(rounds), logarithm(exactly(experts))), exactly(2)));
  return asUpper(Math.min(hedge.upper, lessShare(rounds, 1, experts)));
}

/**
 * R L sqrt(T), R = D sqrt(d / (2 (d + 1))) < D: an upper bound on the regret of projected gradient descent with step R / (L sqrt(T))
 * from the centre of the smallest ball around the set, from which no point is further than R. It is not private.
 *
 * Source: Zinkevich (2003): R^2 / (2 step) + step L^2 T / 2; R: Jung (1901).
 */
export function descentRegret(problem: ConvexProblem): UpperBound {
  const { rounds, lipschitz } = problem;
  return multiply(multiply(smallestRadius(problem), encloseDecimal(lipschitz)), squareRoot(exactly(rounds))).upper;
}
