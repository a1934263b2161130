import { guarantee, type Audit } from '../../lazy/accounting/audit.ts';
import { auditNotes, type AuditNote } from '../../lazy/accounting/audit-notes.ts';
import { covers, type Theorem32 } from '../../lazy/theorems/theorem-3-2.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { always, described, from, list, object, orNull } from '../kit/codec.ts';
import { BRACKET, ENCLOSURE, FLAG, GIVEN, NEAREST, NEAREST_GIVEN, NOTICE, NUMBER, TEXT } from '../kit/codecs.ts';
import { CLAIMED, GUARANTEED, lazyText, MEASURE, printedSetting, RESAMPLING, SETTING } from './kit/json.ts';
import { auditNoteMessage } from './kit/messages.ts';

/** Theorem 3.2 as printed, with its hypotheses and terms. */
export const THEOREM = from(
  object({
    status: CLAIMED,
    covers: described('whether every hypothesis holds', FLAG),
    eta: NEAREST,
    hypotheses: list(object({ id: TEXT, value: ENCLOSURE, holds: FLAG })),
    terms: object({ firstFlag: ENCLOSURE, eta: ENCLOSURE, drift: ENCLOSURE, deviation: ENCLOSURE }),
    epsilon: ENCLOSURE,
    delta: ENCLOSURE,
  }),
  (theorem: Theorem32) => ({
    ...theorem,
    covers: covers(theorem),
    eta: theorem.input.eta,
    hypotheses: theorem.preconditions,
  }),
);

/** Exact accounting, one row for each kind of step. */
export const ACCOUNTING = list(
  object({
    status: GUARANTEED,
    resampling: RESAMPLING,
    epsilon: described(
      'upper: guaranteed for L2P; lower: certain for all that has these flags and steps, not for L2P itself; null if none is known',
      BRACKET,
    ),
  }),
);

export const NOTES = list(from(NOTICE, (note: AuditNote) => ({ code: note.code, message: auditNoteMessage(note) })));

/** An audit. */
export const AUDIT = object({
  result: always('audit'),
  input: object({
    setting: orNull(TEXT),
    ...SETTING,
    measure: MEASURE,
    delta1: orNull(GIVEN),
    delta0: orNull(GIVEN),
    target: orNull(GIVEN),
  }),
  theorem: described('null without y', orNull(THEOREM)),
  moved: described('Theorem 3.2 at the distance of Lemma 3.11, where that is above eta', orNull(THEOREM)),
  delta: described('at which the epsilons of the accounting hold', NEAREST_GIVEN),
  accounting: ACCOUNTING,
  guarantee: orNull(object({ resampling: RESAMPLING, epsilon: NUMBER })),
  notes: NOTES,
});

/** An audit as `dpcompose.lazy/1`. */
export function lazyAuditJson(audit: Audit, target: Decimal | null, version: string): string {
  const { delta1 = null, delta0 = null } = audit.theorem?.input ?? {};
  const best = guarantee(audit);
  const value = {
    ...audit,
    input: { ...printedSetting(audit.setting), setting: audit.id, measure: audit.measure, delta1, delta0, target },
    guarantee: best && { resampling: best.resampling, epsilon: best.epsilon.upper },
    notes: auditNotes(audit, target),
  };
  return lazyText(AUDIT, value, version);
}
