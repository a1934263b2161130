import { flatEntries } from '../../src/composition/core/plan-node.ts';
import type { Entry } from '../../src/privacy/mechanism.ts';
import { readSpecification } from '../../src/document/read-specification.ts';
import { specificationFromFlags, type SpecResult, type SpecFlags } from '../../src/document/flags/command-line.ts';
import type { InputError, Specification } from '../../src/document/core/specification.ts';

/** A document of the given entries. */
export const documentOf = (...entries: string[]): string => `{"dpcompose":1,"mechanisms":[${entries.join(',')}]}`;

function errorsIn(result: SpecResult): readonly InputError[] {
  if (result.kind !== 'errors') throw new Error(`Expected errors, got a ${result.kind}.`);
  return result.errors;
}

function specificationIn(result: SpecResult): Specification {
  if (result.kind === 'errors')
    throw new Error(result.errors.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  if (result.kind === 'refusal') throw new Error(`Expected a specification, got the refusal ${result.refusal.code}.`);
  return result.specification;
}

/** The entries of a specification without structure. */
export function entriesOf({ entries }: Specification): readonly Entry[] {
  const flat = flatEntries(entries);
  if (flat === null) throw new Error('This has structure.');
  return flat;
}

export const errorsOf = (input: string | Uint8Array, flags?: SpecFlags): readonly InputError[] =>
  errorsIn(readSpecification(input, flags));
export const errorsOfFlags = (flags: SpecFlags): readonly InputError[] => errorsIn(specificationFromFlags(flags));
export const specificationOf = (input: string | Uint8Array, flags?: SpecFlags): Specification =>
  specificationIn(readSpecification(input, flags));
export const specificationOfFlags = (flags: SpecFlags): Specification => specificationIn(specificationFromFlags(flags));

/** `code path` of each error. */
export const summary = (errors: readonly InputError[]): string[] => errors.map(({ code, path }) => `${code} ${path}`);

/** The whole of an error as one line. */
export const sentence = ({ path, message, hint }: InputError): string => `${path}: ${message}. ${hint}`;
