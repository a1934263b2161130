import { BRACKET, DECIMAL_TEXT, GIVEN, list, NUMBER, published, record, TEXT, type JsonSchema } from './common.ts';
import {
  CAVEATS,
  GUARANTEE,
  HASH,
  LEDGER,
  LEDGER_BRIEF,
  orNull,
  RECORD_REFERENCE,
  STANDING,
  TOTALS,
  WHOLE,
} from './ledger-common.ts';

const output = (
  name: string,
  description: string,
  properties: JsonSchema,
  optional: readonly string[] = [],
): JsonSchema =>
  published(
    name,
    description,
    record({ schema: { const: `dpcompose.${name}/1` }, version: TEXT, ...properties }, optional),
  );

const TIME: JsonSchema = { type: ['string', 'null'] };
const EVENTS = ['spend', 'nest', 'halt', 'query', 'close', 'convert'];

/** What `ledger init`, `to-filter` and `to-odometer` print with --json. */
export const LEDGER_MADE_SCHEMA = output('ledger-made', 'A ledger that was made.', {
  command: { enum: ['init', 'to-filter', 'to-odometer'] },
  ledger: LEDGER,
  ...STANDING,
  caveats: CAVEATS,
});

/** What `ledger spend`, `check` and `nest` print with --json. */
export const LEDGER_DECISION_SCHEMA = output(
  'ledger-decision',
  'Whether mechanisms may be run, and what that makes of the ledger (exit codes 0 and 1).',
  {
    command: { enum: ['spend', 'check', 'nest'] },
    ledger: LEDGER_BRIEF,
    asked: {
      description: 'Mechanisms in normal form; or nested ledgers, by their ids and terms.',
      oneOf: [list({ type: 'object' }), record({ ids: list(TEXT), terms: { type: 'object' } })],
    },
    evidence: { type: ['string', 'null'], description: 'The hash of what their guarantees were verified by.' },
    granted: { type: 'boolean', description: 'Authorises only where record is not null.' },
    code: { enum: ['insufficient-budget', 'halted', 'count-limit', 'converted', null] },
    message: { type: ['string', 'null'] },
    record: orNull(RECORD_REFERENCE),
    mechanisms: orNull(record({ first: WHOLE, last: WHOLE })),
    before: record(STANDING),
    after: record(STANDING),
    recovered: { enum: ['none', 'torn', 'whole'] },
    caveats: CAVEATS,
    coordinate: { ...TEXT, description: 'insufficient-budget: the total that would exceed its limit.' },
    total: { ...NUMBER, description: 'insufficient-budget: what it would be, beyond 15 digits rounded up.' },
    limit: {
      ...NUMBER,
      description:
        'insufficient-budget: the most that it may be, beyond 15 digits rounded down; count-limit: the most mechanisms.',
    },
    exact: {
      ...record({ total: DECIMAL_TEXT, limit: DECIMAL_TEXT }),
      description: 'insufficient-budget: both as exact decimals.',
    },
    launched: WHOLE,
    wanted: WHOLE,
    because: TEXT,
  },
  ['coordinate', 'total', 'limit', 'exact', 'launched', 'wanted', 'because'],
);

/** What `ledger query` and `close` print with --json. */
export const LEDGER_EVENT_SCHEMA = output('ledger-event', 'A query to an interactive mechanism, or its end.', {
  command: { enum: ['query', 'close'] },
  file: TEXT,
  mechanism: WHOLE,
  granted: { type: 'boolean' },
  code: { type: ['string', 'null'] },
  message: { type: ['string', 'null'] },
  record: orNull(RECORD_REFERENCE),
});

/** What `ledger status` prints with --json. */
export const LEDGER_STATUS_SCHEMA = output('ledger-status', 'Where a ledger stands.', {
  ledger: LEDGER,
  ...STANDING,
  items: list(record({ what: TEXT, mechanisms: WHOLE, added: TOTALS, lastAt: TIME })),
  caveats: CAVEATS,
});

const CONVERTED = orNull({
  anyOf: [record({ delta: GIVEN, epsilon: BRACKET }), record({ epsilon: GIVEN, delta: BRACKET })],
});

/** What `ledger loss` prints with --json. */
export const LEDGER_LOSS_SCHEMA = output('ledger-loss', 'The privacy loss of a ledger so far.', {
  ledger: LEDGER,
  distance: GIVEN,
  launched: WHOLE,
  spent: GUARANTEE,
  guarantee: orNull(GUARANTEE),
  converted: record({ spent: CONVERTED, guarantee: CONVERTED }),
  caveats: CAVEATS,
});

const FOUND: JsonSchema = {
  anyOf: [NUMBER, { const: 'any' }],
  description: 'The largest that fits, beyond 15 digits rounded down; of noise the smallest, rounded up; or any.',
};
const EXACT: JsonSchema = {
  ...orNull(DECIMAL_TEXT),
  description: 'The same as an exact decimal; null for any and none.',
};

/** What `ledger remaining` prints with --json. */
export const LEDGER_REMAINING_SCHEMA = output('ledger-remaining', 'What may still be launched.', {
  ledger: LEDGER,
  rows: list({
    oneOf: [
      record({ form: { const: 'left' }, left: GUARANTEE }),
      record({
        form: { const: 'next' },
        mechanism: { type: 'object' },
        parameter: { enum: ['epsilon', 'rho', 'mu', 'scale', 'sigma', null] },
        value: { ...orNull(FOUND), description: 'Null where none fits.' },
        exact: EXACT,
      }),
      record({ form: { const: 'how-many' }, mechanism: { type: 'object' }, count: FOUND, exact: EXACT }),
    ],
  }),
});

/** What `ledger verify` prints with --json. */
export const LEDGER_VERIFY_SCHEMA = output(
  'ledger-verify',
  'Whether a ledger is as it was written (exit codes 0 and 4).',
  {
    file: TEXT,
    id: { type: ['string', 'null'] },
    sound: { type: 'boolean' },
    message: { type: ['string', 'null'], description: 'The first thing that is wrong, and how many others there are.' },
    records: WHOLE,
    hash: orNull(HASH),
    flaws: list(
      record(
        { code: TEXT, record: WHOLE, line: { type: 'integer', minimum: 1 }, what: TEXT, message: TEXT, hint: TEXT },
        ['what'],
      ),
    ),
    more: { ...WHOLE, description: 'How many further flaws there are.' },
    unfinished: WHOLE,
    contains: orNull(record({ hash: TEXT, found: { type: 'boolean' } })),
    from: orNull(record({ file: TEXT, agrees: { type: 'boolean' } })),
  },
);

/** What `ledger replay` prints with --json. */
export const LEDGER_REPLAY_SCHEMA = output('ledger-replay', 'Every decision of a ledger made again.', {
  file: TEXT,
  id: TEXT,
  records: WHOLE,
  hash: HASH,
  agrees: { const: true },
  ...STANDING,
  steps: orNull(
    list(
      record({
        record: WHOLE,
        at: TIME,
        event: { enum: EVENTS },
        what: TEXT,
        launched: WHOLE,
        totals: TOTALS,
        spent: GUARANTEE,
        halted: { type: ['string', 'null'] },
        hash: HASH,
      }),
    ),
  ),
});

/** What `ledger export` prints with --json. */
export const LEDGER_EXPORT_SCHEMA = output('ledger-export', 'All records of a ledger.', {
  ledger: LEDGER,
  ...STANDING,
  caveats: CAVEATS,
  rows: list({
    ...record({
      record: WHOLE,
      event: { enum: EVENTS },
      totals: record({ launched: WHOLE, spent: TOTALS, halted: { type: ['string', 'null'] } }),
      hash: HASH,
    }),
    description:
      'A record of the file, without what puts it in its place; the numbers of what was launched with all their digits.',
  }),
});
