import type { Mistake } from '../../document/core/input-error.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { Diagnostics, validate } from '../../document/core/validate.ts';
import { readDocument, type DocumentOptions } from '../../document/syntax/read-document.ts';
import type { BudgetLine, Budgets, Scope } from './budgets.ts';
import { budgetsKeys, budgetsSchema, type ParsedBudgets, type ParsedLine } from './schema.ts';
import { canCoincide, templateText } from './template.ts';
import { termsOfLine } from './terms-of-line.ts';

/** Budgets; or everything that is wrong with the document. */
export type BudgetsReading =
  | { readonly kind: 'budgets'; readonly budgets: Budgets }
  | { readonly kind: 'errors'; readonly errors: readonly InputError[]; readonly more: number };

const KINDS = 'data, where each value is a part of the data, or people, where each is somebody who asks';

/** Who the ledgers of a line are for; null where the line does not say, or should not. */
function scopeOf({ name, of }: ParsedLine): Scope | Mistake['problem'] {
  if (name.key === null) {
    if (of === undefined) return 'all';
    const message = 'of is for a line with a {key} in its name, and this one has none';
    return { code: 'conflicting-keys', message, hint: 'Remove of, or add a key to the name.' };
  }
  if (of !== undefined) return of;
  const hint = `Add "of": ${KINDS}.`;
  return { code: 'missing-key', message: `of is missing; it says what the values of ${name.key} are`, hint };
}

/** Lines that could name the same ledger, and keys that are meant in two ways. */
function contradictions({ ledgers }: ParsedBudgets): Mistake[] {
  return ledgers.flatMap(({ name, of }, index) => {
    const before = ledgers.slice(0, index);
    const same = before.find((each) => canCoincide(each.name, name));
    const other = before.find((each) => name.key !== null && each.name.key === name.key && each.of !== of);
    const mistakes: Mistake[] = [];
    if (same !== undefined) {
      const message = `this could name the same ledger as ${quote(templateText(same.name))}`;
      const problem = { code: 'duplicate-name', message, hint: 'Put one of them in a folder: "day/{day}".' } as const;
      mistakes.push({ path: ['ledgers', index, 'name'], anchor: 'value', problem });
    }
    if (other !== undefined && of !== undefined) {
      const message = `${name.key ?? ''} stands for ${other.of ?? 'something else'} in another line`;
      const problem = { code: 'duplicate-name', message, hint: 'Give one of the two another key.' } as const;
      mistakes.push({ path: ['ledgers', index, 'of'], anchor: 'value', problem });
    }
    return mistakes;
  });
}

/** Reads budgets (in UTF-8; JSON unless another syntax is given); all mistakes are reported together, each with its place. */
export function readBudgets(input: string | Uint8Array, options: DocumentOptions = {}): BudgetsReading {
  const diagnostics = new Diagnostics({ keysOf: budgetsKeys, types: [] });
  const check = (value: unknown): Budgets | null => {
    const parsed = validate(budgetsSchema, value, diagnostics);
    if (parsed === undefined) return null;
    for (const mistake of contradictions(parsed)) diagnostics.note(mistake);
    const lines = parsed.ledgers.flatMap((line, index): BudgetLine[] => {
      const path = ['ledgers', index];
      const scope = scopeOf(line);
      if (typeof scope !== 'string') {
        const at = line.of === undefined ? path : [...path, 'of'];
        diagnostics.note({ path: at, anchor: line.of === undefined ? 'value' : 'key', problem: scope });
      }
      const terms = termsOfLine(line, typeof scope === 'string' ? scope : 'all');
      if (!('mode' in terms)) {
        for (const { key, problem } of terms) {
          diagnostics.note({
            path: key === null ? path : [...path, key],
            anchor: key === null ? 'value' : 'key',
            problem,
          });
        }
        return [];
      }
      return typeof scope === 'string' ? [{ name: line.name, scope, terms }] : [];
    });
    return { name: parsed.name ?? null, lines };
  };
  const { document, errors, more } = readDocument(input, diagnostics, check, options);
  return document === null ? { kind: 'errors', errors, more } : { kind: 'budgets', budgets: document };
}
