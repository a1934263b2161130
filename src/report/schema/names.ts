/** Every published JSON Schema: its name, and what it describes. */
export const SCHEMA_NAMES = {
  spec: 'the specification that compose and validate read',
  verify: 'the finite mechanism that attack verify reads',
  compose: 'what compose --json prints',
  plan: 'what plan --json prints',
  design: 'what design --json prints',
  gap: 'what gap --json prints',
  ledger: 'a ledger file: each of its lines',
  'ledger-made': 'what ledger init, to-filter and to-odometer print with --json',
  'ledger-decision': 'what ledger spend, check and nest print with --json',
  'ledger-event': 'what ledger query and close print with --json',
  'ledger-status': 'what ledger status --json prints',
  'ledger-loss': 'what ledger loss --json prints',
  'ledger-remaining': 'what ledger remaining --json prints',
  'ledger-verify': 'what ledger verify --json prints',
  'ledger-replay': 'what ledger replay --json prints',
  'ledger-export': 'what ledger export --json prints',
  attack: 'what attack --json prints',
  lazy: 'what the commands under lazy print with --json',
  validate: 'what validate --json prints for a valid specification',
  refusal: 'what --json prints where no theorem covers the setting (exit code 3)',
  error: 'what --json prints where the input is wrong or a ledger cannot be used (exit codes 2, 4, 74)',
} as const;

/** The name of a published JSON Schema. */
export type SchemaName = keyof typeof SCHEMA_NAMES;
