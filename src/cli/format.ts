import type { InputError } from '../spec/specification.ts';
import { quote } from '../spec/quote.ts';
import { didYouMean } from '../spec/suggest.ts';

const FORMATS = ['table', 'json'] as const;

export type Format = (typeof FORMATS)[number];

/** The form of the result, as typed. */
export interface FormatFlags {
  readonly json?: boolean;
  readonly format?: string;
}

/** Reads --json and --format; what is wrong goes to `errors`. */
export function readFormat({ json, format }: FormatFlags, errors: InputError[]): Format {
  const implied = json === true ? 'json' : 'table';
  if (format === undefined) return implied;
  const known = FORMATS.find((name) => name === format);
  if (known === undefined) {
    const message = `must be ${FORMATS.join(' or ')}, got ${quote(format)}`;
    const hint = `${didYouMean(format, FORMATS)}Leave it out for a table.`;
    errors.push({ code: 'unknown-value', path: '--format', message, hint });
    return implied;
  }
  if (json === true && known !== 'json') {
    const message = `${known} contradicts --json`;
    errors.push({ code: 'conflicting-options', path: '--format', message, hint: 'Give one of them.' });
  }
  return known;
}
