import type { NormalValue } from '../spec/normal-value.ts';

/** The width up to which a list or an object stays on one line. */
const WIDTH = 120;

const isList = (value: NormalValue): value is readonly NormalValue[] => Array.isArray(value);
const hasSeveral = (value: NormalValue): boolean =>
  typeof value === 'object' && (isList(value) ? value.length : Object.keys(value).length) > 1;

/** A list of several objects or lists is easier to read line by line. */
const isTable = (value: NormalValue): boolean =>
  isList(value) ? (value.length > 1 && value.every(hasSeveral)) || value.some(isTable) : isObjectWithTable(value);

function isObjectWithTable(value: NormalValue): boolean {
  return typeof value === 'object' && Object.values(value).some((each: NormalValue) => isTable(each));
}

function onOneLine(value: NormalValue): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(onOneLine).join(', ')}]`;
  const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${onOneLine(each)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function lines(value: NormalValue, indent: string, before: number): string {
  const short = onOneLine(value);
  if (typeof value !== 'object' || (!isTable(value) && indent.length + before + short.length <= WIDTH)) return short;
  const deeper = `${indent}  `;
  if (isList(value)) {
    const items = value.map((item) => `${deeper}${lines(item, deeper, 1)}`);
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value).map(([key, each]) => {
    const name = `${JSON.stringify(key)}: `;
    return `${deeper}${name}${lines(each, deeper, name.length + 1)}`;
  });
  return `{\n${members.join(',\n')}\n${indent}}`;
}

/** A document as a person writes it: what is short stays on its line. */
export const documentText = (document: NormalValue): string => `${lines(document, '', 0)}\n`;
