import { birthsOf, type Birth } from '../journal/births.ts';
import { failed, type DamagedStore, type Failed, type NotWritten, type Unnamed } from '../records/fault.ts';
import { seal, type Sealed } from '../records/line.ts';
import { newNonce } from '../records/nonce.ts';
import type { Prepared, PreparedTransaction } from '../journal/prepare.ts';
import { LONGEST_RECORD } from '../records/raw-line.ts';
import { headerFields, readHeader, type Header } from '../records/record.ts';
import type { Seen } from '../journal/store.ts';
import { nameFault } from '../journal/name.ts';
import { notKept } from '../journal/not-kept.ts';
import { references } from './references.ts';
import { quoted } from './names.ts';
import type { Session } from './session.ts';

/** The first line of a ledger that is made at this place. */
export function headerLine(header: Header, home: string, nonce = newNonce()): Prepared | Failed<NotWritten> {
  const fields = headerFields(header, { nonce, home });
  const { text, hash } = seal(fields);
  const line = Buffer.from(text);
  if (line.length > LONGEST_RECORD) return failed({ code: 'too-long', bytes: line.length });
  return { line, record: { kind: 'record', fields, hash } };
}

/** The ledgers that come into being with the records of a transaction. */
export function birthsIn(
  seen: readonly Seen[],
  records: PreparedTransaction<unknown>['records'],
): readonly Birth[] | Failed {
  const births: Birth[] = [];
  for (const [i, { name, ends }] of seen.entries()) {
    const record: Sealed | undefined = records[i]?.record;
    if (record === undefined) continue;
    const header = readHeader(ends.header);
    if ('kind' in header) return header;
    const born = birthsOf({ name, header }, record, references);
    if ('kind' in born) return born;
    births.push(...born);
  }
  return births;
}

/** Gives names to new ledgers, all of them or none; else the one that could not be given. */
export async function claim(
  session: Session,
  schema: string,
  ledgers: readonly { readonly name: string; readonly id: string }[],
): Promise<Failed<Unnamed | DamagedStore> | null> {
  for (const { name } of ledgers) {
    const wrong = nameFault(name);
    if (wrong !== null) return wrong;
  }
  // In order, so that two who make the same ones do not wait for each other.
  const sorted = [...ledgers].sort((a, b) => (a.name < b.name ? -1 : 1));
  const text = `
    INSERT INTO ${quoted(schema)}.ledgers (name, id) SELECT * FROM unnest($1::text[], $2::text[])
    ON CONFLICT (name) DO NOTHING RETURNING name`;
  const values = [sorted.map(({ name }) => name), sorted.map(({ id }) => id.replaceAll('\0', ''))];
  const { rows } = await session.ask<{ readonly name: string }>(text, values);
  const claimed = new Set(rows.map(({ name }) => name));
  const taken = sorted.find(({ name }) => !claimed.delete(name));
  if (taken === undefined) return null;
  const there = await session.ask(`SELECT FROM ${quoted(schema)}.ledgers WHERE name = $1`, [taken.name]);
  return there.rows.length === 0 ? notKept(taken.name) : { ...failed({ code: 'ledger-exists' }), ledger: taken.name };
}
