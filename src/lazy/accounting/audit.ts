import { Decimal, decimalFromDouble } from '../../numeric/decimal.ts';
import type { Bracket, Enclosure } from '../../numeric/enclosure.ts';
import { exactAccounting } from './accounting.ts';
import { lemma311 } from '../theorems/lemma-3-11.ts';
import type { Measure } from '../core/measure.ts';
import type { NamedSetting, SettingId } from '../core/named-setting.ts';
import { roundedUp } from '../core/rounded.ts';
import { guaranteesOf, type GuaranteeKind } from './resampling-guarantee.ts';
import type { L2pSetting } from '../core/setting.ts';
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
  /** Theorem 3.2 with the eta of the setting. */
  readonly theorem: Theorem32;
  /** Theorem 3.2 with the distance by which regularised weights really move, where that is larger. */
  readonly moved: Theorem32 | null;
  /** At which the epsilons of the accounting hold. */
  readonly delta: Decimal;
  /** Empty where the measure is any with delta0 > 0: only Theorem 3.2 says something then. */
  readonly accounting: readonly AccountingRow[];
}

/** The delta of Theorem 3.2 as a decimal: exact where delta0 is 0, else rounded up. */
function deltaOf({ input, delta }: Theorem32): Decimal {
  const exact = input.delta0.isZero() ? input.delta1.times(2).times(input.rounds) : roundedUp(Math.min(1, delta.upper));
  return Decimal.min(1, exact);
}

/** Theorem 3.2 at the distance of Lemma 3.11, where the setting's eta is below it. */
function movedTheorem(input: Theorem32Input, measure: Measure): Theorem32 | null {
  if (measure.type !== 'regularised-multiplicative-weights' || input.delta0.isZero()) return null;
  const distance: Enclosure = lemma311(measure, input.delta0);
  const eta = decimalFromDouble(distance.upper);
  return eta.gt(input.eta) ? theorem32({ ...input, eta }) : null;
}

/** A lower end of 0 below an upper one says nothing, and none is needed where the upper one says nothing. */
const informative = (epsilon: Bracket): Bracket =>
  (epsilon.lower === 0 && epsilon.upper > 0) || epsilon.upper === Infinity ? { ...epsilon, lower: null } : epsilon;

/**
 * Theorem 3.2 as printed, and what exact accounting guarantees, for the same parameters and the same delta.
 *
 * The theorem is a claim; `accounting` holds guarantees (see {@link exactAccounting}), with the class to which they hold.
 */
export function audit(question: AuditQuestion): Audit {
  const { id, setting, measure, delta1, delta0 } = question;
  const input: Theorem32Input = {
    rounds: setting.rounds,
    batch: new Decimal(setting.batch),
    eta: setting.eta,
    fakeSwitch: setting.fakeSwitch,
    delta1,
    delta0,
  };
  const theorem = theorem32(input);
  const delta = question.delta ?? deltaOf(theorem);
  const guarantees = measure.type === 'any' && !delta0.isZero() ? [] : guaranteesOf(measure, setting.eta);
  return {
    id,
    setting,
    measure,
    printedBatch: question.printedBatch ?? input.batch,
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
