import type { Specification } from '../document/core/specification.ts';
import type { SpecFlags, SpecResult } from '../document/flags/command-line.ts';
import { readSpecification as readDocument } from '../document/read-specification.ts';
import { normalForm as normalFormOf, type NormalForm } from '../document/structure/normal-form.ts';
import {
  SYNTAX_NAMES,
  type DocumentSyntax,
  type SyntaxName,
  recogniseSyntax,
} from '../document/syntax/document-syntax.ts';
import { Arguments, flag, listOf, oneOf, optional, record, text, typed, type Fields } from './arguments.ts';
import { specification as wholeSpecification } from './read-problem.ts';

const readInput = typed(
  'the text of a document, or its bytes',
  'Write JSON.stringify(value) for an object.',
  (value) => typeof value === 'string' || value instanceof Uint8Array,
);

const texts = optional(listOf(text, 'texts', 0));

const FLAGS: Fields<SpecFlags> = {
  mechanisms: texts,
  set: texts,
  delta: optional(text),
  epsilon: optional(text),
  adaptive: optional(flag),
  nonadaptive: optional(flag),
  order: optional(text),
  neighbours: optional(text),
};

const readFlags = record<SpecFlags>('flags', FLAGS, "{ delta: '1e-6' }");

/**
 * Reads a specification document in JSON (in UTF-8), with the flags that stand beside it on a command line: what they set
 * is changed in the document, their target, adaptivity and order win, their mechanisms come after the document's. All
 * mistakes are reported together. Documents in YAML and CSV are for {@link readSpecificationAsync}.
 *
 * @example
 * ```js
 * import { readSpecification } from 'dpcompose';
 *
 * const read = readSpecification('{"dpcompose": 1, "mechanisms": [{"type": "dp", "epsilon": -1}]}');
 * console.log(read.kind); // errors
 * console.log(read.errors[0].code, read.errors[0].path); // out-of-range mechanisms[0].epsilon
 * ```
 */
export function readSpecification(input: string | Uint8Array, flags: SpecFlags = {}): SpecResult {
  const args = new Arguments('readSpecification');
  return readDocument(args.read('input', input, readInput), args.read('flags', flags, readFlags));
}

export interface ReadOptions extends SpecFlags {
  /** How the document is written; else what it begins with says that. */
  readonly syntax?: SyntaxName;
}

const readOptions = record<ReadOptions>(
  'options',
  { ...FLAGS, syntax: optional(oneOf(SYNTAX_NAMES)) },
  "{ syntax: 'yaml' }",
);

/** The reader of a syntax, which is loaded where it is used. */
async function syntaxNamed(name: SyntaxName): Promise<DocumentSyntax | undefined> {
  switch (name) {
    case 'json':
      return undefined;
    case 'yaml':
      return (await import('../document/syntax/yaml-read.ts')).YAML_SYNTAX;
    case 'csv':
      return (await import('../document/csv-read.ts')).CSV_SYNTAX;
  }
}

/**
 * Reads a specification document in JSON, YAML or CSV (in UTF-8), as {@link readSpecification} does. What reads YAML or
 * CSV is loaded with the first such document.
 *
 * @example
 * ```js
 * import { compose, readSpecificationAsync } from 'dpcompose';
 *
 * const document = `
 * dpcompose: 1
 * target: {delta: 1e-6}
 * mechanisms:
 *   - {type: gaussian, sigma: 4, count: 10}
 * `;
 * const { specification } = await readSpecificationAsync(document);
 * const { answer } = compose(specification, specification.target);
 * console.log(answer.bound, Math.ceil(answer.epsilon.upper * 1e6) / 1e6); // gaussian 3.747218
 * ```
 */
export async function readSpecificationAsync(
  input: string | Uint8Array,
  options: ReadOptions = {},
): Promise<SpecResult> {
  const args = new Arguments('readSpecificationAsync');
  const document = args.read('input', input, readInput);
  const { syntax, ...flags } = args.read('options', options, readOptions);
  const bytes = typeof document === 'string' ? new TextEncoder().encode(document) : document;
  return readDocument(document, flags, await syntaxNamed(syntax ?? recogniseSyntax(bytes)));
}

/**
 * The normal form of a specification: a document that, read again, gives the same specification.
 *
 * @example
 * ```js
 * import { normalForm, readSpecification } from 'dpcompose';
 *
 * const { specification } = readSpecification('{"dpcompose": 1, "mechanisms": [{"type": "laplace", "epsilon": 0.1}]}');
 * console.log(normalForm(specification).mechanisms[0].type); // laplace
 * ```
 */
export function normalForm(specification: Specification): NormalForm {
  return normalFormOf(new Arguments('normalForm').read('specification', specification, wholeSpecification));
}
