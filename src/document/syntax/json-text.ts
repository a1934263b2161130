import type { JsonValue } from './json-read.ts';
import { NumberText } from '../core/number-text.ts';

/** A JSON value as text in one line, its numbers as they were written. */
export function jsonText(value: JsonValue): string {
  if (value instanceof NumberText) return value.text;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`)
    .join(',')}}`;
}
