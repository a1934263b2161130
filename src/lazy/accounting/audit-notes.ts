import type { Decimal } from '../../numeric/decimal.ts';
import { revealingChance } from './accounting.ts';
import { guarantee, type Audit } from './audit.ts';
import { isWithoutY } from '../core/setting.ts';
import type { Precondition } from '../theorems/theorem-3-2.ts';

/** Something to know about an audit. */
export type AuditNote =
  /** B had to be made a whole number. */
  | { readonly code: 'batch-rounded'; readonly printed: Decimal; readonly batch: number }
  /** Theorem 3.2 does not cover these parameters. */
  | { readonly code: 'hypothesis-fails'; readonly hypotheses: readonly Precondition[] }
  /** It does, but its epsilon is no guarantee of this program. */
  | { readonly code: 'claim-only' }
  /** There is no y, so that the theorem says nothing. */
  | { readonly code: 'without-y' }
  /** Its Case 2 has half of what the first flag can lose with this measure. */
  | { readonly code: 'flag-of-any-measure' }
  /** Its claim is above what was asked for. */
  | { readonly code: 'claim-above-target'; readonly target: Decimal }
  /** By Lemma 3.11 the measure moves further than eta, so that the theorem is about a larger one. */
  | { readonly code: 'measure-moves-further'; readonly eta: number }
  /** The exact accounting is above what was asked for. */
  | { readonly code: 'guarantee-above-target'; readonly target: Decimal }
  /** For this measure only the theorem says something. */
  | { readonly code: 'no-accounting' }
  /** Exact accounting gives no finite epsilon: without fake switches a switch may tell the neighbours apart. */
  | {
      readonly code: 'switch-reveals';
      /** With this chance at most: a larger delta covers it. */
      readonly chance: number;
      /** A larger value of this keeps the losses from keeping x for certain. */
      readonly helps: 'eta' | 'c' | null;
    }
  /** Exact accounting gives no finite epsilon although switches are hidden among fake ones. */
  | { readonly code: 'no-finite-epsilon'; readonly delta: Decimal }
  /** p = 10 eta/epsilon makes the last hypothesis epsilon B ln(1/delta1) <= 10, which no delta satisfies for such T. */
  | { readonly code: 'never-covered'; readonly rounds: number };

/**
 * Beyond this many rounds Theorem 3.10 cannot satisfy Theorem 3.2 with this B: with p = 10 eta/epsilon and delta1 =
 * delta/(2T) the last hypothesis is 2 T / delta <= e^(10 / (epsilon B)), and delta is below 1. For B = 1/epsilon 11,013.
 */
export const mostCoveredRounds = (epsilon: number, batch: number): number =>
  Math.floor(Math.exp(10 / (epsilon * batch)) / 2);

/** Notes on an audit; `target`: the epsilon that was asked for, if any. */
export function auditNotes(audit: Audit, target: Decimal | null): AuditNote[] {
  const { theorem, moved, printedBatch, setting, measure, id } = audit;
  const notes: AuditNote[] = [];
  if (!printedBatch.eq(setting.batch)) {
    notes.push({ code: 'batch-rounded', printed: printedBatch, batch: setting.batch });
  }
  if (moved !== null) notes.push({ code: 'measure-moves-further', eta: moved.input.eta.toNumber() });
  const judged = moved ?? theorem;
  const failing = judged?.preconditions.filter(({ holds }) => !holds).map(({ id: hypothesis }) => hypothesis) ?? [];
  if (failing.length > 0) notes.push({ code: 'hypothesis-fails', hypotheses: failing });
  else notes.push({ code: judged === null ? 'without-y' : 'claim-only' });
  if (measure.type === 'any') notes.push({ code: 'flag-of-any-measure' });
  if (id?.startsWith('theorem-3.10') === true && target !== null) {
    const rounds = mostCoveredRounds(target.toNumber(), setting.batch);
    if (setting.rounds > rounds && failing.includes('batch-drift')) notes.push({ code: 'never-covered', rounds });
  }
  if (judged !== null && target?.lt(judged.epsilon.upper) === true) notes.push({ code: 'claim-above-target', target });
  const safe = guarantee(audit)?.epsilon.upper;
  if (safe === undefined) notes.push({ code: 'no-accounting' });
  else if (safe === Infinity) {
    const chance = revealingChance(setting, measure)?.upper;
    const helps = isWithoutY(setting) ? 'c' : measure.type === 'any' ? null : 'eta';
    const reveals = chance !== undefined && audit.delta.lte(chance);
    notes.push(reveals ? { code: 'switch-reveals', chance, helps } : { code: 'no-finite-epsilon', delta: audit.delta });
  } else if (target?.lt(safe) === true) notes.push({ code: 'guarantee-above-target', target });
  return notes;
}
