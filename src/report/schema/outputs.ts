import { ATTACK } from '../attack/json.ts';
import { CHECK } from '../check/json.ts';
import { COMPARE } from '../compare/json.ts';
import { BATCH } from '../compose/batch-json.ts';
import { ERROR } from '../compose/error-json.ts';
import { COMPOSE, VALIDATE } from '../compose/json.ts';
import { CURVE } from '../curve/json.ts';
import { DESIGN } from '../design/json.ts';
import { DIFF } from '../diff/json.ts';
import { EXPLAIN } from '../explain/json.ts';
import { FIGURE } from '../figures/json.ts';
import { GAP } from '../gap/json.ts';
import type { AnyCodec, ReadOf } from '../kit/codec.ts';
import { LAZY } from '../lazy/document-json.ts';
import { LAZY_ANSWER } from '../lazy/run.ts';
import { LEDGER_BUDGETS } from '../ledger/budgets.ts';
import { LEDGER_COPY, LEDGER_REMARK, LEDGER_STORE } from '../ledger/copy.ts';
import { LEDGER_DECISION } from '../ledger/decision.ts';
import { LEDGER_DECISIONS } from '../ledger/decisions.ts';
import { LEDGER_HOLD } from '../ledger/hold.ts';
import { LEDGER_INCURRED } from '../ledger/incurred.ts';
import { LEDGER_EXPORT } from '../ledger/export.ts';
import { LEDGER_MADE, LEDGER_STATUS } from '../ledger/status.ts';
import { LEDGER_REPLAY } from '../ledger/replay.ts';
import { LEDGER_LIST } from '../ledger/standing-rows.ts';
import { LEDGER_VERIFY_ALL, LEDGER_VERIFY } from '../ledger/verify.ts';
import { PLAN } from '../plan/json.ts';
import { REFUSAL } from '../refusal/json.ts';
import { RISK_CURVE } from '../risk-curve/json.ts';
import { RISK } from '../risk/json.ts';
import { SELF_TEST } from '../self-test/json.ts';
import { SGD } from '../sgd/json.ts';
import { SOLVE } from '../solve/json.ts';
import { STATEMENT } from '../statement/json.ts';
import { THEOREMS } from '../theorems/theorem-json.ts';
import type { SchemaName } from './names.ts';

/** The name of a JSON output. */
export type OutputName = Exclude<SchemaName, 'spec' | 'ledger' | 'policy' | 'budgets'>;

/** The codec of every JSON output, by name. */
export const OUTPUTS = {
  compose: COMPOSE,
  check: CHECK,
  statement: STATEMENT,
  plan: PLAN,
  design: DESIGN,
  batch: BATCH,
  risk: RISK,
  solve: SOLVE,
  sgd: SGD,
  diff: DIFF,
  compare: COMPARE,
  gap: GAP,
  curve: CURVE,
  'risk-curve': RISK_CURVE,
  figure: FIGURE,
  attack: ATTACK,
  'ledger-made': LEDGER_MADE,
  'ledger-decision': LEDGER_DECISION,
  'ledger-decisions': LEDGER_DECISIONS,
  'ledger-budgets': LEDGER_BUDGETS,
  'ledger-hold': LEDGER_HOLD,
  'ledger-incurred': LEDGER_INCURRED,
  'ledger-remark': LEDGER_REMARK,
  'ledger-status': LEDGER_STATUS,
  'ledger-copy': LEDGER_COPY,
  'ledger-store': LEDGER_STORE,
  'ledger-list': LEDGER_LIST,
  'ledger-verify': LEDGER_VERIFY,
  'ledger-verify-all': LEDGER_VERIFY_ALL,
  'ledger-replay': LEDGER_REPLAY,
  'ledger-export': LEDGER_EXPORT,
  lazy: LAZY,
  'lazy-answer': LAZY_ANSWER,
  theorems: THEOREMS,
  explain: EXPLAIN,
  'self-test': SELF_TEST,
  refusal: REFUSAL,
  error: ERROR,
  validate: VALIDATE,
} satisfies Readonly<Record<OutputName, AnyCodec>>;

/** The parsed type of a JSON output: `OutputDocument<'compose'>` is that of what `compose --json` prints. */
export type OutputDocument<Name extends OutputName> = ReadOf<(typeof OUTPUTS)[Name]>;
