import type { Decimal } from '../../numeric/decimal.ts';
import type { UpperBound } from '../../numeric/enclosure.ts';
import type { ConvexProblem, ExpertsProblem } from '../core/named-setting.ts';
import type { WithoutY } from '../core/setting.ts';
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

/** The private learner that reads losses with the least proved regret, where that is below `toBeat`; null where none is. */
export function bestPrivate(alternatives: readonly Alternative[], toBeat: number): ProvedAlternative | null {
  const found = alternatives.filter((each) => each.kind === 'proved').filter(({ privacy }) => privacy === 'target');
  return found.reduce<ProvedAlternative | null>(
    (best, each) => (each.regret < (best?.regret ?? toBeat) ? each : best),
    null,
  );
}

/** What of a run other learners are compared with. */
interface Run {
  readonly setting: WithoutY;
  readonly experts: number;
  readonly epsilon: Decimal;
  readonly delta: Decimal;
}

/** Learners beside a run, with bounds on their expected regret. */
export interface BesideRun {
  /** Of drawing one expert uniformly, which reads no losses. */
  readonly guessing: UpperBound;
  /** As private as the run, with a smaller proved regret than it and than guessing; null where none is known. */
  readonly instead: ProvedAlternative | null;
}

/** The learners with which a run is compared that has at most this regret. */
export function besideRun({ setting, experts, epsilon, delta }: Run, regret: UpperBound): BesideRun {
  const problem = { problem: 'ope', rounds: setting.rounds, experts, epsilon, delta } as const;
  const guessing = guessingRegretOfExperts(problem);
  const comparable = epsilon.gt(0) && epsilon.isFinite();
  return { guessing, instead: comparable ? bestPrivate(alternativesTo(problem), Math.min(guessing, regret)) : null };
}
