import { firstKeyOf, MECHANISM_TYPES } from '../mechanism/entry-schema.ts';
import { quote } from '../core/quote.ts';
import { STRUCTURE_TYPES } from '../core/structure-types.ts';
import type { Mistake, Problem } from '../core/input-error.ts';
import { isList, readValueText } from '../core/value-text.ts';

/** An entry as a `-m` flag gives it: the shape of a document's entry, every value a text but truth values and lists. */
export interface RawFlagEntry {
  readonly entry: Readonly<Record<string, unknown>>;
  readonly mistakes: readonly Mistake[];
}

/** How the lists of a flag are written. */
const LIST_EXAMPLES: Readonly<Record<string, string>> = {
  orders: '2:0.1;4:0.3',
  p: '0.9;0.1',
  q: '0.1;0.9',
  points: '0:1;0.25:0.25;1:0',
  coefficients: '1;0.5;0.375',
};

/** How to write a key that is missing from a flag, where it is written otherwise than in a document. */
export const flagHint = (key: string): string | null =>
  Object.hasOwn(LIST_EXAMPLES, key)
    ? `Add ${key}=${LIST_EXAMPLES[key] ?? ''} or the like; a shell needs quotes around semicolons.`
    : null;

const malformed = (message: string, hint: string): Problem => ({ code: 'malformed-flag', message, hint });

/** The error of a part of a flag that is not key=value; `before` is the key of the part before it. */
function notAPair(type: string, part: string, before: string): Problem {
  if (part === '')
    return malformed('a key=value is missing at a comma or colon', 'Remove the comma, or write key=value.');
  const list = isList(type, before) ? LIST_EXAMPLES[before] : undefined;
  if (list !== undefined) {
    const message = `each part after the colon must be key=value, got ${quote(part)} after ${before}`;
    return malformed(
      message,
      `Separate the items of a list by semicolons, and quote them for the shell: '${type}:${before}=${list}'.`,
    );
  }
  const key = firstKeyOf(type) ?? 'key';
  const hint = /^[\w.+:;-]+$/.test(part) ? `Write -m ${type}:${key}=${part}.` : `Write -m ${type}:${key}=VALUE.`;
  return malformed(`each part after the colon must be key=value, got ${quote(part)}`, hint);
}

/** Reads `TYPE:key=value,key=value`, the `index`-th (from 0) `-m` of the command line. */
export function parseMechanismFlag(text: string, index: number): RawFlagEntry {
  const colon = text.indexOf(':');
  const type = (colon < 0 ? text : text.slice(0, colon)).trim();
  const mistakes: Mistake[] = [];
  const report = (problem: Problem, ...path: string[]): void => {
    mistakes.push({ path: [index, ...path], anchor: 'value', problem });
  };
  if (type === '' || type.includes('=')) {
    const hint = `Begin with a type (${MECHANISM_TYPES.join(', ')}), such as -m dp:epsilon=0.1.`;
    report(malformed(`a mechanism must be TYPE:key=value,key=value, got ${quote(text)}`, hint));
    return { entry: {}, mistakes };
  }
  if (STRUCTURE_TYPES.includes(type)) {
    const hint = 'Write it in a JSON document, beside which -m may add mechanisms.';
    report(malformed(`${type} holds other mechanisms, which a flag cannot write`, hint));
    return { entry: {}, mistakes };
  }
  const entry = new Map<string, unknown>([['type', type]]);
  const parts = colon < 0 || text.slice(colon + 1).trim() === '' ? [] : text.slice(colon + 1).split(',');
  let before = '';
  for (const part of parts) {
    const equals = part.indexOf('=');
    const key = part.slice(0, equals).trim();
    if (equals < 0 || key === '') {
      report(notAPair(type, part.trim(), before));
      continue;
    }
    before = key;
    const value = part.slice(equals + 1);
    if (entry.has(key)) {
      const hint = key === 'type' ? 'The type stands before the colon; remove this one.' : 'Keep one of the two.';
      report({ code: 'duplicate-key', message: `the key ${quote(key)} stands twice in this flag`, hint }, key);
    } else {
      entry.set(key, readValueText(type, key, value));
    }
  }
  return { entry: Object.fromEntries(entry), mistakes };
}
