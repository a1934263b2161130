import type { InputError } from '../../document/core/specification.ts';
import { COUNT, TEXT, TEXT_OR_NULL, whole } from '../kit/codecs.ts';
import { grouped, printable } from '../kit/prose.ts';
import * as json from '../kit/codec.ts';
import type { Style } from '../kit/page.ts';

/** A place in a document, counted from 1. */
export const PLACE = { line: json.optional(whole(1)), column: json.optional(whole(1)) };

/** The members of the mistakes of an input, in every document. */
export const MISTAKES = {
  message: json.described('The first error with its location, and the number of others.', TEXT),
  errors: json.list(
    json.object({
      code: TEXT,
      file: json.optional(json.described('The file with the error; - for standard input; absent for options.', TEXT)),
      path: TEXT,
      message: TEXT,
      hint: TEXT,
      ...PLACE,
    }),
    { minItems: 1 },
  ),
  more: json.described('The number of further errors, not listed.', COUNT),
};

const { message, ...rows } = MISTAKES;

/** The mistakes of an input, or what is wrong with a ledger. */
export const ERROR = json.document(
  'error',
  'All errors of an input (exit code 2), or the fault of a ledger (exit codes 1, 4 and 74).',
  {
    message,
    file: json.described('The file that the locations refer to; null for a command line.', TEXT_OR_NULL),
    ...rows,
  },
);

/** The first mistake with its place, and how many there are beside it. */
function mistakesMessage(errors: readonly InputError<string>[], more: number): string {
  const [first] = errors;
  if (first === undefined) return '';
  const others = errors.length - 1 + more;
  return `${first.path}: ${first.message}${others === 0 ? '' : `; and ${grouped(others)} more`}`;
}

/** The members of mistakes, of which `more` are left out; `file`: where they stand, `-` for standard input. */
export const mistakes = (
  errors: readonly InputError<string>[],
  more: number,
  file: string | null,
): Omit<json.ValueOf<typeof ERROR>, 'version'> => ({
  message: mistakesMessage(errors, more),
  file,
  errors: errors.map((error) => ({ ...error, file: error.path.startsWith('-') ? null : file })),
  more,
});

/** The mistakes of an input as `dpcompose.error/1`; `more` of them are left out, `file`: where their places are. */
export const errorJson = (
  errors: readonly InputError<string>[],
  { file, more }: { readonly file: string | null; readonly more: number },
  version: string,
): string => json.documentText(ERROR, { version, ...mistakes(errors, more, file) });

/** `privacy.json:4:7: mechanisms[3].epsilon`, or the flag. */
function place({ path, line, column }: InputError<string>, source: string | null): string {
  if (source === null || path.startsWith('-')) return path;
  const isWhole = path === 'document' || path === source;
  const position = line === undefined ? source : `${source}:${line}:${column ?? 1}`;
  return isWhole ? position : `${position}: ${path}`;
}

/** The mistakes of an input, one line each: where, what, and how to fix it. */
export function errorLines(
  errors: readonly InputError<string>[],
  { source, more, style }: { readonly source: string | null; readonly more: number; readonly style: Style },
): string {
  const lines = errors.map((error) => {
    const text = `${place(error, source)}: ${error.message}. ${error.hint}`;
    return `${style.error('error:')} ${printable(text)}\n`;
  });
  if (more > 0) lines.push(`and ${grouped(more)} more\n`);
  return lines.join('');
}
