import type { InputError } from '../../document/core/specification.ts';
import { readOneOf } from './one-of.ts';

/** A form of the result. */
export type Format =
  | 'table'
  | 'tree'
  | 'text'
  | 'json'
  | 'csv'
  | 'yaml'
  | 'dp-accounting'
  | 'markdown'
  | 'svg'
  | 'plot'
  | 'github'
  | 'junit'
  | 'sarif';

/** The form of the result, as typed. */
export interface FormatFlags {
  readonly json?: boolean;
  readonly format?: string;
}

/** The forms that a command has, the usual one first. */
export type Formats<F extends Format> = readonly [F, ...F[]];

/** Forms that were removed: what to use instead. */
const REMOVED: Readonly<Record<string, string>> = {
  registry: 'It was removed: the certified numbers, theorems and conditions of a record stand in --json.',
};

/** Reads --json and --format, which may be one of `formats`; what is wrong goes to `errors`. */
export function readFormat<F extends Format>(
  { json, format }: FormatFlags,
  formats: Formats<F>,
  errors: InputError[],
): F {
  const [usual] = formats;
  const implied = (json === true ? formats.find((name) => name === 'json') : undefined) ?? usual;
  const hint = REMOVED[format ?? ''] ?? `Leave it out for a ${usual}.`;
  const known = readOneOf(format, { flag: '--format', words: formats, hint }, errors);
  if (known === undefined) return implied;
  if (json === true && known !== 'json') {
    const message = `${known} contradicts --json`;
    errors.push({ code: 'conflicting-options', path: '--format', message, hint: 'Give one of them.' });
  }
  return known;
}
