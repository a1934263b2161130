import type { Query } from '../privacy/curve.ts';
import { NumberText } from './core/number-text.ts';
import { type SpecFlags, withFlags, type SpecResult } from './flags/command-line.ts';
import type { DocumentSyntax } from './syntax/document-syntax.ts';
import { DOCUMENT_VOCABULARY } from './structure/document-schema.ts';
import type { JsonValue } from './syntax/json-read.ts';
import { readDocument } from './syntax/read-document.ts';
import { validateDocument } from './structure/validate-document.ts';
import type { InputError, Specification } from './core/specification.ts';
import { Diagnostics } from './core/validate.ts';
import { member, type Problem } from './core/input-error.ts';

/** Other documents by a key that they have: what they are, and what to do with them. */
const OTHERS: readonly (readonly [key: string, what: string, hint: string])[] = [
  ['type', 'a mechanism', 'Put it into a list: {"dpcompose": 1, "mechanisms": [...]}.'],
  ['scopes', 'a policy', 'Give it to dpcompose check --policy.'],
  ['ledgers', 'a file of budgets', 'Give it to dpcompose ledger spend --budgets.'],
  ['schema', 'a result of a program', 'Give the specification that it was made from.'],
  ...['history', 'events', 'class_name', 'spent_budget', 'compositions'].map(
    (key) => [key, 'what another accountant wrote', 'Make a specification of it with dpcompose convert.'] as const,
  ),
];

/** A list of mechanisms that is the whole document. */
const BARE_LIST: Problem = {
  code: 'wrong-type',
  message: 'the document must be an object, got a list',
  hint: 'Write {"dpcompose": 1, "mechanisms": [ ... ]} around the list.',
};

/** Checks a specification; of another document it says only what that is. */
function checked(value: unknown, diagnostics: Diagnostics): Specification | null {
  if (Array.isArray(value)) {
    diagnostics.note({ path: [], anchor: 'value', problem: BARE_LIST });
    return null;
  }
  const other = OTHERS.find(([key]) => member(value, key) !== undefined);
  if (other === undefined || member(value, 'mechanisms') !== undefined) return validateDocument(value, diagnostics);
  const [, what, hint] = other;
  const message = `mechanisms is missing: this is ${what}, not a specification`;
  diagnostics.note({ path: [], anchor: 'value', problem: { code: 'missing-key', message, hint } });
  return null;
}

/**
 * Reads a specification document (in UTF-8; JSON unless another syntax is given), with the flags that stand beside it on a
 * command line: what they set is changed in the document, their target, adaptivity and order win, their mechanisms come
 * after the document's. All mistakes are reported together.
 */
export function readSpecification(
  input: string | Uint8Array,
  flags: SpecFlags = {},
  syntax?: DocumentSyntax,
): SpecResult {
  const options = { ...(syntax && { syntax }), set: flags.set };
  return withFlags(readDocument(input, new Diagnostics(DOCUMENT_VOCABULARY), checked, options), flags);
}

/** The target of a specification, or the error that there is none. */
export function requireTarget({ target }: Pick<Specification, 'target'>): Query | InputError {
  return (
    target ?? {
      code: 'no-target',
      path: '--delta',
      message: 'the target is missing: give a delta or an epsilon',
      hint: 'Add --delta 1e-6 (or --epsilon 1), or "target": {"delta": "1e-6"} to the document.',
    }
  );
}

/** A JSON value as text in one line, its numbers as they were written. */
export function jsonText(value: JsonValue): string {
  if (value instanceof NumberText) return value.text;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`)
    .join(',')}}`;
}

/** The content of a line, and the value of its key `id`, if it has one. */
interface LineReading {
  readonly id: JsonValue | undefined;
  readonly result: SpecResult;
}

/** Whether a value is an object with the key `id`. */
const hasId = (value: JsonValue): value is { [key: string]: JsonValue; id: JsonValue } =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof NumberText) &&
  Object.hasOwn(value, 'id');

/** Reads a line of many: a specification document (JSON in UTF-8), to which any value may be given as its `id`. */
export function readLine(input: string | Uint8Array, flags: SpecFlags = {}): LineReading {
  let id: JsonValue | undefined;
  const check = (value: unknown, diagnostics: Diagnostics): Specification | null => {
    const json = value as JsonValue;
    if (!hasId(json)) return validateDocument(json, diagnostics);
    const { id: lineId, ...document } = json;
    id = lineId;
    return validateDocument(document, diagnostics);
  };
  const reading = readDocument(input, new Diagnostics(DOCUMENT_VOCABULARY), check, { set: flags.set });
  return { id, result: withFlags(reading, flags) };
}
