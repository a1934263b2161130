import { parseMechanismFlags, parseOrderFlag, parseTargetFlags, type SpecFlags } from './command-line.ts';
import { lineAndColumn, locate } from './json-locate.ts';
import { readJson } from './json-read.ts';
import { formatPath } from './quote.ts';
import { decodeText } from './text-input.ts';
import { Findings, MAX_ERRORS } from './validate.ts';
import { validateDocument } from './validate-document.ts';
import type { Refusal } from '../composition/outcome.ts';
import type { Query } from '../privacy/query.ts';
import type { Mistake } from './input-error.ts';
import type { InputError, Specification } from './specification.ts';

/** A specification; or everything that is wrong with the input; or a mechanism that is known but not offered. */
export type SpecResult =
  | { readonly kind: 'specification'; readonly specification: Specification }
  | {
      readonly kind: 'errors';
      /** The first errors, in the order of the document; those of flags after them. */
      readonly errors: readonly InputError[];
      /** How many further errors there are. */
      readonly more: number;
    }
  | { readonly kind: 'refusal'; readonly refusal: Refusal };

interface DocumentReading {
  readonly document: Specification | null;
  readonly errors: readonly InputError[];
  readonly more: number;
  readonly notOffered: { readonly path: string; readonly type: string } | null;
}

/** The mistakes of a text as errors with their places, in the order of the text. */
function placeErrors(text: string, mistakes: readonly Mistake[]): InputError[] {
  const offsets = mistakes.every(({ offset }) => offset !== undefined)
    ? mistakes.map(({ offset }) => offset ?? 0)
    : locate(text, mistakes);
  return mistakes
    .map((mistake, index) => ({ ...mistake, offset: offsets[index] ?? 0 }))
    .sort((a, b) => a.offset - b.offset)
    .map(({ path, problem, offset }) => ({ ...problem, path: formatPath(path), ...lineAndColumn(text, offset) }));
}

function readDocument(input: string | Uint8Array): DocumentReading {
  const text = decodeText(input);
  if (typeof text !== 'string') {
    return { document: null, errors: [{ ...text, path: 'document' }], more: 0, notOffered: null };
  }
  const json = readJson(text, MAX_ERRORS);
  if (json.value === undefined) {
    return { document: null, errors: placeErrors(text, json.mistakes), more: json.more, notOffered: null };
  }
  const findings = new Findings();
  const document = validateDocument(json.value, findings);
  if (json.mistakes.length === 0 && findings.none) return { document, errors: [], more: 0, notOffered: null };
  const errors = placeErrors(text, [...json.mistakes, ...findings.mistakes]);
  const { notOffered } = findings;
  return {
    document: null,
    errors: errors.slice(0, MAX_ERRORS),
    more: json.more + findings.more + Math.max(0, errors.length - MAX_ERRORS),
    notOffered: notOffered === null ? null : { path: formatPath(notOffered.path), type: notOffered.type },
  };
}

/** Joins a document (null: there is none) with the flags of a command line; of the two, the line wins. */
function join(reading: DocumentReading | null, flags: SpecFlags): SpecResult {
  const mechanisms = parseMechanismFlags(flags.mechanisms ?? []);
  const order = parseOrderFlag(flags);
  const target = parseTargetFlags(flags);
  const errors = [...(reading?.errors ?? []), ...mechanisms.errors, ...order.errors, ...target.errors];
  const more = (reading?.more ?? 0) + mechanisms.more;
  if (errors.length > 0) {
    return {
      kind: 'errors',
      errors: errors.slice(0, MAX_ERRORS),
      more: more + Math.max(0, errors.length - MAX_ERRORS),
    };
  }
  const refused = reading?.notOffered ?? mechanisms.notOffered;
  if (refused !== null) return { kind: 'refusal', refusal: { code: 'not-offered', ...refused } };

  const document = reading?.document;
  const entries = [...(document?.entries ?? []), ...mechanisms.value];
  if (entries.length === 0) {
    const message = 'there are no mechanisms to compose';
    const hint = 'Add -m TYPE:key=value,..., such as -m dp:epsilon=0.1,count=100, or give a specification file.';
    return { kind: 'errors', errors: [{ code: 'empty-list', path: '-m', message, hint }], more: 0 };
  }
  return {
    kind: 'specification',
    specification: {
      name: document?.name ?? null,
      adaptivity: flags.nonadaptive === true ? 'nonadaptive' : (document?.adaptivity ?? 'adaptive'),
      order: order.value ?? document?.order ?? 'any',
      target: target.value ?? document?.target ?? null,
      entries,
    },
  };
}

/**
 * Reads a specification document (JSON in UTF-8), with the flags that stand beside it on a command line: their target,
 * adaptivity and order win, their mechanisms come after the document's. All mistakes are reported together.
 */
export function readSpecification(input: string | Uint8Array, flags: SpecFlags = {}): SpecResult {
  return join(readDocument(input), flags);
}

/** The specification that the flags of a command line give without a document. */
export function specificationFromFlags(flags: SpecFlags): SpecResult {
  return join(null, flags);
}

/** The target of a specification, or the error that there is none. */
export function requireTarget({ target }: Specification): Query | InputError {
  return (
    target ?? {
      code: 'no-target',
      path: '--delta',
      message: 'nothing says what to solve for: a target delta or a target epsilon is needed',
      hint: 'Add --delta 1e-6 (or --epsilon 1), or "target": {"delta": "1e-6"} to the document.',
    }
  );
}
