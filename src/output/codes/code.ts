import type { Explanation } from '../kit/message.ts';

/** Where a code is printed. */
export type CodeKind =
  | 'warning'
  | 'bound'
  | 'precision'
  | 'refusal'
  | 'design'
  | 'ledger-no'
  | 'ledger-request'
  | 'ledger-caveat'
  | 'ledger-file'
  | 'lazy-note'
  | 'error'
  | 'sarif-rule';

/** The same in words, with the exit codes that go with it. */
export const CODE_KINDS: Readonly<Record<CodeKind, string>> = {
  warning: 'a warning beside an answer (exit code 0; with --strict 1)',
  bound: 'why a bound does not apply',
  precision: 'why --precision has no digits for a bound',
  refusal: 'a refusal for want of a theorem (exit code 3)',
  design: 'how a design fails (exit code 3)',
  'ledger-no': 'a no of a ledger (exit code 1)',
  'ledger-request': 'a request that makes no sense for a ledger (exit code 2)',
  'ledger-caveat': 'what is to be said with the answer of a ledger',
  'ledger-file': 'what is wrong with a ledger file, or kept it from being written',
  'lazy-note': 'a note of lazy',
  error: 'a mistake in a document or on the command line (exit code 2)',
  'sarif-rule': 'a rule of check --format sarif',
};

/** A code with its explanation. */
export interface CodeFacts extends Explanation {
  readonly code: string;
  readonly kind: CodeKind;
  /** The exit code of the program, where the code alone decides that. */
  readonly exit: number | null;
}
