import { INAPPLICABILITY_CODES, PRECISION_CODES } from './bounds.ts';
import type { CodeFacts, CodeKind, Explanation } from './code.ts';
import { ERROR_CODES } from './errors.ts';
import { FAULT_CODES } from './faults.ts';
import { LAZY_CODES } from './lazy.ts';
import { LEDGER_CAVEAT_CODES, LEDGER_NO_CODES, LEDGER_REQUEST_CODES } from './ledger.ts';
import { DESIGN_CODES, LEDGER_REFUSAL_CODES, REFUSAL_CODES } from './refusals.ts';
import { SARIF_RULES } from './sarif.ts';
import { WARNING_CODES } from './warnings.ts';

/** Every code in a document of the schema error. */
export type ErrorDocumentCode =
  | keyof typeof ERROR_CODES
  | keyof typeof FAULT_CODES
  | keyof typeof LEDGER_NO_CODES
  | keyof typeof LEDGER_REQUEST_CODES;

type Table = Readonly<Record<string, Explanation & { readonly exit?: number }>>;

/** Every table of codes, where they are printed, and what the program then ends with if that is the same for all. */
const TABLES: readonly (readonly [CodeKind, Table, number | null])[] = [
  ['warning', WARNING_CODES, null],
  ['bound', INAPPLICABILITY_CODES, null],
  ['precision', PRECISION_CODES, null],
  ['refusal', REFUSAL_CODES, 3],
  ['refusal', LEDGER_REFUSAL_CODES, 3],
  ['design', DESIGN_CODES, 3],
  ['ledger-no', LEDGER_NO_CODES, 1],
  ['ledger-request', LEDGER_REQUEST_CODES, 2],
  ['ledger-caveat', LEDGER_CAVEAT_CODES, null],
  ['ledger-file', FAULT_CODES, null],
  ['lazy-note', LAZY_CODES, null],
  ['error', ERROR_CODES, 2],
  ['sarif-rule', SARIF_RULES, null],
];

/** Every code that the program prints, with what it stands for; one that is printed in several places several times. */
export const codeFacts = (): readonly CodeFacts[] =>
  TABLES.flatMap(([kind, table, exit]) =>
    Object.entries(table).map(([code, { meaning, remedy, exit: own }]) => ({
      code,
      kind,
      meaning,
      remedy,
      exit: own ?? exit,
    })),
  );
