import { Decimal, decimalFromDouble, exactUpper } from '../../numeric/decimal.ts';
import type { Bracket, Enclosure } from '../../numeric/enclosure.ts';
import { exactAccounting } from './accounting.ts';
import { lemma311 } from '../theorems/lemma-3-11.ts';
import type { Measure } from '../core/measure.ts';
import type { NamedSetting, SettingId } from '../core/named-setting.ts';
import { guaranteesOf, type GuaranteeKind } from './resampling-guarantee.ts';
import { isWithoutY, type L2pSetting } from '../core/setting.ts';
import { theorem32, type Theorem32, type Theorem32Input } from '../theorems/theorem-3-2.ts';

/** The parameters to audit: one's own, or named ones. */
export interface AuditQuestion extends Omit<NamedSetting, 'id' | 'printedBatch'> {
  readonly id: SettingId | null;
  /** B as a formula gives it, where it had to be made a whole number. */
  readonly printedBatch?: Decimal;
  /** The delta of the accounting; default: that of Theorem 3.2. */
  readonly delta?: Decimal;
}

/** The epsilon of one way of accounting. */
export interface AccountingRow {
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
    accounting: guarantees.map((each) => ({
      resampling: each.kind,
      epsilon: informative(exactAccounting(setting, measure, each).epsilon(delta)),
    })),
  };
}

/** The smallest guarantee of an audit; null where there is none. */
export const guarantee = ({ accounting }: Audit): AccountingRow | null =>
  accounting.reduce<AccountingRow | null>(
    (best, row) => (best === null || row.epsilon.upper < best.epsilon.upper ? row : best),
    null,
  );
