import { sarifRules } from '../check/ci.ts';
import { DIFFERENT_NEIGHBOURS } from '../check/words.ts';
import { DESIGN_FAILURE } from '../design/failure.ts';
import { violationExplanations } from '../design/violations.ts';
import { inapplicabilityExplanations } from '../kit/inapplicability.ts';
import type { Explanation, Explanations } from '../kit/message.ts';
import { lazyExplanations } from '../lazy/kit/notes.ts';
import { caveatExplanations } from '../ledger/caveat-texts.ts';
import type { LedgerFaultCode } from '../ledger/fault-details.ts';
import { faultExit, faultExplanations } from '../ledger/faults.ts';
import { denialExplanations, requestExplanations, uncoveredExplanations } from '../ledger/refusals.ts';
import { specificationRefusals } from '../refusal/messages.ts';
import { precisionExplanations, warningExplanations } from '../refusal/warnings.ts';
import type { CodeFacts, CodeKind } from './code.ts';
import { OPTION_ERROR_CODES, type OptionErrorCode } from '../../document/core/error-codes.ts';
import { INPUT_ERROR_CODES, type InputErrorCode } from '../../document/core/input-error.ts';

const NUMBER = 'Write a decimal number such as 0.1 or 1e-6.';
const ALLOWED = 'Write one of the values that the message allows.';

/** The remedy for each kind of mistake. */
const REMEDIES: Readonly<Record<InputErrorCode, string>> = {
  'not-text': 'Save the document as UTF-8.',
  'empty-document': 'Write a document, such as {"dpcompose": 1, "mechanisms": [{"type": "dp", "epsilon": "0.1"}]}.',
  'invalid-json': 'Correct the JSON at the line and column that are told.',
  'invalid-yaml': 'Correct the YAML at the line and column that are told, or write JSON.',
  'invalid-python': 'Correct the text at the line and column that are told, or give JSON.',
  'invalid-csv': 'Correct the table at the line and column that are told.',
  'truncated-json': 'Write the rest of the document, or close what is open.',
  'too-deep': 'Nest less.',
  'duplicate-key': 'Keep one of the two.',
  'unknown-key': 'Correct the key or remove it; "dpcompose schema spec" has those that there are.',
  'missing-key': 'Add the key.',
  'conflicting-keys': 'Keep one of them.',
  'two-targets': 'Keep the delta or the epsilon.',
  'no-target': 'Add --delta 1e-6, or "target": {"delta": "1e-6"} to the document.',
  'unknown-type': 'Write a type that exists; "dpcompose schema spec" has all of them.',
  'unknown-value': ALLOWED,
  'wrong-type': 'Write a value of the kind that the message names.',
  'not-a-number': NUMBER,
  'not-finite': NUMBER,
  'too-many-digits': 'Round it to the side that is safe for you.',
  'out-of-range': ALLOWED,
  'not-whole': 'Write a whole number.',
  'unsupported-version': 'Write "dpcompose": 1, or read a newer document with a newer program.',
  'empty-list': 'Write at least one element.',
  'wrong-sum': 'Correct the probabilities; decimals and quotients such as 1/3 are exact.',
  'unequal-lengths': 'Make them equally long.',
  'duplicate-order': 'Keep one epsilon for each order.',
  'no-trade-off':
    'Write the corners of a convex function by ascending alpha, none above 1 - alpha; see the specification.',
  'unknown-name': 'Correct the name, or define it.',
  'duplicate-name': 'Rename one of the two.',
  'not-described': 'Describe it under "submechanisms", or take it out of the plan.',
  'malformed-flag': 'Write TYPE:key=value,key=value, in quotes where the shell would read it otherwise.',
};

const ofInput = Object.fromEntries(
  Object.entries(INPUT_ERROR_CODES).map(([code, meaning]) => [
    code,
    { meaning, remedy: REMEDIES[code as InputErrorCode] },
  ]),
) as Explanations<InputErrorCode>;

/** Every mistake in a document, an option or a file. */
const ERROR_CODES: Explanations<InputErrorCode | OptionErrorCode> = { ...ofInput, ...OPTION_ERROR_CODES };

/** Every code in a document of the schema error. */
export type ErrorDocumentCode =
  | InputErrorCode
  | OptionErrorCode
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
