import { exactUpper } from '../../numeric/decimal.ts';
import type { UpperBound } from '../../numeric/enclosure.ts';
import { alternativesTo, bestPrivate } from '../alternatives/all.ts';
import type { Alternative, ProvedAlternative } from '../alternatives/alternative.ts';
import { guessingRegretOfConvex, guessingRegretOfExperts } from '../alternatives/guessing.ts';
import { audit, guarantee, type Audit } from '../accounting/audit.ts';
import { bestForConvex } from './best-for-convex.ts';
import { bestForExperts } from './best-for-experts.ts';
import type { Chosen } from './chosen.ts';
import type { Measure, MultiplicativeWeights, RegularisedWeights } from '../core/measure.ts';
import type { ConvexProblem, ExpertsProblem, NamedSetting, NoSetting, SettingId } from '../core/named-setting.ts';
import { repairedForConvex, repairedForExperts } from '../theorems/repaired-parameters.ts';
import { claimedRegretOfConvex, claimedRegretOfExperts, safeRegretOfConvex, safeRegretOfExperts } from './regret.ts';
import { claimedRegret310, theorem310 } from '../theorems/theorem-3-10.ts';
import { claimedRegret312, theorem312 } from '../theorems/theorem-3-12.ts';
import { covers } from '../theorems/theorem-3-2.ts';

/** A task to learn, and how privately. */
export type PlanProblem = ExpertsProblem | ConvexProblem;

/** The regret of one set of parameters. */
export interface PlannedRegret {
  /**
   * As the paper's proof has it, with constant 1: a claim. Null where the paper claims nothing, of parameters that neither
   * one of its theorems prints nor its Theorem 3.2 covers.
   */
  readonly claimed: number | null;
  /** Certain. */
  readonly safe: UpperBound;
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
  /** The regret that the theorem for this problem claims, up to a constant. */
  readonly claimedRate: number;
}

/** Called with the parameters that are at work, and the share of the plan that is done. */
export type PlanProgress = (what: SettingId, share: number) => void;

/** Parameters to look at, or how to find them. */
type Candidate<M extends Measure> = readonly [id: SettingId, find: () => NamedSetting<M> | NoSetting | Chosen<M>];

/** Both regrets of parameters, what the paper would claim of them, and what is certain. */
type RegretsOf<M extends Measure> = (named: NamedSetting<M>) => PlannedRegret & { readonly claimed: number };

/** Parameters that a theorem of the paper prints. */
const isPrinted = (id: SettingId): boolean => id.startsWith('theorem-');

function rowOf<M extends Measure>(
  { epsilon, delta }: PlanProblem,
  named: NamedSetting<M>,
  regretsOf: RegretsOf<M>,
  chosen: Chosen | null,
): PlanRow {
  const found = audit({ ...named, delta });
  const theorem = found.moved ?? found.theorem;
  const safe = guarantee(found);
  const { claimed, ...regret } = regretsOf(named);
  return {
    audit: found,
    regret: { ...regret, claimed: isPrinted(named.id) || (theorem !== null && covers(theorem)) ? claimed : null },
    claimsTarget:
      theorem !== null && covers(theorem) && epsilon.gte(theorem.epsilon.upper) && delta.gte(exactUpper(theorem.delta)),
    meetsTarget: safe !== null && epsilon.gte(safe.epsilon.upper),
    chosen,
  };
}

function safer(a: PlanRow | null, b: PlanRow): PlanRow | null {
  if (!b.meetsTarget) return a;
  if (a === null || b.regret.safe < a.regret.safe) return b;
  return b.regret.safe === a.regret.safe && a.chosen === null ? b : a;
}

function planOf<M extends Measure>(
  { problem, claimedRate, guessing }: Pick<Plan, 'problem' | 'claimedRate' | 'guessing'>,
  candidates: readonly Candidate<M>[],
  regretsOf: RegretsOf<M>,
  progress?: PlanProgress,
): Plan {
  const rows: PlanRow[] = [];
  const missing: NoSetting[] = [];
  candidates.forEach(([id, find], index) => {
    progress?.(id, index / candidates.length);
    const found = find();
    if ('reason' in found) missing.push(found);
    else if ('named' in found) rows.push(rowOf(problem, found.named, regretsOf, found));
    else rows.push(rowOf(problem, found, regretsOf, null));
  });
  const best = rows.reduce<PlanRow | null>(safer, null);
  const others = alternativesTo(problem);
  const instead = bestPrivate(others, Math.min(guessing, best?.regret.safe ?? Infinity));
  return { problem, rows, missing, best, guessing, others, instead, claimedRate };
}

/**
 * Parameters of L2P for prediction from experts: those of Theorem 3.10 as stated and as in its proof, those repaired to
 * satisfy Theorem 3.2, and the best found under exact accounting with randomized-response and with bounded-range steps, with y and without;
 * each with its audit and its regret.
 */
export const planForExperts = (problem: ExpertsProblem, progress?: PlanProgress): Plan =>
  planOf<MultiplicativeWeights>(
    { problem, claimedRate: claimedRegret310(problem), guessing: guessingRegretOfExperts(problem) },
    [
      ['theorem-3.10', () => theorem310(problem, 'theorem-3.10')],
      ['theorem-3.10-proof', () => theorem310(problem, 'theorem-3.10-proof')],
      ['repaired', () => repairedForExperts(problem)],
      ['best-randomized-response', () => bestForExperts(problem, { kind: 'randomized-response', transform: 'with-y' })],
      ['best-bounded-range', () => bestForExperts(problem, { kind: 'bounded-range', transform: 'with-y' })],
      [
        'without-y-randomized-response',
        () => bestForExperts(problem, { kind: 'randomized-response', transform: 'without-y' }),
      ],
      ['without-y-bounded-range', () => bestForExperts(problem, { kind: 'bounded-range', transform: 'without-y' })],
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
    { problem, claimedRate: claimedRegret312(problem), guessing: guessingRegretOfConvex(problem) },
    [
      ['theorem-3.12', () => theorem312(problem)],
      ['repaired', () => repairedForConvex(problem)],
      ['best-gaussian', () => bestForConvex(problem)],
    ],
    ({ setting, measure }) => ({
      claimed: claimedRegretOfConvex(setting, measure, problem.dimension),
      safe: safeRegretOfConvex(setting, measure, problem.dimension),
    }),
    progress,
  );
