import { Decimal } from '../../numeric/decimal.ts';
import { readDecimal } from '../../document/core/decimal-text.ts';
import { NumberText } from '../../document/core/number-text.ts';

/** A value of a document; a number that was written keeps its digits. */
type DocumentValue = string | number | boolean | NumberText | Holder;

type Holder = readonly DocumentValue[] | Members;

interface Members {
  readonly [key: string]: DocumentValue;
}

/** The width up to which a list or an object stays on one line. */
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
    ([key, each]) => `${JSON.stringify(key)}: ${onOneLine(each)}`,
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
  const members = Object.entries<DocumentValue>(value).map(([key, each]) => {
    const name = `${JSON.stringify(key)}: `;
    return `${deeper}${name}${lines(each, deeper, name.length + 1)}`;
  });
  return `{\n${members.join(',\n')}\n${indent}}`;
}

/** A document, read or made, as a person writes it: what is short stays on its line, numbers keep their digits. */
export const documentText = (document: object): string => `${lines(document as Members, '', 0)}\n`;
