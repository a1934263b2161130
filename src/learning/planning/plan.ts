import type { UpperBound } from '../../numeric/enclosure.ts';
import { audit, guarantee, type Audit } from '../accounting/audit.ts';
import { alternativesTo, bestPrivate } from '../alternatives/all.ts';
import {
  guessingRegretOfConvex,
  guessingRegretOfExperts,
  type Alternative,
  type ProvedAlternative,
} from '../alternatives/alternative.ts';
import type {
  ConvexProblem,
  ExpertsProblem,
  Measure,
  MultiplicativeWeights,
  NamedSetting,
  NoSetting,
  RegularisedWeights,
  SettingId,
} from '../core/setting.ts';
import { repairedForConvex, repairedForExperts, theorem310, theorem312 } from '../theorems/parameters.ts';
import { bestForConvex } from './best-for-convex.ts';
import { bestForExperts } from './best-for-experts.ts';
import { safeRegretOfConvex, safeRegretOfExperts } from './regret.ts';
import type { Chosen } from './search.ts';

/** A task to learn, and how privately. */
export type PlanProblem = ExpertsProblem | ConvexProblem;

/** One set of parameters with all that is known of it. */
export interface PlanRow {
  readonly audit: Audit;
  /** A bound on its expected regret that is certain. */
  readonly regret: UpperBound;
  /** Whether exact accounting guarantees the target. */
  readonly meetsTarget: boolean;
  /** Where a search found the parameters: why these. */
  readonly chosen: Chosen | null;
}

/** Parameters for one problem, from print to the best found. */
export interface Plan {
  readonly problem: PlanProblem;
  readonly rows: readonly PlanRow[];
  /** Formulas that give no parameters here. */
  readonly missing: readonly NoSetting[];
  /**
   * The row with the least safe regret of those that certainly meet the target, of equal ones the first that was searched
   * for; null where none does.
   */
  readonly best: PlanRow | null;
  /** The regret of what looks at no loss: a uniform guess of an expert, or the centre of the set. */
  readonly guessing: UpperBound;
  /** Other learners, none of them L2P. */
  readonly others: readonly Alternative[];
  /** The private one of them that reads losses and has a smaller proved regret than `best` and than guessing; null where none has. */
  readonly instead: ProvedAlternative | null;
}

/** Called with the parameters that are at work, and the share of the plan that is done. */
export type PlanProgress = (what: SettingId, share: number) => void;

/** Parameters to look at, or how to find them. */
type Candidate<M extends Measure> = readonly [id: SettingId, find: () => NamedSetting<M> | NoSetting | Chosen<M>];

type RegretOf<M extends Measure> = (named: NamedSetting<M>) => UpperBound;

function rowOf<M extends Measure>(
  { epsilon, delta }: PlanProblem,
  named: NamedSetting<M>,
  regretOf: RegretOf<M>,
  chosen: Chosen | null,
): PlanRow {
  const auditResult = audit({ ...named, delta });
  const safe = guarantee(auditResult);
  return {
    audit: auditResult,
    regret: regretOf(named),
    meetsTarget: safe !== null && epsilon.gte(safe.epsilon.upper),
    chosen,
  };
}

function safer(a: PlanRow | null, b: PlanRow): PlanRow | null {
  if (!b.meetsTarget) return a;
  if (a === null || b.regret < a.regret) return b;
  return b.regret === a.regret && a.chosen === null ? b : a;
}

function planOf<M extends Measure>(
  { problem, guessing }: Pick<Plan, 'problem' | 'guessing'>,
  candidates: readonly Candidate<M>[],
  regretOf: RegretOf<M>,
  progress?: PlanProgress,
): Plan {
  const rows: PlanRow[] = [];
  const missing: NoSetting[] = [];
  candidates.forEach(([id, find], index) => {
    progress?.(id, index / candidates.length);
    const candidate = find();
    if ('reason' in candidate) missing.push(candidate);
    else if ('named' in candidate) rows.push(rowOf(problem, candidate.named, regretOf, candidate));
    else rows.push(rowOf(problem, candidate, regretOf, null));
  });
  const best = rows.reduce<PlanRow | null>(safer, null);
  const others = alternativesTo(problem);
  const instead = bestPrivate(others, Math.min(guessing, best?.regret ?? Infinity));
  return { problem, rows, missing, best, guessing, others, instead };
}

/**
 * Parameters of L2P for prediction from experts: those of Theorem 3.10 as stated and as in its proof, those repaired to
 * satisfy Theorem 3.2, and the best found without y under exact accounting with randomized-response and with bounded-range steps;
 * each with its audit and its regret.
 */
export const planForExperts = (problem: ExpertsProblem, progress?: PlanProgress): Plan =>
  planOf<MultiplicativeWeights>(
    { problem, guessing: guessingRegretOfExperts(problem) },
    [
      ['theorem-3.10', () => theorem310(problem, 'theorem-3.10')],
      ['theorem-3.10-proof', () => theorem310(problem, 'theorem-3.10-proof')],
      ['repaired', () => repairedForExperts(problem)],
      ['without-y-randomized-response', () => bestForExperts(problem, 'randomized-response')],
      ['without-y-bounded-range', () => bestForExperts(problem, 'bounded-range')],
    ],
    ({ setting }) => safeRegretOfExperts(setting, problem.experts),
    progress,
  );

/** Parameters of L2P for convex optimisation: those of Theorem 3.12, repaired ones, and the best found. */
export const planForConvex = (problem: ConvexProblem, progress?: PlanProgress): Plan =>
  planOf<RegularisedWeights>(
    { problem, guessing: guessingRegretOfConvex(problem) },
    [
      ['theorem-3.12', () => theorem312(problem)],
      ['repaired', () => repairedForConvex(problem)],
      ['best-gaussian', () => bestForConvex(problem)],
    ],
    ({ setting, measure }) => safeRegretOfConvex(setting, measure, problem.dimension),
    progress,
  );
