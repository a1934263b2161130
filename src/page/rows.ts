import { NumberText } from '../document/core/number-text.ts';
import { formatPath } from '../document/core/quote.ts';
import { TARGET_KEYS } from '../document/core/question-schema.ts';
import { readValueText } from '../document/core/value-text.ts';
import { ENTRY_KEYS } from '../document/mechanism/entry-schema.ts';
import { flatSampling } from '../document/mechanism/sampling.ts';
import { ChangedDocument } from '../document/syntax/changed-document.ts';
import { readJson } from '../document/syntax/json-read.ts';
import type { NormalValue } from '../document/core/exact-value.ts';
import type { Fix } from '../output/kit/page.ts';
import { cell, documentText, writtenValue } from '../output/written-document.ts';
import type { Cells, Rows } from './question.ts';

/** A count is a number in a document; all other numbers are text there, of which no reader loses a digit. */
const WHOLE = /^(?:0|[1-9]\d{0,15})$/;

const typed = (cells: Cells): [string, string][] => Object.entries(cells).filter(([, value]) => value !== '');

const valuesOf = (cells: Cells): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    typed(cells).map(([key, value]) => [
      key,
      WHOLE.test(value) && key === 'count' ? new NumberText(value) : readValueText(key, value),
    ]),
  );

const isTarget = ([key]: readonly [string, string]): boolean => TARGET_KEYS.includes(key);

/** The document of rows; what is not typed is not in it. */
export function documentOf({ settings, mechanisms }: Rows): string {
  const all = typed(settings);
  const target = all.filter(isTarget);
  return documentText({
    dpcompose: 1,
    ...Object.fromEntries(all.filter((setting) => !isTarget(setting))),
    ...(target.length > 0 && { target: Object.fromEntries(target) }),
    mechanisms: mechanisms.map(valuesOf),
  });
}

type Members = Readonly<Record<string, NormalValue>>;

const isMembers = (value: NormalValue | undefined): value is Members =>
  typeof value === 'object' && !Array.isArray(value);

/** Values as they are typed; null where one is more than that. */
function cellsOf(members: Members, keys: readonly string[]): Cells | null {
  const cells = Object.entries(members).map(([key, value]) => [key, keys.includes(key) ? cell(value) : null] as const);
  return cells.every((pair): pair is [string, string] => pair[1] !== null) ? Object.fromEntries(cells) : null;
}

/** The keys of a document besides its target and its mechanisms that rows have a place for. */
const SETTINGS = ['adaptivity', 'order', 'neighbours', 'name'];

const mechanismCells = (value: NormalValue): Cells | null =>
  isMembers(value) && typeof value.type === 'string'
    ? cellsOf(flatSampling(value), ENTRY_KEYS.get(value.type) ?? [])
    : null;

/** The rows that a document is; null where it is no JSON, or more than a list of mechanisms. */
export function rowsOf(text: string): Rows | null {
  const { value, mistakes } = readJson(text);
  if (value === undefined || mistakes.length > 0) return null;
  try {
    const written = writtenValue(value);
    if (!isMembers(written)) return null;
    const { dpcompose, mechanisms, target = {}, ...more } = written;
    if (dpcompose !== 1 || !Array.isArray(mechanisms) || !isMembers(target)) return null;
    const settings = cellsOf({ ...more, ...target }, [...SETTINGS, ...TARGET_KEYS]);
    const rows = (mechanisms as readonly NormalValue[]).map(mechanismCells);
    return settings && rows.every((row) => row !== null) ? { settings, mechanisms: rows } : null;
  } catch (error) {
    // A null, which no document has.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A document with the changes of a fix. */
export function fixed(text: string, { changes }: Fix): string {
  const { value } = readJson(text);
  if (value === undefined) return text;
  new ChangedDocument(value).apply(
    changes.map(
      ({ path, key, value: to }) => `${path}${path === '' ? '' : '.'}${formatPath([key])}=${JSON.stringify(to)}`,
    ),
  );
  return documentText(value as object);
}
