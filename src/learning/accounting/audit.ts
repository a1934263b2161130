import { Decimal, decimalFromDouble, exactUpper } from '../../numeric/decimal.ts';
import type { Bracket, Enclosure } from '../../numeric/enclosure.ts';
import { isWithoutY, type L2pSetting, type Measure, type NamedSetting, type SettingId } from '../core/setting.ts';
import {
  lemma311,
  theorem32,
  type Precondition,
  type Theorem32,
  type Theorem32Input,
} from '../theorems/theorem-3-2.ts';
import { exactAccounting, revealingChance } from './accounting.ts';
import { guaranteesOf, type GuaranteeKind } from './resampling.ts';

/** The parameters to audit: one's own, or named ones. */
export interface AuditQuestion extends Omit<NamedSetting, 'id' | 'printedBatch'> {
  readonly id: SettingId | null;
  /** B as a formula gives it, where it had to be made a whole number. */
  readonly printedBatch?: Decimal;
  /** The delta of the accounting; default: that of Theorem 3.2. */
  readonly delta?: Decimal;
}

/** The epsilon of one way of accounting. */
interface AccountingRow {
  readonly resampling: GuaranteeKind;
  readonly epsilon: Bracket;
}

/** Theorem 3.2 and the exact accounting of one setting, side by side. */
export interface Audit {
  readonly id: SettingId | null;
  readonly setting: L2pSetting;
  readonly measure: Measure;
  readonly printedBatch: Decimal;
  /** Theorem 3.2 with the eta of the setting; null without y, of which it says nothing. */
  readonly theorem: Theorem32 | null;
  /** Theorem 3.2 with the distance by which regularised weights really move, where that is larger. */
  readonly moved: Theorem32 | null;
  /** At which the epsilons of the accounting hold. */
  readonly delta: Decimal;
  /** Empty where the measure is any with delta0 > 0: only Theorem 3.2 says something then. */
  readonly accounting: readonly AccountingRow[];
}

/** The delta of Theorem 3.2, or of 2 T delta1 where there is no y, to ten digits, rounded up. */
function deltaOf({ setting: { rounds }, delta1 }: AuditQuestion, theorem: Theorem32 | null): Decimal {
  const delta = theorem === null ? Decimal.min(1, delta1.times(2).times(rounds)) : exactUpper(theorem.delta);
  return delta.toSignificantDigits(10, Decimal.ROUND_UP);
}

/** What Theorem 3.2 is asked; null where there is no y. */
function theoremInput({ setting, delta1, delta0 }: AuditQuestion): Theorem32Input | null {
  if (isWithoutY(setting)) return null;
  const { rounds, batch, eta, fakeSwitch } = setting;
  return { rounds, batch: new Decimal(batch), eta, fakeSwitch, delta1, delta0 };
}

/** Theorem 3.2 at the distance of Lemma 3.11, where the setting's eta is below it. */
function movedTheorem(input: Theorem32Input | null, measure: Measure): Theorem32 | null {
  if (input === null || measure.type !== 'regularised-multiplicative-weights' || input.delta0.isZero()) return null;
  const distance: Enclosure = lemma311(measure, input.delta0);
  const eta = decimalFromDouble(distance.upper);
  return eta.gt(input.eta) ? theorem32({ ...input, eta }) : null;
}

/** A lower end of 0 below an upper one says nothing, and none is needed where the upper one says nothing. */
const informative = (epsilon: Bracket): Bracket =>
  (epsilon.lower === 0 && epsilon.upper > 0) || epsilon.upper === Infinity ? { ...epsilon, lower: null } : epsilon;

/**
 * Theorem 3.2 as printed, at the delta that it gives, and what exact accounting guarantees for the same parameters at the delta
 * asked for, which by default is that of the theorem.
 *
 * The theorem is a claim; `accounting` holds guarantees (see {@link exactAccounting}), with the class to which they hold.
 */
export function audit(question: AuditQuestion): Audit {
  const { id, setting, measure, delta0 } = question;
  const input = theoremInput(question);
  const theorem = input && theorem32(input);
  const delta = question.delta ?? deltaOf(question, theorem);
  const guarantees = measure.type === 'any' && !delta0.isZero() ? [] : guaranteesOf(measure, setting.eta);
  return {
    id,
    setting,
    measure,
    printedBatch: question.printedBatch ?? new Decimal(setting.batch),
    theorem,
    moved: movedTheorem(input, measure),
    delta,
    accounting: guarantees.map((resampling) => ({
      resampling: resampling.kind,
      epsilon: informative(exactAccounting(setting, measure, resampling).epsilon(delta)),
    })),
  };
}

/** The smallest guarantee of an audit; null where there is none. */
export const guarantee = ({ accounting }: Audit): AccountingRow | null =>
  accounting.reduce<AccountingRow | null>(
    (best, row) => (best === null || row.epsilon.upper < best.epsilon.upper ? row : best),
    null,
  );

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
  /** Exact accounting gives no finite epsilon: without fake switches a switch may distinguish the neighbors. */
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
