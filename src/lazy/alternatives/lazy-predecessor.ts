import type { ConvexProblem, ExpertsProblem } from '../core/named-setting.ts';
import { RATES, regretOf, type RateId } from '../rates/rates.ts';
import type { RateAlternative } from './alternative.ts';

/** Learners that are private by limited switching, of each problem; the others of Table 1 are led by noisy sums. */
const LAZY = { ope: 'afkt23', oco: 'akst23' } as const satisfies Record<string, RateId>;

/**
 * The private learners before L2P that switch seldom: of experts Asi, Feldman, Koren, Talwar (2023), of convex losses Agarwal, Kale, Singh,
 * Thakurta (2023). Their regret is published up to a constant and to factors logarithmic in T and 1/delta, so that it is no bound.
 */
export function lazyPredecessor(problem: ExpertsProblem | ConvexProblem): RateAlternative {
  const rate = RATES[problem.problem].find(({ id }) => id === LAZY[problem.problem])!;
  const size = problem.problem === 'ope' ? problem.experts : problem.dimension;
  return { kind: 'rate', id: rate.id, rate, value: regretOf(rate, problem.rounds, size, problem.epsilon.toNumber()) };
}
