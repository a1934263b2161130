import type { UpperBound } from '../../numeric/enclosure.ts';
import type { ConvexProblem, ExpertsProblem } from '../core/setting.ts';
import { RATES, regretOf, type RateId } from '../rates/rates.ts';
import {
  descentRegret,
  guessingRegretOfConvex,
  guessingRegretOfExperts,
  hedgeRegret,
  type Alternative,
  type AlternativeId,
  type AlternativePrivacy,
  type ProvedAlternative,
  type RateAlternative,
} from './alternative.ts';
import { perturbedLeader, regularisedLeader } from './leaders.ts';

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

const plain = (id: AlternativeId, privacy: AlternativePrivacy, regret: UpperBound): ProvedAlternative => ({
  kind: 'proved',
  id,
  privacy,
  regret,
  noise: null,
});

/** Every other learner that a plan is compared with, as private as the target asks where it is private at all. */
export const alternativesTo = (problem: ExpertsProblem | ConvexProblem): readonly Alternative[] =>
  problem.problem === 'ope'
    ? [
        plain('guessing', 'reads-nothing', guessingRegretOfExperts(problem)),
        perturbedLeader(problem, 'tree'),
        perturbedLeader(problem, 'square-root'),
        lazyPredecessor(problem),
        plain('no-privacy', 'none', hedgeRegret(problem)),
      ]
    : [
        plain('guessing', 'reads-nothing', guessingRegretOfConvex(problem)),
        regularisedLeader(problem, 'tree'),
        regularisedLeader(problem, 'square-root'),
        lazyPredecessor(problem),
        plain('no-privacy', 'none', descentRegret(problem)),
      ];

/** The private learner that reads losses with the least proved regret, where that is below `toBeat`; null where none is. */
export function bestPrivate(alternatives: readonly Alternative[], toBeat: number): ProvedAlternative | null {
  const candidates = alternatives
    .filter((alternative) => alternative.kind === 'proved')
    .filter(({ privacy }) => privacy === 'target');
  return candidates.reduce<ProvedAlternative | null>(
    (best, alternative) => (alternative.regret < (best?.regret ?? toBeat) ? alternative : best),
    null,
  );
}
