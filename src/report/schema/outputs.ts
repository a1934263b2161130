import { ATTACK_SCHEMA } from './attack.ts';
import { BATCH_SCHEMA } from './batch.ts';
import { CHECK_SCHEMA } from './check.ts';
import type { JsonSchema } from './common.ts';
import { COMPOSE_SCHEMA } from './compose.ts';
import { CURVE_SCHEMA } from './curve.ts';
import { DESIGN_SCHEMA } from './design.ts';
import { DIFF_SCHEMA } from './diff.ts';
import { ERROR_SCHEMA } from './error.ts';
import { EXPLAIN_SCHEMA } from './explain.ts';
import { FIGURE_SCHEMA } from './figure.ts';
import { GAP_SCHEMA } from './gap.ts';
import {
  LEDGER_DECISION_SCHEMA,
  LEDGER_EVENT_SCHEMA,
  LEDGER_EXPORT_SCHEMA,
  LEDGER_LOSS_SCHEMA,
  LEDGER_MADE_SCHEMA,
  LEDGER_REMAINING_SCHEMA,
  LEDGER_REPLAY_SCHEMA,
  LEDGER_STATUS_SCHEMA,
  LEDGER_VERIFY_SCHEMA,
} from './ledger.ts';
import type { SchemaName } from './names.ts';
import { PLAN_SCHEMA } from './plan.ts';
import { LAZY_SCHEMA } from './lazy.ts';
import { REFUSAL_SCHEMA } from './refusal.ts';
import { SOLVE_SCHEMA } from './solve.ts';
import { STATEMENT_SCHEMA } from './statement.ts';
import { VALIDATE_SCHEMA } from './validate.ts';
import { SELF_TEST_SCHEMA } from './self-test.ts';
import { THEOREMS_SCHEMA } from './theorems.ts';

/** The schema of every JSON output, by name. */
export const OUTPUT_SCHEMAS: Readonly<
  Record<Exclude<SchemaName, 'spec' | 'verify' | 'ledger' | 'policy'>, JsonSchema>
> = {
  compose: COMPOSE_SCHEMA,
  check: CHECK_SCHEMA,
  statement: STATEMENT_SCHEMA,
  plan: PLAN_SCHEMA,
  design: DESIGN_SCHEMA,
  batch: BATCH_SCHEMA,
  solve: SOLVE_SCHEMA,
  diff: DIFF_SCHEMA,
  gap: GAP_SCHEMA,
  curve: CURVE_SCHEMA,
  figure: FIGURE_SCHEMA,
  attack: ATTACK_SCHEMA,
  'ledger-made': LEDGER_MADE_SCHEMA,
  'ledger-decision': LEDGER_DECISION_SCHEMA,
  'ledger-event': LEDGER_EVENT_SCHEMA,
  'ledger-status': LEDGER_STATUS_SCHEMA,
  'ledger-loss': LEDGER_LOSS_SCHEMA,
  'ledger-remaining': LEDGER_REMAINING_SCHEMA,
  'ledger-verify': LEDGER_VERIFY_SCHEMA,
  'ledger-replay': LEDGER_REPLAY_SCHEMA,
  'ledger-export': LEDGER_EXPORT_SCHEMA,
  lazy: LAZY_SCHEMA,
  theorems: THEOREMS_SCHEMA,
  explain: EXPLAIN_SCHEMA,
  'self-test': SELF_TEST_SCHEMA,
  refusal: REFUSAL_SCHEMA,
  error: ERROR_SCHEMA,
  validate: VALIDATE_SCHEMA,
};
