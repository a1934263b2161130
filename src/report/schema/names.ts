/** Every published JSON Schema: its name, and what it describes. */
export const SCHEMA_NAMES = {
  spec: 'the specification that compose and validate read',
  verify: 'the finite mechanism that attack verify reads',
  compose: 'what compose --json prints',
  plan: 'what plan --json prints',
  design: 'what design --json prints',
  gap: 'what gap --json prints',
  attack: 'what attack --json prints',
  validate: 'what validate --json prints for a valid specification',
  refusal: 'what --json prints where no theorem covers the setting (exit code 3)',
  error: 'what --json prints where the input is wrong (exit code 2)',
} as const;

/** The name of a published JSON Schema. */
export type SchemaName = keyof typeof SCHEMA_NAMES;
