import { guarantee, type Audit } from '../../lazy/accounting/audit.ts';
import { auditNotes, type AuditNote } from '../../lazy/accounting/audit-notes.ts';
import { covers, type Theorem32 } from '../../lazy/theorems/theorem-3-2.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { jsonBracket, jsonDecimal, jsonNumber, type Json } from '../kit/json-value.ts';
import { jsonMeasure, jsonSetting, lazyDocument } from './json.ts';
import { auditNoteMessage } from './messages.ts';

/** What Theorem 3.2 claims, with its hypotheses and terms. */
export function jsonTheorem(theorem: Theorem32): Json {
  const { input, preconditions, terms, epsilon, delta } = theorem;
  return {
    status: 'claimed',
    covers: covers(theorem),
    eta: jsonNumber(input.eta.toNumber()),
    hypotheses: preconditions.map(({ id, value, holds }) => ({ id, value: jsonBracket(value), holds })),
    terms: {
      firstFlag: jsonBracket(terms.firstFlag),
      eta: jsonBracket(terms.eta),
      drift: jsonBracket(terms.drift),
      deviation: jsonBracket(terms.deviation),
    },
    epsilon: jsonBracket(epsilon),
    delta: jsonBracket(delta),
  };
}

/** The ways of accounting, each a guarantee. */
export const jsonAccounting = ({ accounting }: Audit): Json =>
  accounting.map(({ resampling, epsilon }) => ({ status: 'guaranteed', resampling, epsilon: jsonBracket(epsilon) }));

export const jsonNotes = (notes: readonly AuditNote[]): Json =>
  notes.map((note) => ({ code: note.code, message: auditNoteMessage(note) }));

/** An audit as `dpcompose.lazy/1`. */
export function lazyAuditJson(audit: Audit, target: Decimal | null, version: string): string {
  const { id, setting, measure, theorem, moved, delta } = audit;
  const best = guarantee(audit);
  return lazyDocument('audit', version, {
    input: {
      setting: id,
      ...jsonSetting(setting),
      measure: jsonMeasure(measure),
      delta1: jsonDecimal(theorem.input.delta1),
      delta0: jsonDecimal(theorem.input.delta0),
      target: target === null ? null : jsonDecimal(target),
    },
    theorem: jsonTheorem(theorem),
    moved: moved === null ? null : jsonTheorem(moved),
    delta: jsonNumber(delta.toNumber()),
    accounting: jsonAccounting(audit),
    guarantee: best === null ? null : { resampling: best.resampling, epsilon: jsonNumber(best.epsilon.upper) },
    notes: jsonNotes(auditNotes(audit, target)),
  });
}
