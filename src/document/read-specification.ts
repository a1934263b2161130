import type { SpecFlags } from './flags/command-line.ts';
import type { DocumentSyntax } from './syntax/document-syntax.ts';
import { DOCUMENT_VOCABULARY } from './structure/document-vocabulary.ts';
import { readDocument } from './syntax/read-document.ts';
import { withFlags, type SpecResult } from './flags/specification-from-flags.ts';
import { validateDocument } from './structure/validate-document.ts';
import { Diagnostics } from './core/validate.ts';

/**
 * Reads a specification document (in UTF-8; JSON unless another syntax is given), with the flags that stand beside it on a
 * command line: what they set is changed in the document, their target, adaptivity and order win, their mechanisms come
 * after the document's. All mistakes are reported together.
 */
export function readSpecification(
  input: string | Uint8Array,
  flags: SpecFlags = {},
  syntax?: DocumentSyntax,
): SpecResult {
  const options = { ...(syntax && { syntax }), set: flags.set };
  return withFlags(readDocument(input, new Diagnostics(DOCUMENT_VOCABULARY), validateDocument, options), flags);
}
