import * as json from '../kit/codec.ts';
import { TEXT } from '../kit/codecs.ts';

/** Every published JSON Schema: its name, and what it describes. */
export const SCHEMA_NAMES = {
  spec: 'the specification that compose and validate read',
  policy: 'the budgets that check --policy reads',
  budgets: 'the budgets that ledger spend and check --budgets read',
  compose: 'what compose --json prints',
  check: 'what check --json prints',
  statement: 'what statement --json prints',
  plan: 'what plan --json prints',
  design: 'what design --json prints',
  batch: 'what batch prints in each line',
  risk: 'what risk --json prints',
  audit: 'what audit --json prints',
  solve: 'what solve --json prints',
  sgd: 'what sgd --json prints',
  'sgd-schemes': 'what sgd --compare-schemes --json prints',
  'sgd-batches': 'what sgd --batches --json prints without a question',
  diff: 'what diff --json prints',
  compare: 'what compare --json prints',
  gap: 'what gap --json prints',
  curve: 'what curve --json prints',
  'risk-curve': 'what curve --of tradeoff and --of profile print with --json',
  figure: 'what figure --json prints',
  ledger: 'a ledger file: each of its lines',
  'ledger-made': 'what ledger init and convert print with --json',
  'ledger-decision': 'what ledger spend, check, commit and nest print with --json',
  'ledger-decisions': 'what ledger spend and check print with --json for several ledgers',
  'ledger-budgets': 'what ledger status --budgets --json prints',
  'ledger-hold': 'what ledger reserve and release print with --json',
  'ledger-incurred': 'what ledger record --json prints',
  'ledger-remark': 'what ledger recover, adopt and annotate print with --json',
  'ledger-status': 'what ledger status --json prints',
  'ledger-copy': 'what ledger move prints with --json',
  'ledger-store': 'what ledger store init and list print with --json',
  'ledger-list': 'what ledger status --json prints of several ledgers',
  'ledger-verify': 'what ledger verify --json prints',
  'ledger-verify-all': 'what ledger verify --json prints of several ledgers',
  'ledger-replay': 'what ledger verify --replay --json prints',
  'ledger-export': 'what ledger export --json prints',
  attack: 'what attack --json prints',
  lazy: 'what the commands under lazy print with --json',
  'lazy-answer': 'what lazy run --json prints in each line',
  theorems: 'what theorems --json prints',
  explain: 'what explain --json prints',
  'self-test': 'what self-test --json prints',
  schemas: 'what schema --json prints',
  complete: 'what complete --json prints',
  validate: 'what validate --json prints for a valid specification',
  refusal: 'what --json prints where no theorem covers the setting (exit code 3)',
  error: 'what --json prints where the input is wrong or a ledger cannot be used (exit codes 1, 2, 4, 74)',
} as const;

/** The name of a published JSON Schema. */
export type SchemaName = keyof typeof SCHEMA_NAMES;

/** The published JSON Schemas. */
export const SCHEMAS = json.document('schemas', 'The JSON Schemas that there are, as schema --json lists them.', {
  schemas: json.list(json.object({ name: TEXT, about: TEXT })),
});

/** The names of all schemas, each with what it describes. */
export const schemasJson = (version: string): string =>
  json.documentText(SCHEMAS, {
    version,
    schemas: Object.entries(SCHEMA_NAMES).map(([name, about]) => ({ name, about })),
  });

/** What a shell reads to complete command lines. */
export const COMPLETE = json.document(
  'complete',
  'A completion script for a shell, or the words that the shell requested.',
  {
    text: TEXT,
  },
);

export const completeJson = (text: string, version: string): string => json.documentText(COMPLETE, { version, text });
