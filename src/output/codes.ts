import { type Explanation, inapplicabilityExplanations, type Explanations } from './kit/message.ts';
import { sarifRules } from './check/ci.ts';
import { DIFFERENT_NEIGHBOURS } from './check/words.ts';
import { DESIGN_FAILURE } from './design/failure.ts';
import { violationExplanations } from './design/violations.ts';
import { lazyExplanations } from './lazy/words.ts';
import { caveatExplanations } from './ledger/caveats.ts';
import type { LedgerFaultCode } from './ledger/integrity-faults.ts';
import { faultExit, faultExplanations } from './ledger/faults.ts';
import { denialExplanations, requestExplanations, uncoveredExplanations } from './ledger/refusals.ts';
import { specificationRefusals } from './refusal/messages.ts';
import { precisionExplanations, warningExplanations } from './refusal/warnings.ts';
import { INPUT_ERROR_CODES, OPTION_ERROR_CODES, type ErrorCode } from '../document/core/error-codes.ts';

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
  refusal: 'a refusal: no theorem here covers this (exit code 3)',
  design: 'how a design fails (exit code 3)',
  'ledger-no': 'denied by a ledger (exit code 1)',
  'ledger-request': 'a request that makes no sense for a ledger (exit code 2)',
  'ledger-caveat': 'a caveat of a ledger',
  'ledger-file': 'a fault of a ledger file',
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

/** Every mistake in a document, an option or a file. */
const ERROR_CODES: Explanations<ErrorCode> = { ...INPUT_ERROR_CODES, ...OPTION_ERROR_CODES };

/** Every code in a document of the schema error. */
export type ErrorDocumentCode =
  | ErrorCode
  | LedgerFaultCode
  | keyof ReturnType<typeof denialExplanations>
  | keyof ReturnType<typeof requestExplanations>;

type Table = Readonly<Record<string, Explanation>>;

/** Every table of codes, where they are printed, and what the program then ends with, if that is known. */
const tables = (): readonly (readonly [CodeKind, Table, exit: number | null | typeof faultExit])[] => [
  ['warning', warningExplanations(), null],
  ['bound', inapplicabilityExplanations(), null],
  ['precision', precisionExplanations(), null],
  ['refusal', { ...specificationRefusals(), ...DESIGN_FAILURE, ...DIFFERENT_NEIGHBOURS }, 3],
  ['refusal', uncoveredExplanations(), 3],
  ['design', violationExplanations(), 3],
  ['ledger-no', denialExplanations(), 1],
  ['ledger-request', requestExplanations(), 2],
  ['ledger-caveat', caveatExplanations(), null],
  ['ledger-file', faultExplanations(), faultExit],
  ['lazy-note', lazyExplanations(), null],
  ['error', ERROR_CODES, 2],
  ['sarif-rule', sarifRules(), null],
];

/** Every code that the program prints, with what it stands for; one that is printed in several places several times. */
export const codeFacts = (): readonly CodeFacts[] =>
  tables().flatMap(([kind, table, exit]) =>
    Object.entries(table).map(([code, { meaning, remedy }]) => ({
      code,
      kind,
      meaning,
      remedy,
      exit: typeof exit === 'function' ? exit(code as LedgerFaultCode) : exit,
    })),
  );
