import { birthsOf, type Birth } from '../journal/births.ts';
import type { Ends } from '../records/ends.ts';
import { failed, type Failed } from '../records/fault.ts';
import { numberOf, type Sealed } from '../records/line.ts';
import type { Prepared } from '../journal/prepare.ts';
import { readHeader, type Header } from '../records/record.ts';
import { sealHeader } from '../journal/seal-header.ts';
import type { Store } from '../journal/store.ts';
import type { Connection } from './driver.ts';
import { readEnds } from './ends.ts';

/** How ledgers that are named in records are found, and where and how records are made here. */
export interface Making {
  readonly store: Pick<Store, 'resolve'>;
  readonly home: string;
  readonly nonce?: (() => string) | undefined;
}

const insert = (connection: Connection, name: string, seq: number, line: Buffer): void => {
  connection.prepare('INSERT INTO records (ledger, seq, line) VALUES (?, ?, ?)').run(name, seq, line.toString('utf8'));
};

/** Makes a ledger that has only a header. */
export function bear(connection: Connection, { name, header }: Birth, making: Making): Sealed | Failed {
  const there = readEnds(connection, name);
  if (there.kind === 'ends') return failed({ code: 'ledger-exists' });
  if (there.fault.code !== 'no-such-ledger') return there;
  const first = sealHeader(header, making);
  if ('kind' in first) return first;
  const { line, record } = first;
  connection.prepare('INSERT INTO ledgers (name, head_seq, head_hash) VALUES (?, 0, ?)').run(name, record.hash);
  insert(connection, name, 0, line);
  return record;
}

/** Adds a record after the last one of a ledger. */
function append(connection: Connection, name: string, { line, record }: Prepared): void {
  const seq = numberOf(record);
  insert(connection, name, seq, line);
  connection.prepare('UPDATE ledgers SET head_seq = ?, head_hash = ? WHERE name = ?').run(seq, record.hash, name);
}

/** The header of a ledger in which something is that others may come into being with; null where nothing is. */
function parentOf({ header }: Ends, { fields }: Sealed): Header | Failed | null {
  return fields.event === 'nest' || fields.event === 'convert' ? readHeader(header) : null;
}

/** Adds a record to a ledger, and makes the ledgers that come into being with it; null when it has. */
export function keep(
  connection: Connection,
  { name, ends }: { readonly name: string; readonly ends: Ends },
  { prepared, ...making }: Making & { readonly prepared: Prepared },
): Failed | null {
  append(connection, name, prepared);
  const header = parentOf(ends, prepared.record);
  if (header === null) return null;
  if ('kind' in header) return header;
  const births = birthsOf({ name, header }, prepared.record, making.store);
  if ('kind' in births) return births;
  for (const birth of births) {
    const made = bear(connection, birth, making);
    if (made.kind !== 'failed') continue;
    const { fault } = made;
    const isItsOwn = fault.code === 'ledger-exists' || fault.code === 'too-long';
    return isItsOwn ? failed({ code: 'not-made', path: birth.name, because: fault }) : { ...made, ledger: birth.name };
  }
  return null;
}
