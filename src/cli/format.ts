import type { InputError } from '../spec/specification.ts';
import { either, quote } from '../spec/quote.ts';
import { didYouMean } from '../spec/suggest.ts';

/** A form of the result. */
export type Format = 'table' | 'json' | 'csv';

/** The form of the result, as typed. */
export interface FormatFlags {
  readonly json?: boolean;
  readonly format?: string;
}

/** Reads --json and --format, which may be one of `formats`; what is wrong goes to `errors`. */
export function readFormat<F extends Format>(
  { json, format }: FormatFlags,
  formats: readonly (F | 'table' | 'json')[],
  errors: InputError[],
): F | 'table' | 'json' {
  const implied = json === true ? 'json' : 'table';
  if (format === undefined) return implied;
  const known = formats.find((name) => name === format);
  if (known === undefined) {
    const message = `must be ${either(formats)}, got ${quote(format)}`;
    const hint = `${didYouMean(format, formats)}Leave it out for a table.`;
    errors.push({ code: 'unknown-value', path: '--format', message, hint });
    return implied;
  }
  if (json === true && known !== 'json') {
    const message = `${known} contradicts --json`;
    errors.push({ code: 'conflicting-options', path: '--format', message, hint: 'Give one of them.' });
  }
  return known;
}
