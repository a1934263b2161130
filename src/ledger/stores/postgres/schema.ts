import { LONGEST_LINE } from '../../line.ts';
import { createHash } from 'node:crypto';
import type { RecordRow } from '../sql/database.ts';

/** The version of the tables and functions below; each change of them is a step of `migrate`. */
export const SCHEMA_VERSION = 2;

/** The tables of a store. */
export const TABLES = ['meta', 'ledgers', 'records'] as const;

/** The name of a PostgreSQL schema, quoted; that of an address has only letters, digits and underscores in it. */
export const quoted = (schema: string): string => `"${schema}"`;

/** Where functions look for what they name without a schema: never where somebody else may have put something. */
export const SEARCH_PATH = 'pg_catalog, pg_temp';

/** What a backslash, with the character that it makes another one of, becomes in a text that JSON may have in it. */
const MARKS: readonly (readonly [from: string, to: string])[] = [
  [`'%'`, `'%0'`],
  ['(chr(92) || chr(92))', `'%1'`],
  [`(chr(92) || '"')`, `'%2'`],
  ['chr(92)', `'%3'`],
];

const replaced = (value: string, replacements: typeof MARKS): string =>
  replacements.reduce((inner, [from, to]) => `replace(${inner}, ${from}, ${to})`, value);

const unmarked = (value: string): string =>
  replaced(
    value,
    MARKS.toReversed().map(([from, to]) => [to, from]),
  );

/**
 * The fields of a line. Its backslashes are marked: the server reads no text with `\\u0000` in it, nor one that ends in the midst of
 * a character, and so the JSON text of a field comes out as it stands in the line.
 */
const FIELDS = `${replaced('line', MARKS)}::json`;

const hashOf = (text: string): string => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;

const CONTENT = 'left(line, -75)';

/** What the rows of records have to obey; the columns by which they are found follow from their lines alone. */
const CONSTRAINTS = `
  CONSTRAINT records_pkey PRIMARY KEY (ledger, seq),
  CONSTRAINT records_ledger_prev_key UNIQUE (ledger, prev),
  -- A line ends in the hash of what stands before it.
  CONSTRAINT records_sealed CHECK (line = ${CONTENT} || ',"hash":"' || hash || '"}' AND hash = ${hashOf(CONTENT)}),
  -- A line begins with its number, and names the one before it.
  CONSTRAINT records_placed CHECK (CASE
    WHEN seq = 0 THEN starts_with(line, '{"schema":') AND prev = ''
    ELSE seq > 0 AND starts_with(line, '{"seq":' || seq || ',')
      AND right(line, 149) = ',"prev":"' || prev || '","hash":"' || hash || '"}'
  END),
  CONSTRAINT records_key_told CHECK (
    NOT key IS DISTINCT FROM ${hashOf(unmarked(`NULLIF((${FIELDS} -> 'key')::text, 'null')`))}
  ),
  CONSTRAINT records_launched_told CHECK (NOT launched::text IS DISTINCT FROM
    COALESCE(${FIELDS} #>> '{totals,launched}', ${FIELDS} #>> '{origin,totals,launched}')
  ),
  CONSTRAINT records_closed_told CHECK (NOT closed::text IS DISTINCT FROM
    CASE WHEN ${FIELDS} ->> 'event' = 'close' THEN ${FIELDS} ->> 'mechanism' END
  )`;

/** How many records of a ledger ($1), up to one ($2), are sealed and follow the one before. */
export const unbrokenRecords = (s: string): string => `
SELECT count(*) AS count FROM (
  SELECT seq, line, hash, prev, lag(hash, 1, '') OVER (ORDER BY seq) AS before FROM ${s}.records WHERE ledger = $1 AND seq <= $2
) AS past
WHERE prev = before AND line = ${CONTENT} || ',"hash":"' || hash || '"}' AND hash = ${hashOf(CONTENT)}
  AND (seq = 0 OR right(line, 149) = ',"prev":"' || prev || '","hash":"' || hash || '"}')`;

const UNCHANGED = `
BEGIN
  RAISE EXCEPTION 'what a ledger has recorded stays: % of % is not allowed', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END `;

/**
 * Each record follows one that is there. The head moves to the last of those that one statement inserts: inside of a transaction the
 * server passes over every earlier state of a row to change it once more.
 */
const headMoves = (s: string): string => `
BEGIN
  IF NEW.seq = 0 OR EXISTS (
    SELECT FROM ${s}.records AS r WHERE r.ledger = NEW.ledger AND r.seq = NEW.seq - 1 AND r.hash = NEW.prev
  ) THEN
    IF EXISTS (SELECT FROM ${s}.records AS r WHERE r.ledger = NEW.ledger AND r.seq = NEW.seq + 1) THEN
      RETURN NULL;
    END IF;
    UPDATE ${s}.ledgers SET head_seq = NEW.seq, head_hash = NEW.hash WHERE name = NEW.ledger AND head_seq < NEW.seq;
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the record does not follow the last one of its ledger' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END `;

const headIsThere = (s: string): string => `
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.head_seq = -1 AND NEW.head_hash = '' THEN RETURN NEW; END IF;
  ELSIF NEW.name = OLD.name AND NEW.id = OLD.id AND NEW.head_seq > OLD.head_seq AND EXISTS (
    SELECT FROM ${s}.records AS r
    WHERE r.ledger = NEW.name AND r.seq = OLD.head_seq + 1 AND r.prev = OLD.head_hash
  ) AND EXISTS (
    SELECT FROM ${s}.records AS r WHERE r.ledger = NEW.name AND r.seq = NEW.head_seq AND r.hash = NEW.head_hash
  ) THEN RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the head of a ledger is its last record' USING ERRCODE = 'insufficient_privilege';
END `;

/** The place of the database, see `Store.placeId`: it changes nothing, and does as its owner may and not as who calls it. */
const home = (s: string): string => `
DECLARE
  place text;
BEGIN
  BEGIN
    SELECT system_identifier::text INTO place FROM pg_control_system();
  EXCEPTION WHEN insufficient_privilege OR undefined_function THEN
    SELECT id INTO place FROM ${s}.meta;
  END;
  place := concat_ws(
    ':', place, (SELECT oid FROM pg_database WHERE datname = current_database()), '${s}.records'::regclass::oid
  );
  RETURN left(encode(sha256(convert_to(place, 'UTF8')), 'hex'), 16);
END `;

function functions(s: string): string {
  const functionText = (name: string, returns: string, manner: string, body: string): string =>
    `CREATE OR REPLACE FUNCTION ${s}.${name}() RETURNS ${returns} LANGUAGE plpgsql ${manner}
  SET search_path = ${SEARCH_PATH} AS $$${body}$$;`;
  return [
    functionText('unchanged', 'trigger', '', UNCHANGED),
    functionText('head_moves', 'trigger', '', headMoves(s)),
    functionText('head_is_there', 'trigger', '', headIsThere(s)),
    functionText('home', 'text', 'STABLE SECURITY DEFINER', home(s)),
  ].join('\n');
}

/** What keeps records as they are, and the head of each ledger at its last record. */
const TRIGGERS = [
  ['records', 'records_head', 'AFTER INSERT', 'ROW', 'head_moves'],
  ['records', 'records_stay', 'BEFORE DELETE OR UPDATE', 'ROW', 'unchanged'],
  ['records', 'records_all_stay', 'BEFORE TRUNCATE', 'STATEMENT', 'unchanged'],
  ['ledgers', 'ledgers_head', 'BEFORE INSERT OR UPDATE', 'ROW', 'head_is_there'],
  ['ledgers', 'ledgers_stay', 'BEFORE DELETE', 'ROW', 'unchanged'],
  ['ledgers', 'ledgers_all_stay', 'BEFORE TRUNCATE', 'STATEMENT', 'unchanged'],
] as const;

const triggers = (s: string): string =>
  TRIGGERS.map(
    ([table, name, when, level, calls]) => `
CREATE TRIGGER ${name} ${when} ON ${s}.${table} FOR EACH ${level} EXECUTE FUNCTION ${s}.${calls}();
ALTER TABLE ${s}.${table} ENABLE ALWAYS TRIGGER ${name};`,
  ).join('');

/** Brings a store of version 1 to this one, which has the same tables and other functions. */
export const upgrade = (schema: string): string => `
${functions(quoted(schema))}
UPDATE ${quoted(schema)}.meta SET version = ${SCHEMA_VERSION} WHERE version = 1;
`;

/**
 * The tables of a store. `ledgers` has a row for each ledger, with the number and the hash of its last record: this row is locked
 * while a record is added. `records` has the lines; its other columns are read off them, `key` hashed, as a key may be long.
 *
 * The database itself sees to it that a line ends in its own hash, follows the last record of its ledger, is found by what it says,
 * and stays: whoever may only insert cannot change, remove or go round a record. The triggers do so for everybody, also where those
 * of other tables are off (`session_replication_role`).
 */
export const tables = (schema: string): string => {
  const s = quoted(schema);
  return `
CREATE TABLE ${s}.meta (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version integer NOT NULL,
  id text NOT NULL DEFAULT gen_random_uuid()::text
);
INSERT INTO ${s}.meta (version) VALUES (${SCHEMA_VERSION});

CREATE TABLE ${s}.ledgers (
  name text COLLATE "C" NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 1024),
  id text NOT NULL,
  head_seq bigint NOT NULL DEFAULT -1,
  head_hash text NOT NULL DEFAULT '',
  CONSTRAINT ledgers_pkey PRIMARY KEY (name)
) WITH (fillfactor = 50);

CREATE TABLE ${s}.records (
  ledger text COLLATE "C" NOT NULL REFERENCES ${s}.ledgers (name),
  seq bigint NOT NULL,
  prev text NOT NULL,
  hash text NOT NULL,
  key text,
  launched bigint,
  closed bigint,
  line text NOT NULL CHECK (octet_length(line) <= ${LONGEST_LINE}),
  ${CONSTRAINTS}
);
CREATE UNIQUE INDEX records_key ON ${s}.records (ledger, key) WHERE key IS NOT NULL;
CREATE INDEX records_launched ON ${s}.records (ledger, launched, seq);
CREATE INDEX records_closed ON ${s}.records (ledger, closed, seq) WHERE closed IS NOT NULL;

${functions(s)}
${triggers(s)}
`;
};

/** Gives a new ledger its name ($1) and id ($2); waits for who does the same, and gives nothing where it is taken. */
export const claiming = (schema: string): string =>
  `INSERT INTO ${quoted(schema)}.ledgers (name, id) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING RETURNING name`;

/**
 * The digits that a key is looked for by: it can be too long for an index, and have characters that the database has not. Its
 * JSON text tells also those apart that are no Unicode text.
 */
export const keyDigest = (key: unknown): string => createHash('sha256').update(JSON.stringify(key)).digest('hex');

const wholeOrNull = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null);

interface WithTotals {
  readonly totals?: { readonly launched?: unknown } | null;
  readonly origin?: { readonly totals?: { readonly launched?: unknown } | null } | null;
}

/** The columns of a record; the server looks whether its line says the same (`records_key_told` and the others). */
export function columnsOf({ ledger, seq, record: { fields, hash }, line }: RecordRow) {
  const { event, key, mechanism, prev, totals, origin } = fields as Readonly<Record<string, unknown>> & WithTotals;
  return {
    ledger,
    seq,
    prev: typeof prev === 'string' ? prev : '',
    hash,
    key: key == null ? null : keyDigest(key),
    launched: wholeOrNull(totals?.launched ?? origin?.totals?.launched),
    /** The mechanism that it closes. */
    closed: event === 'close' ? wholeOrNull(mechanism) : null,
    line: line.toString(),
  };
}

const TYPES = {
  ...{ ledger: 'text', seq: 'bigint', prev: 'text', hash: 'text' },
  ...{ key: 'text', launched: 'bigint', closed: 'bigint', line: 'text' },
} as const satisfies Record<keyof ReturnType<typeof columnsOf>, string>;

const NAMES = Object.keys(TYPES) as (keyof typeof TYPES)[];

/** Inserts records by one statement, and its values: the head of a ledger moves once for all that one statement inserts. */
export function insertion(schema: string, records: readonly RecordRow[]): readonly [text: string, values: unknown[]] {
  const rows = records.map(columnsOf);
  const columns = NAMES.map((name, i) => `$${i + 1}::${TYPES[name]}[]`);
  const text = `INSERT INTO ${quoted(schema)}.records (${NAMES.join(', ')}) SELECT * FROM unnest(${columns.join(', ')})`;
  return [text, NAMES.map((name) => rows.map((row) => row[name]))];
}
