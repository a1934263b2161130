import { Decimal } from '../numeric/decimal.ts';
import { readDecimal } from '../document/core/decimal-text.ts';
import { NumberText } from '../document/core/number-text.ts';
import type { NormalValue } from '../document/core/exact-value.ts';
import type { JsonValue } from '../document/syntax/json-read.ts';
import { csvText } from './kit/table.ts';
import { flatSampling } from '../document/mechanism/sampling.ts';
import type { DpEvent, WrittenEvent } from '../document/events/written-event.ts';
import { quote } from '../document/core/quote.ts';

/** A value of a document; a number that was written keeps its digits. */
type DocumentValue = string | number | boolean | NumberText | Holder;

type Holder = readonly DocumentValue[] | Members;

interface Members {
  readonly [key: string]: DocumentValue;
}

/** The width up to which a list, an object or a call stays on one line. */
const WIDTH = 120;

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;

/** A number with the digits with which it was written; of one that JSON does not write so, as YAML's .5, its value. */
function numberText({ text }: NumberText): string {
  if (JSON_NUMBER.test(text)) return text;
  const value = readDecimal(text);
  return Decimal.isDecimal(value) ? value.toString() : JSON.stringify(text);
}

const isHolder = (value: DocumentValue): value is Holder => typeof value === 'object' && !(value instanceof NumberText);
const isList = (value: Holder): value is readonly DocumentValue[] => Array.isArray(value);

const membersOf = (value: Holder): readonly DocumentValue[] =>
  isList(value) ? value : Object.values<DocumentValue>(value);
const hasSeveral = (value: DocumentValue): boolean => isHolder(value) && membersOf(value).length > 1;

/** A list of several objects or lists is easier to read line by line. */
const isTable = (value: DocumentValue): boolean =>
  isHolder(value) && ((isList(value) && value.length > 1 && value.every(hasSeveral)) || membersOf(value).some(isTable));

function onOneLine(value: DocumentValue): string {
  if (value instanceof NumberText) return numberText(value);
  if (!isHolder(value)) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(onOneLine).join(', ')}]`;
  const members = Object.entries<DocumentValue>(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${onOneLine(member)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function lines(value: DocumentValue, indent: string, before: number): string {
  const short = onOneLine(value);
  if (!isHolder(value) || (!isTable(value) && indent.length + before + short.length <= WIDTH)) return short;
  const deeper = `${indent}  `;
  if (isList(value)) {
    const items = value.map((item) => `${deeper}${lines(item, deeper, 1)}`);
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  const members = Object.entries<DocumentValue>(value).map(([key, member]) => {
    const name = `${JSON.stringify(key)}: `;
    return `${deeper}${name}${lines(member, deeper, name.length + 1)}`;
  });
  return `{\n${members.join(',\n')}\n${indent}}`;
}

/** A document, read or made, as a person writes it: what is short stays on its line, numbers keep their digits. */
export const documentText = (document: object): string => `${lines(document as Members, '', 0)}\n`;

/** A number that every reader takes for the decimal that is written; as text where a double would lose it. */
function plainNumber({ text }: NumberText): number | string {
  const number = Number(text);
  return String(number) === text ? number : text;
}

/** A value of a document as it is to be written: exact decimals that no double prints are text. */
export function writtenValue(value: JsonValue): NormalValue {
  if (value instanceof NumberText) return plainNumber(value);
  if (Array.isArray(value)) return value.map(writtenValue);
  if (value === null) throw new RangeError('a valid specification has no null');
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, writtenValue(member)]));
}

/** A document in YAML; text that another version of YAML would take for something else is in quotes. */
export const documentYaml = async (document: NormalValue): Promise<string> =>
  (await import('yaml')).stringify(document, {
    version: '1.2',
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
    lineWidth: 120,
  });

/** A table of mechanisms; or the place of something that a table cannot say. */
type CsvDocument = { readonly text: string } | { readonly path: string };

type NormalObject = Readonly<Record<string, NormalValue>>;

/** The values that a table implies, so that it needs no column for them. */
const IMPLIED: Readonly<Record<string, NormalValue>> = { adaptivity: 'adaptive', order: 'any' };

/** The keys under which an element holds others. */
const HOLDING = ['mechanisms', 'of', 'each'];

const isValueList = (value: NormalValue): value is readonly NormalValue[] => Array.isArray(value);

/** Values as one cell says them: lists with semicolons between their items, pairs with colons; null where it cannot. */
export function cell(value: NormalValue | undefined, separators: readonly string[] = [';', ':']): string | null {
  if (value === undefined) return '';
  if (value === '') return null;
  if (typeof value !== 'object') return String(value);
  const [separator, ...inner] = separators;
  if (!isValueList(value) || separator === undefined) return null;
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

type Attribute = DpEvent['attributes'][string];

const isEventList = (value: Attribute): value is readonly DpEvent[] => Array.isArray(value);

const hasLabel = ({ label = null }: DpEvent): boolean => label !== null;

/** The label as a comment on a line of its own. */
const comment = ({ label = null }: DpEvent, indent: string): string =>
  label === null ? '' : `${indent}# ${quote(label).replace(/^"(.*)"/, '$1')}\n`;

function oneLine(value: Attribute): string {
  if (typeof value === 'string') return value;
  if (isEventList(value)) return `[${value.map(oneLine).join(', ')}]`;
  const attributes = Object.entries(value.attributes).map(([key, attribute]) => `${key}=${oneLine(attribute)}`);
  return `dp_event.${value.className}(${attributes.join(', ')})`;
}

const isShort = (value: Attribute, before: number): boolean =>
  !(isEventList(value) && (value.length > 1 || value.some(hasLabel))) && before + oneLine(value).length <= WIDTH;

function pythonLines(value: Attribute, indent: string, before: number): string {
  if (typeof value === 'string' || isShort(value, before)) return oneLine(value);
  const deeper = `${indent}    `;
  if (isEventList(value)) {
    const items = value.map(
      (event) => `${comment(event, deeper)}${deeper}${pythonLines(event, deeper, deeper.length + 1)},\n`,
    );
    return `[\n${items.join('')}${indent}]`;
  }
  const attributes = Object.entries(value.attributes).map(([key, attribute]) => {
    const start = `${deeper}${key}=`;
    return `${start}${pythonLines(attribute, deeper, start.length + 1)},\n`;
  });
  return `dp_event.${value.className}(\n${attributes.join('')}${indent})`;
}

const REPLACED = `# A record is replaced: noise multipliers are in units of its norm bound, half the sensitivity. Accountants that take
# them as units of the sensitivity (issue 378 of google/differential-privacy) give an epsilon that is too small.
`;

/** An event of dp_accounting as the Python that makes it. */
export function eventPython({ event, name, replaced }: WrittenEvent): string {
  const title = name === null ? '' : comment({ ...event, label: name }, '');
  const label = comment(event, '');
  return `from dp_accounting import dp_event\n\n${title}${replaced ? REPLACED : ''}${label}event = ${pythonLines(event, '', 8)}\n`;
}
