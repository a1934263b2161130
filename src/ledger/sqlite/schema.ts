import { failed, type Failed } from '../records/fault.ts';
import type { Connection } from './driver.ts';

/** In the header of the file, to tell such a database from all others: "dpcl". */
const APPLICATION = 0x6470636c;

/** The version of the tables, in the header of the file too. */
const VERSION = 1;

/**
 * The tables, and what keeps other programs from changing what was recorded. Everything by which a record is looked for is
 * computed from its line by SQLite itself, so that it can say nothing else. `key` is the JSON text of a key, in which every
 * text is told from every other. Each record has to follow the one before it, and none is ever changed or removed.
 */
const OBJECTS: Readonly<Record<string, string>> = {
  ledgers: `CREATE TABLE ledgers (
  name TEXT NOT NULL PRIMARY KEY,
  head_seq INTEGER NOT NULL,
  head_hash TEXT NOT NULL
) STRICT`,
  records: `CREATE TABLE records (
  ledger TEXT NOT NULL,
  seq INTEGER NOT NULL CHECK (seq = json_extract(line, '$.seq')),
  line TEXT NOT NULL,
  hash TEXT NOT NULL GENERATED ALWAYS AS (json_extract(line, '$.hash')) STORED,
  key TEXT GENERATED ALWAYS AS (line -> '$.key') STORED,
  PRIMARY KEY (ledger, seq)
) STRICT`,
  records_by_key: 'CREATE UNIQUE INDEX records_by_key ON records (ledger, key) WHERE key IS NOT NULL',
  records_follow: `CREATE TRIGGER records_follow BEFORE INSERT ON records
WHEN EXISTS (SELECT 1 FROM records WHERE ledger = NEW.ledger AND seq >= NEW.seq)
  OR NEW.seq > 0 AND NOT EXISTS (
    SELECT 1 FROM records
    WHERE ledger = NEW.ledger AND seq = NEW.seq - 1 AND hash = json_extract(NEW.line, '$.prev')
  )
BEGIN SELECT RAISE(ABORT, 'a record follows the last one'); END`,
  records_stay: `CREATE TRIGGER records_stay BEFORE UPDATE ON records
BEGIN SELECT RAISE(ABORT, 'a record is never changed'); END`,
  records_remain: `CREATE TRIGGER records_remain BEFORE DELETE ON records
BEGIN SELECT RAISE(ABORT, 'a record is never removed'); END`,
  ledgers_go_on: `CREATE TRIGGER ledgers_go_on BEFORE UPDATE ON ledgers
WHEN NEW.name IS NOT OLD.name OR NEW.head_seq IS NOT OLD.head_seq + 1
BEGIN SELECT RAISE(ABORT, 'a ledger only goes on'); END`,
  ledgers_remain: `CREATE TRIGGER ledgers_remain BEFORE DELETE ON ledgers
BEGIN SELECT RAISE(ABORT, 'a ledger is never removed'); END`,
};

/** What a database is made of: the names of its tables, indexes and triggers. */
const namesIn = (connection: Connection): ReadonlySet<string> =>
  new Set(connection.prepare<[], string>('SELECT name FROM sqlite_schema WHERE sql IS NOT NULL').pluck().all());

/** Which database it is: one of another program, an empty one, or one of ours. */
function kindOf(connection: Connection): 'other' | 'empty' | 'ours' {
  const application = connection.pragma('application_id', { simple: true });
  if (application === APPLICATION) return 'ours';
  return application === 0 && namesIn(connection).size === 0 ? 'empty' : 'other';
}

/** Why ledgers cannot be read from, or kept in, this database as it is; null where they can. */
export function schemaFault(connection: Connection): Failed | null {
  const kind = kindOf(connection);
  if (kind === 'empty') return failed({ code: 'no-store' });
  if (kind === 'other') return failed({ code: 'not-a-store', reason: 'it is a database of something else' });
  const found = connection.pragma('user_version', { simple: true });
  if (found !== VERSION) return failed({ code: 'other-schema', found: String(found), needed: String(VERSION) });
  const there = namesIn(connection);
  const missing = Object.keys(OBJECTS).find((name) => !there.has(name));
  return missing === undefined ? null : failed({ code: 'damaged-store', reason: `${missing} was removed` });
}

/** Makes the tables in a database in which nothing is, inside a transaction; what is wrong with one in which something is. */
export function makeSchema(connection: Connection): Failed | null {
  if (kindOf(connection) !== 'empty') return schemaFault(connection);
  for (const sql of Object.values(OBJECTS)) connection.exec(sql);
  connection.pragma(`application_id = ${APPLICATION}`);
  connection.pragma(`user_version = ${VERSION}`);
  return null;
}
