import { LONGEST_LINE } from '../records/raw-line.ts';
import { CONSTRAINTS, type Constraint } from './constraints.ts';
import { functionsOf, SEARCH_PATH, type ServerFunction } from './functions.ts';
import { quoted } from './names.ts';
import { triggersOf } from './triggers.ts';

/** The version of the tables and functions below; each change of them is a step of `migrate`. */
export const SCHEMA_VERSION = 2;

/** No two records of a ledger have one key, by which they are found; as the server prints it again. */
export const keyIndexOf = (schema: string): { readonly name: string; readonly definition: string } => ({
  name: 'records_key',
  definition: `CREATE UNIQUE INDEX records_key ON ${quoted(schema)}.records USING btree (ledger, key) WHERE (key IS NOT NULL)`,
});

const constraintsOf = (table: Constraint['table']): string =>
  CONSTRAINTS.filter((each) => each.table === table)
    .map(({ name, definition }) => `CONSTRAINT ${name} ${definition}`)
    .join(',\n  ');

const functionText = (s: string, { name, returns, isOwners, body }: ServerFunction): string =>
  `CREATE OR REPLACE FUNCTION ${s}.${name}() RETURNS ${returns} LANGUAGE plpgsql ${isOwners ? 'STABLE SECURITY DEFINER' : ''}
  SET search_path = ${SEARCH_PATH} AS $$${body}$$;`;

const functions = (schema: string): string =>
  functionsOf(schema)
    .map((each) => functionText(quoted(schema), each))
    .join('\n');

/** Brings a store of version 1 to this one, which has the same tables and other functions. */
export const upgrade = (schema: string): string => `
${functions(schema)}
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
  ${constraintsOf('ledgers')}
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
  ${constraintsOf('records')}
);
${keyIndexOf(schema).definition};
CREATE INDEX records_launched ON ${s}.records (ledger, launched, seq);
CREATE INDEX records_closed ON ${s}.records (ledger, closed, seq) WHERE closed IS NOT NULL;

${functions(schema)}
${triggersOf(schema)
  .map(({ table, name, definition }) => `${definition}; ALTER TABLE ${s}.${table} ENABLE ALWAYS TRIGGER ${name};`)
  .join('\n')}
`;
};
