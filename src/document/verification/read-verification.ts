import { Rational } from '../../numeric/rational.ts';
import type { VerifyQuestion } from '../../composition/attack/verify/question.ts';
import { readDocument, type DocumentOptions } from '../syntax/read-document.ts';
import type { InputError } from '../core/specification.ts';
import { Diagnostics, MAX_ERRORS, validate } from '../core/validate.ts';
import { verifyDocumentSchema, verifyKeys, type ParsedVerifyDocument } from './schema.ts';
import { verifyMistakes } from './mistakes.ts';

/** Options beside a document, which win over it. */
export type VerifyOverrides = Partial<Pick<VerifyQuestion, 'copies' | 'sparsity' | 'factors' | 'rounds'>>;

/** A question; or everything that is wrong with the document. */
export type VerifyReading =
  | { readonly kind: 'question'; readonly question: VerifyQuestion }
  | { readonly kind: 'errors'; readonly errors: readonly InputError[]; readonly more: number };

function toQuestion({ name, verify }: ParsedVerifyDocument): VerifyQuestion {
  const { mechanism, verification, guarantee, rounds } = verify;
  const copies = verify.copies.toNumber();
  return {
    name: name ?? null,
    mechanism: {
      start: mechanism.start,
      transitions: mechanism.transitions.map(({ to, ...transition }) => ({ ...transition, to: to ?? transition.from })),
    },
    verification,
    guarantee: { factor: guarantee?.factor ?? Rational.ONE, delta: guarantee?.delta ?? null },
    copies,
    sparsity: verify.sparsity?.toNumber() ?? copies,
    factors: verify.factors ?? [Rational.ONE],
    rounds: rounds?.toNumber() ?? null,
  };
}

/** A question with what stands beside it; no more copies than there are can receive different messages. */
export function overridden(question: VerifyQuestion, overrides: VerifyOverrides): VerifyQuestion {
  const joined = { ...question, ...overrides };
  return { ...joined, sparsity: Math.min(joined.sparsity, joined.copies) };
}

/**
 * Reads a document of `attack verify` (in UTF-8; JSON unless another syntax is given); all mistakes are reported together, each
 * with its place.
 */
export function readVerification(
  input: string | Uint8Array,
  overrides: VerifyOverrides = {},
  options: DocumentOptions = {},
): VerifyReading {
  const diagnostics = new Diagnostics({ keysOf: verifyKeys, types: [] });
  const check = (value: unknown): VerifyQuestion | null => {
    const parsed = validate(verifyDocumentSchema, value, diagnostics);
    if (parsed === undefined) return null;
    const question = overridden(toQuestion(parsed), overrides);
    const mistakes = verifyMistakes(question);
    diagnostics.mistakes.push(...mistakes.slice(0, MAX_ERRORS));
    diagnostics.more += Math.max(0, mistakes.length - MAX_ERRORS);
    return question;
  };
  const { document, errors, more } = readDocument(input, diagnostics, check, options);
  return document === null ? { kind: 'errors', errors, more } : { kind: 'question', question: document };
}
