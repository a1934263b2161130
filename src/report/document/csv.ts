import { csvText } from '../kit/csv.ts';
import { flatSampling } from '../../document/mechanism/sampling.ts';
import type { NormalValue } from '../../document/core/normal-value.ts';

/** A table of mechanisms; or the place of something that a table cannot say. */
export type CsvDocument = { readonly text: string } | { readonly path: string };

type NormalObject = Readonly<Record<string, NormalValue>>;

/** The values that a table implies, so that it needs no column for them. */
const IMPLIED: Readonly<Record<string, NormalValue>> = { adaptivity: 'adaptive', order: 'any' };

/** The keys under which an element holds others. */
const HOLDING = ['mechanisms', 'of', 'each'];

const isList = (value: NormalValue): value is readonly NormalValue[] => Array.isArray(value);

/** Values as one cell says them: lists with semicolons between their items, pairs with colons; null where it cannot. */
function cell(value: NormalValue | undefined, separators: readonly string[] = [';', ':']): string | null {
  if (value === undefined) return '';
  if (value === '') return null;
  if (typeof value !== 'object') return String(value);
  const [separator, ...inner] = separators;
  if (!isList(value) || separator === undefined) return null;
  const items = value.map((item) => cell(item, inner));
  return items.includes(null) ? null : items.join(separator);
}

/** A document as comma-separated values (RFC 4180): the first line names the columns, every other is a mechanism. */
export function documentCsv(document: NormalObject): CsvDocument {
  const { dpcompose, mechanisms, ...more } = document;
  const stray = Object.keys(more).find((key) => IMPLIED[key] !== more[key]);
  if (dpcompose === undefined || stray !== undefined) return { path: stray ?? 'dpcompose' };
  const entries = (mechanisms as readonly NormalObject[]).map(flatSampling);
  const columns = [...new Set(['type', ...entries.flatMap((entry) => Object.keys(entry))])];
  const records: (readonly (string | null)[])[] = [];
  for (const [index, entry] of entries.entries()) {
    const cells = columns.map((column) => cell(entry[column]));
    const wrong = cells.indexOf(null);
    if (wrong >= 0) return { path: `mechanisms[${index}].${columns[wrong] ?? ''}` };
    if (HOLDING.some((key) => key in entry)) return { path: `mechanisms[${index}]` };
    records.push(cells);
  }
  return {
    text: csvText(
      records,
      columns.map((name, at) => [name, (cells) => cells[at] ?? null]),
    ),
  };
}
