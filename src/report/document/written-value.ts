import type { NormalValue } from '../../document/core/normal-value.ts';
import type { JsonValue } from '../../document/syntax/json-read.ts';
import { NumberText } from '../../document/core/number-text.ts';

/** A number that every reader takes for the decimal that is written; as text where a double would lose it. */
function written({ text }: NumberText): number | string {
  const number = Number(text);
  return String(number) === text ? number : text;
}

/** A value of a document as it is to be written: exact decimals that no double prints are text. */
export function writtenValue(value: JsonValue): NormalValue {
  if (value instanceof NumberText) return written(value);
  if (Array.isArray(value)) return value.map(writtenValue);
  if (value === null) throw new RangeError('a valid specification has no null');
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, writtenValue(each)]));
}
