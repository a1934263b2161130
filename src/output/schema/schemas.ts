import { ATTACK } from '../attack.ts';
import { AUDIT } from '../audit.ts';
import { CHECK } from '../check/check.ts';
import { COMPARE } from '../compare.ts';
import { ERROR } from '../compose/error.ts';
import { BATCH } from '../compose/batch-json.ts';
import { COMPOSE } from '../compose/json.ts';
import { CURVE } from '../curve.ts';
import { DESIGN } from '../design/design.ts';
import { DIFF } from '../diff.ts';
import { EXPLAIN } from '../explain.ts';
import { FIGURE } from '../figures/figure.ts';
import { GAP } from '../gap.ts';
import * as json from '../kit/codec.ts';
import type { JsonSchema } from '../kit/codec.ts';
import { TEXT } from '../kit/codecs.ts';
import { AUDIT as LAZY_AUDIT } from '../lazy/audit.ts';
import { PLAN as LAZY_PLAN } from '../lazy/plan.ts';
import { LOWER_BOUND, RATES } from '../lazy/rates.ts';
import { LAZY_ANSWER, RUN } from '../lazy/run.ts';
import { SWITCHES } from '../lazy/switches.ts';
import { LEDGER_BUDGETS } from '../ledger/budgets.ts';
import { LEDGER_COPY, LEDGER_REMARK, LEDGER_STORE } from '../ledger/copy.ts';
import { LEDGER_DECISION } from '../ledger/decision.ts';
import { LEDGER_DECISIONS } from '../ledger/decisions.ts';
import { LEDGER_HOLD } from '../ledger/reservation.ts';
import { LEDGER_INCURRED } from '../ledger/incurred.ts';
import { LEDGER_EXPORT } from '../ledger/export.ts';
import { LEDGER_MADE, LEDGER_STATUS } from '../ledger/status.ts';
import { LEDGER_REPLAY } from '../ledger/replay.ts';
import { LEDGER_LIST } from '../ledger/ledger-list.ts';
import { LEDGER_VERIFY_ALL, LEDGER_VERIFY } from '../ledger/verify.ts';
import { PLAN } from '../plan/plan.ts';
import { REFUSAL } from '../refusal/refusal.ts';
import { RISK_CURVE } from '../risk-curve.ts';
import { RISK } from '../risk.ts';
import { SELF_TEST } from '../self-test.ts';
import { SGD_BATCHES } from '../sgd-batches.ts';
import { SGD_SCHEMES } from '../sgd-schemes.ts';
import { SGD } from '../sgd.ts';
import { SOLVE } from '../solve.ts';
import { STATEMENT } from '../statement.ts';
import { THEOREMS } from '../theorems.ts';
import { VALIDATE } from '../validate.ts';
import { COMPLETE, SCHEMAS, type SchemaName } from './names.ts';
import * as z from 'zod/mini';
import { LEDGER_SCHEMA } from '../../ledger/chain.ts';
import { headerCodec, recordCodec } from '../../ledger/record.ts';
import { HASH } from '../ledger/facts-json.ts';
import { jsonSchema, policyJsonSchema, specJsonSchema } from '../../document/published-schema.ts';
import { budgetsSchema } from '../../ledger/budgets/read-budgets.ts';

/** The name of a JSON output. */
export type OutputName = Exclude<SchemaName, 'spec' | 'ledger' | 'policy' | 'budgets'>;

/** The answer of a command under `lazy`. */
const LAZY = json.published(
  'lazy',
  'The output of the lazy commands with --json; `result` names the command. A value with the status "claimed" is not a guarantee.',
  json.together(
    json.object({ ...json.identity('lazy'), result: TEXT }),
    json.oneOf(LAZY_AUDIT, LAZY_PLAN, RATES, LOWER_BOUND, SWITCHES, RUN),
  ),
);

/** A published output: its schema, and as a type only what a program reads that parses it. */
interface Published<Read> {
  readonly schema: JsonSchema;
  readonly read?: Read;
}

/** What others need of codecs: declarations of the library would spell out the rest too. */
const publishedOf = <Reads extends Readonly<Record<OutputName, unknown>>>(codecs: {
  readonly [Name in keyof Reads]: json.Codec<never, Reads[Name]>;
}): { readonly [Name in keyof Reads]: Published<Reads[Name]> } => codecs;

/** Every JSON output, by name. */
export const OUTPUTS = publishedOf({
  compose: COMPOSE,
  check: CHECK,
  statement: STATEMENT,
  plan: PLAN,
  design: DESIGN,
  batch: BATCH,
  risk: RISK,
  audit: AUDIT,
  solve: SOLVE,
  sgd: SGD,
  'sgd-schemes': SGD_SCHEMES,
  'sgd-batches': SGD_BATCHES,
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
  schemas: SCHEMAS,
  complete: COMPLETE,
  validate: VALIDATE,
});

/** The parsed type of a JSON output: `OutputDocument<'compose'>` is that of what `compose --json` prints. */
export type OutputDocument<Name extends OutputName> = NonNullable<(typeof OUTPUTS)[Name]['read']>;

type Schema = Readonly<Record<string, unknown>>;

/** A line is a record and its hash. */
function sealed(record: Schema): Schema {
  if (Array.isArray(record.oneOf)) return { ...record, oneOf: (record.oneOf as Schema[]).map(sealed) };
  const hash = { ...HASH.schema, description: 'SHA-256 of the bytes of the line before ,"hash":' };
  return {
    ...record,
    properties: { ...(record.properties as Schema), hash },
    required: [...(record.required as string[]), 'hash'],
  };
}

/** The JSON Schema (draft 2020-12) of the lines of a ledger file. */
export function ledgerFileSchema(): Schema {
  const { anyOf, ...schema } = jsonSchema(z.union([headerCodec.schema, recordCodec.schema]));
  return {
    ...schema,
    title: LEDGER_SCHEMA,
    description:
      'A line of a ledger file: the header first, then one record after the other. ledger is the hash of the header, prev that of the line before; numbers are exact decimals in text.',
    anyOf: (anyOf as Schema[]).map(sealed),
  };
}

/** The JSON Schema (draft 2020-12) of budgets. */
export const budgetsJsonSchema = (): Record<string, unknown> => ({
  ...jsonSchema(budgetsSchema),
  title: 'dpcompose budgets',
  description: 'Budgets that hold at the same time: the input of dpcompose ledger spend --budgets.',
});

/** Every published JSON Schema, by name. */
export function schemas(): Readonly<Record<SchemaName, Readonly<Record<string, unknown>>>> {
  const outputs = Object.entries(OUTPUTS).map(([name, { schema }]) => [name, schema]);
  return {
    spec: { $id: 'urn:dpcompose:spec:1', ...specJsonSchema() },
    ledger: { $id: 'urn:dpcompose:ledger:1', ...ledgerFileSchema() },
    budgets: { $id: 'urn:dpcompose:budgets:1', ...budgetsJsonSchema() },
    policy: { $id: 'urn:dpcompose:policy:1', ...policyJsonSchema() },
    ...(Object.fromEntries(outputs) as Record<OutputName, JsonSchema>),
  };
}
