import type { InputError } from '../../document/core/specification.ts';
import { SYNTAX_NAMES, type DocumentSyntax, type SyntaxName } from '../../document/syntax/document-syntax.ts';
import { readOneOf } from './one-of.ts';

/** In which syntax a document is written, as typed. */
export interface SyntaxFlags {
  readonly inputFormat?: string | undefined;
}

const EXTENSIONS: readonly (readonly [RegExp, SyntaxName])[] = [
  [/\.json$/i, 'json'],
  [/\.ya?ml$/i, 'yaml'],
  [/\.[ct]sv$/i, 'csv'],
];

/** The syntax of a file by the ending of its name; null where that says nothing. */
export const syntaxOfFile = (file: string): SyntaxName | null =>
  EXTENSIONS.find(([ending]) => ending.test(file))?.[1] ?? null;

const INPUT_FORMAT = {
  flag: '--input-format',
  words: SYNTAX_NAMES,
  hint: "Leave it out for what the file's name or its beginning says.",
};

/** Reads --input-format; null where it is not there. What is wrong goes to `errors`. */
export const readSyntaxName = ({ inputFormat }: SyntaxFlags, errors: InputError[]): SyntaxName | null =>
  readOneOf(inputFormat, INPUT_FORMAT, errors) ?? null;

/** The syntax of a document: as --input-format `asked`, else by the name of its file, else by what it begins with. */
export async function syntaxNameOf(
  { source, input }: { readonly source: string; readonly input: Uint8Array },
  asked: SyntaxName | null,
): Promise<SyntaxName> {
  const named = asked ?? syntaxOfFile(source);
  return named ?? (await import('../../document/syntax/document-syntax.ts')).recogniseSyntax(input);
}

/** The reader of a syntax; those of YAML and CSV are loaded where they are used. */
export async function syntaxNamed(name: SyntaxName): Promise<DocumentSyntax> {
  switch (name) {
    case 'json':
      return (await import('../../document/syntax/document-syntax.ts')).JSON_SYNTAX;
    case 'yaml':
      return (await import('../../document/syntax/yaml-read.ts')).YAML_SYNTAX;
    case 'csv':
      return (await import('../../document/csv-read.ts')).CSV_SYNTAX;
  }
}
