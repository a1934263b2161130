import { NumberText } from './number-text.ts';
import type { Path } from './input-error.ts';

const LONGEST = 60;
/** Characters that JSON leaves as they are but that could disturb a terminal: C1 controls, separators, direction marks. */
const DISTURBING = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** `text` cut to a length that fits in a sentence. */
export function shorten(text: string, longest = LONGEST): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest)}... (${text.length} characters)`;
}

/** `text` in double quotes, cut short, with nothing in it that could disturb a terminal. */
export function quote(text: string): string {
  const quoted = JSON.stringify(text.slice(0, LONGEST)).replace(
    DISTURBING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return text.length <= LONGEST ? quoted : `${quoted}... (${text.length} characters)`;
}

/** A whole number with its thousands marked: `1,000,000`. */
export function grouped(count: number | bigint): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A value as an error message names it. */
export function describe(value: unknown): string {
  if (value instanceof NumberText) return shorten(value.text);
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'boolean' || value === null) return String(value);
  if (value === undefined) return 'nothing';
  return Array.isArray(value) ? 'a list' : 'an object';
}

/** Words as a person lists them: `a, b or c`. */
export function either(words: readonly string[]): string {
  if (words.length <= 1) return words.join('');
  return `${words.slice(0, -1).join(', ')} or ${words[words.length - 1] ?? ''}`;
}

const LONGEST_PATH = 12;

/** `mechanisms[3].epsilon`; odd keys as `["odd key"]`; cut short where it is long; the root is `document`. */
export function formatPath(path: Path): string {
  let text = '';
  for (const step of path.slice(0, LONGEST_PATH)) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[A-Za-z_$][\w$-]{0,60}$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${quote(step)}]`;
  }
  if (path.length > LONGEST_PATH) text += '...';
  return text === '' ? 'document' : text;
}
