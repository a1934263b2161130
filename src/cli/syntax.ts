import { SYNTAX_NAMES, type DocumentSyntax, type SyntaxName } from '../spec/document-syntax.ts';
import { either, quote } from '../spec/quote.ts';
import type { InputError } from '../spec/specification.ts';
import { didYouMean } from '../spec/suggest.ts';

/** In which syntax a document is written, as typed. */
export interface SyntaxFlags {
  readonly inputFormat?: string;
}

const EXTENSIONS: readonly (readonly [RegExp, SyntaxName])[] = [
  [/\.ya?ml$/i, 'yaml'],
  [/\.csv$/i, 'csv'],
];

/** The syntax of a file by the ending of its name: JSON unless it says otherwise. */
export const syntaxOfFile = (file: string): SyntaxName =>
  EXTENSIONS.find(([ending]) => ending.test(file))?.[1] ?? 'json';

/** The syntax of a document: as --input-format says, or by the name of its file; what is wrong goes to `errors`. */
export function readSyntaxName(
  source: string | undefined,
  { inputFormat }: SyntaxFlags,
  errors: InputError[],
): SyntaxName {
  if (inputFormat === undefined) return syntaxOfFile(source ?? '');
  const known = SYNTAX_NAMES.find((name) => name === inputFormat);
  if (known !== undefined) return known;
  const message = `must be ${either(SYNTAX_NAMES)}, got ${quote(inputFormat)}`;
  const hint = `${didYouMean(inputFormat, SYNTAX_NAMES)}Leave it out for what the name of the file says.`;
  errors.push({ code: 'unknown-value', path: '--input-format', message, hint });
  return 'json';
}

/** The reader of a syntax; those of YAML and CSV are loaded where they are used. */
export async function syntaxNamed(name: SyntaxName): Promise<DocumentSyntax> {
  switch (name) {
    case 'json':
      return (await import('../spec/document-syntax.ts')).JSON_SYNTAX;
    case 'yaml':
      return (await import('../spec/yaml-read.ts')).YAML_SYNTAX;
    case 'csv':
      return (await import('../spec/csv-read.ts')).CSV_SYNTAX;
  }
}
