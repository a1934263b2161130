import type { UpperBound } from '../numeric/enclosure.ts';
import { audit, guarantee, type Audit } from './audit.ts';
import { bestForConvex } from './best-for-convex.ts';
import { bestForExperts } from './best-for-experts.ts';
import type { Chosen } from './chosen.ts';
import type { Measure, MultiplicativeWeights, RegularisedWeights } from './measure.ts';
import type { ConvexProblem, ExpertsProblem, NamedSetting, NoSetting, SettingId } from './named-setting.ts';
import { repairedForConvex, repairedForExperts } from './repaired-parameters.ts';
import {
  claimedRegretOfConvex,
  claimedRegretOfExperts,
  neverCuts,
  safeRegretOfConvex,
  safeRegretOfExperts,
} from './regret.ts';
import { claimedRegret310, theorem310 } from './theorem-3-10.ts';
import { claimedRegret312, theorem312 } from './theorem-3-12.ts';
import { covers } from './theorem-3-2.ts';

/** What is to be learned, and how privately. */
export type PlanProblem = ExpertsProblem | ConvexProblem;

/** The regret of one set of parameters. */
export interface PlannedRegret {
  /** As the paper's proof has it, with constant 1: a claim. */
  readonly claimed: number;
  /** Certain; null where the keep probability may be cut at 1, which changes the law of x. */
  readonly safe: UpperBound | null;
}

/** One set of parameters with all that is known of it. */
export interface PlanRow {
  readonly audit: Audit;
  readonly regret: PlannedRegret;
  /** Whether Theorem 3.2, with all its hypotheses, gives the target. */
  readonly claimsTarget: boolean;
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
  /** The row with the least safe regret of those that certainly meet the target; null where none does. */
  readonly best: PlanRow | null;
  /** The regret that the theorem for this problem claims, up to a constant. */
  readonly claimedRate: number;
}

/** Told the parameters that are at work, and the share of the plan that is done. */
export type PlanProgress = (what: SettingId, share: number) => void;

/** Parameters to look at, or how to find them. */
type Candidate<M extends Measure> = readonly [id: SettingId, find: () => NamedSetting<M> | NoSetting | Chosen<M>];

function rowOf(
  { epsilon, delta }: PlanProblem,
  named: NamedSetting,
  regret: PlannedRegret,
  chosen: Chosen | null,
): PlanRow {
  const found = audit({ ...named, delta });
  const theorem = found.moved ?? found.theorem;
  const safe = guarantee(found);
  return {
    audit: found,
    regret,
    // delta1 was rounded so that the theorem's delta is at most the target; its enclosure reaches beyond.
    claimsTarget: covers(theorem) && epsilon.gte(theorem.epsilon.upper) && delta.gte(theorem.delta.lower),
    meetsTarget: safe !== null && epsilon.gte(safe.epsilon.upper),
    chosen,
  };
}

const safer = (a: PlanRow | null, b: PlanRow): PlanRow | null => {
  const [known, other] = [a?.regret.safe ?? Infinity, b.regret.safe ?? Infinity];
  return b.meetsTarget && other < known ? b : a;
};

function planOf<M extends Measure>(
  problem: PlanProblem,
  claimedRate: number,
  candidates: readonly Candidate<M>[],
  regretOf: (named: NamedSetting<M>) => PlannedRegret,
  progress?: PlanProgress,
): Plan {
  const rows: PlanRow[] = [];
  const missing: NoSetting[] = [];
  candidates.forEach(([id, find], index) => {
    progress?.(id, index / candidates.length);
    const found = find();
    if ('reason' in found) missing.push(found);
    else if ('named' in found) rows.push(rowOf(problem, found.named, regretOf(found.named), found));
    else rows.push(rowOf(problem, found, regretOf(found), null));
  });
  const best = rows.reduce<PlanRow | null>(safer, null);
  return { problem, rows, missing, best, claimedRate };
}

/**
 * Parameters of L2P for prediction from experts: those of Theorem 3.10 as stated and as in its proof, those repaired to
 * satisfy Theorem 3.2, and the best found under exact accounting with randomized-response and with bounded-range steps;
 * each with its audit and its regret.
 */
export const planForExperts = (problem: ExpertsProblem, progress?: PlanProgress): Plan =>
  planOf<MultiplicativeWeights>(
    problem,
    claimedRegret310(problem),
    [
      ['theorem-3.10', () => theorem310(problem, 'theorem-3.10')],
      ['theorem-3.10-proof', () => theorem310(problem, 'theorem-3.10-proof')],
      ['repaired', () => repairedForExperts(problem)],
      ['best-randomized-response', () => bestForExperts(problem, 'randomized-response')],
      ['best-bounded-range', () => bestForExperts(problem, 'bounded-range')],
    ],
    ({ setting }) => ({
      claimed: claimedRegretOfExperts(setting, problem.experts),
      safe: safeRegretOfExperts(setting, problem.experts),
    }),
    progress,
  );

/** Parameters of L2P for convex optimisation: those of Theorem 3.12, repaired ones, and the best found. */
export const planForConvex = (problem: ConvexProblem, progress?: PlanProgress): Plan =>
  planOf<RegularisedWeights>(
    problem,
    claimedRegret312(problem),
    [
      ['theorem-3.12', () => theorem312(problem)],
      ['repaired', () => repairedForConvex(problem)],
      ['best-gaussian', () => bestForConvex(problem)],
    ],
    ({ setting, measure }) => ({
      claimed: claimedRegretOfConvex(setting, measure, problem.dimension),
      safe: neverCuts(measure, setting.eta) ? safeRegretOfConvex(setting, measure, problem.dimension) : null,
    }),
    progress,
  );
