import type { UpperBound } from '../../numeric/enclosure.ts';
import type { ConvexProblem, ExpertsProblem } from '../core/named-setting.ts';
import type { Alternative, AlternativeId, AlternativePrivacy, ProvedAlternative } from './alternative.ts';
import { guessingRegretOfConvex, guessingRegretOfExperts } from './guessing.ts';
import { lazyPredecessor } from './lazy-predecessor.ts';
import { descentRegret, hedgeRegret } from './no-privacy.ts';
import { perturbedLeader } from './perturbed-leader.ts';
import { regularisedLeader } from './regularised-leader.ts';

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

/** The private learner that reads losses with the least proved regret. */
export function bestPrivate(alternatives: readonly Alternative[]): ProvedAlternative | null {
  const found = alternatives.filter((each) => each.kind === 'proved').filter(({ privacy }) => privacy === 'target');
  return found.reduce<ProvedAlternative | null>(
    (best, each) => (best === null || each.regret < best.regret ? each : best),
    null,
  );
}
