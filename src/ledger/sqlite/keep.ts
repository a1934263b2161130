import { birthsOf, type Birth } from '../journal/births.ts';
import { nameFault } from '../journal/name.ts';
import { notKept } from '../journal/not-kept.ts';
import type { Prepared } from '../journal/prepare.ts';
import { sealHeader } from '../journal/seal-header.ts';
import type { Store } from '../journal/store.ts';
import type { Ends } from '../records/ends.ts';
import { failed, type Failed } from '../records/fault.ts';
import { numberOf, type Sealed } from '../records/line.ts';
import { readHeader, type Header } from '../records/record.ts';
import type { Connection } from './driver.ts';
import { readEnds } from './ends.ts';

/** How ledgers that are named in records are found, and where and how records are made here. */
export interface Making {
  readonly store: Pick<Store, 'resolve'>;
  readonly home: string;
  readonly nonce?: (() => string) | undefined;
}

/** The last record of a ledger that was added to. */
export interface Kept {
  readonly name: string;
  readonly seq: number;
  readonly hash: string;
}

export const keptOf = (name: string, record: Sealed): Kept => ({ name, seq: numberOf(record), hash: record.hash });

/** Whether the database has a record. */
export const hasRecord = (connection: Connection, { name, seq, hash }: Kept): boolean =>
  connection.prepare('SELECT 1 FROM records WHERE ledger = ? AND seq = ? AND hash = ?').get(name, seq, hash) !==
  undefined;

/**
 * Looks, before a transaction is ended, whether each ledger ends in what was added to it: a trigger of somebody can let rows fall
 * without a word. Null where all do.
 */
export function confirm(connection: Connection, added: readonly Kept[]): Failed | null {
  const missing = added.find(({ name, seq, hash }) => {
    const ends = readEnds(connection, name);
    return ends.kind === 'failed' || numberOf(ends.last) !== seq || ends.last.hash !== hash;
  });
  return missing === undefined ? null : notKept(missing.name);
}

/** Runs a statement that changes one row; false where it has not. */
const changes = (connection: Connection, sql: string, ...values: readonly unknown[]): boolean =>
  connection.prepare(sql).run(...values).changes === 1;

/** Inserts the line of a record; false where it was not taken. */
export const insertLine = (connection: Connection, name: string, seq: number, line: Buffer): boolean =>
  changes(connection, 'INSERT INTO records (ledger, seq, line) VALUES (?, ?, ?)', name, seq, line.toString('utf8'));

/** Inserts a ledger into the list, with its last record; false where it was not taken. */
export const insertLedger = (connection: Connection, { name, seq, hash }: Kept): boolean =>
  changes(connection, 'INSERT INTO ledgers (name, head_seq, head_hash) VALUES (?, ?, ?)', name, seq, hash);

/** Why no ledger of this name can be made in a database; null where one can. */
export function taken(connection: Connection, name: string): Failed | null {
  const wrong = nameFault(name);
  if (wrong !== null) return wrong;
  const there = readEnds(connection, name);
  if (there.kind === 'ends') return failed({ code: 'ledger-exists' });
  return there.fault.code === 'no-such-ledger' ? null : there;
}

/** Makes a ledger that has only a header. */
export function bear(connection: Connection, { name, header }: Birth, making: Making): Sealed | Failed {
  const wrong = taken(connection, name);
  if (wrong !== null) return wrong;
  const first = sealHeader(header, making);
  if ('kind' in first) return first;
  const { line, record } = first;
  const isKept = insertLedger(connection, { name, seq: 0, hash: record.hash }) && insertLine(connection, name, 0, line);
  return isKept ? record : notKept(name);
}

/** Adds a record after the last one of a ledger; false where it was not taken. */
function append(connection: Connection, name: string, { line, record }: Prepared): boolean {
  const seq = numberOf(record);
  const update = 'UPDATE ledgers SET head_seq = ?, head_hash = ? WHERE name = ?';
  return insertLine(connection, name, seq, line) && changes(connection, update, seq, record.hash, name);
}

/** The header of a ledger in which something is that others may come into being with; null where nothing is. */
function parentOf({ header }: Ends, { fields }: Sealed): Header | Failed | null {
  return fields.event === 'nest' || fields.event === 'convert' ? readHeader(header) : null;
}

/** Adds a record to a ledger, and makes the ledgers that come into being with it; all that was added. */
export function keep(
  connection: Connection,
  { name, ends }: { readonly name: string; readonly ends: Ends },
  { prepared, ...making }: Making & { readonly prepared: Prepared },
): readonly Kept[] | Failed {
  if (!append(connection, name, prepared)) return notKept(name);
  const added = [keptOf(name, prepared.record)];
  const header = parentOf(ends, prepared.record);
  if (header === null) return added;
  if ('kind' in header) return header;
  const births = birthsOf({ name, header }, prepared.record, making.store);
  if ('kind' in births) return births;
  for (const birth of births) {
    const made = bear(connection, birth, making);
    if (made.kind === 'failed') {
      const { fault } = made;
      const isItsOwn = fault.code === 'ledger-exists' || fault.code === 'bad-name' || fault.code === 'too-long';
      return isItsOwn
        ? failed({ code: 'not-made', path: birth.name, because: fault })
        : { ...made, ledger: birth.name };
    }
    added.push(keptOf(birth.name, made));
  }
  return added;
}
