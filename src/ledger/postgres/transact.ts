import { failed, type Failed } from '../records/fault.ts';
import { prepare, type Prepared } from '../journal/prepare.ts';
import type { Propose, Seen, Transacted, TransactOptions } from '../journal/store.ts';
import { birthsIn, claim, headerLine } from './births.ts';
import { nameFault } from './name.ts';
import type { Connections } from './connections.ts';
import { inTransaction, type Written } from './in-transaction.ts';
import { lockHeads, type Patience } from './locking.ts';
import { references } from './references.ts';
import { columnsOf, endsOf, insertRecords, rowOf, selectEnds, type EndsRow, type RecordRow } from './rows.ts';
import { selectTriggers, triggersFault } from './schema.ts';
import { search } from './search.ts';
import type { Session } from './session.ts';

/** The moment by the clock of the server, and what keeps records from being changed. */
const NOW = `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

interface Moment {
  readonly now: string;
  readonly triggers: readonly string[];
}

interface Request<T> {
  readonly names: readonly string[];
  readonly propose: Propose<T>;
  readonly options: TransactOptions;
  readonly patience: Patience;
}

async function seenIn(
  session: Session,
  schema: string,
  names: readonly string[],
  { sought = [] }: TransactOptions,
): Promise<readonly Seen[] | Failed> {
  const { rows } = await session.ask<EndsRow>(`${selectEnds(schema)} WHERE l.name = ANY($1::text[])`, [names]);
  const seen: Seen[] = [];
  for (const name of names) {
    const ends = endsOf(rows.find((row) => row.name === name)!);
    if (ends.kind === 'failed') return { ...ends, ledger: name };
    const found: Seen['found'][number][] = [];
    for (const each of sought) {
      const record = await search(session, schema, name, each);
      if (record?.kind === 'failed') return { ...record, ledger: name };
      found.push(record);
    }
    seen.push({ name, ends, found });
  }
  return seen;
}

async function insert(session: Session, schema: string, rows: readonly RecordRow[]): Promise<void> {
  await session.ask(insertRecords(schema), columnsOf(rows));
}

/** Makes the ledgers that come into being with records: their rows, and those of their headers. */
async function bear(
  session: Session,
  schema: string,
  seen: readonly Seen[],
  records: readonly (Prepared | null)[],
): Promise<readonly RecordRow[] | Failed> {
  const births = birthsIn(seen, records);
  if ('kind' in births) return births;
  if (births.length === 0) return [];
  const rows: RecordRow[] = [];
  for (const { name, header } of births) {
    const made = headerLine(header, session.home);
    if ('kind' in made) return failed({ code: 'not-made', path: name, because: made.fault });
    rows.push(rowOf(name, made.record, made.line));
  }
  const fault = await claim(
    session,
    schema,
    births.map(({ name, header: { id } }) => ({ name, id })),
  );
  if (fault === null) return rows;
  return failed({ code: 'not-made', path: fault.ledger ?? '', because: fault.fault });
}

/** Everything of a transaction but its beginning and its end. */
async function write<T>(
  session: Session,
  schema: string,
  { names, propose, options, patience }: Request<T>,
): Promise<Written<Transacted<T>> | Failed> {
  const busy = await lockHeads(session, schema, names, patience);
  if (busy !== null) return busy;
  // In a statement of its own, which sees what those have added who had the lock before.
  const seen = await seenIn(session, schema, names, options);
  if ('kind' in seen) return seen;
  const moment = await session.ask<Moment>(`SELECT ${NOW} AS now, ${selectTriggers(schema)} AS triggers`);
  const { now, triggers } = moment.rows[0]!;
  const damaged = triggersFault(triggers);
  if (damaged !== null) return damaged;
  const homes = names.map(() => session.home);
  const prepared = prepare(seen, propose, { homes, now, store: references, options });
  if (prepared.kind === 'failed') return prepared;
  const rows = prepared.records.flatMap((each, i) => (each === null ? [] : [rowOf(names[i]!, each.record, each.line)]));
  const born = await bear(session, schema, seen, prepared.records);
  if ('kind' in born) return born;
  if (rows.length > 0) await insert(session, schema, [...rows, ...born]);
  const records = prepared.records.map((each) => each?.record ?? null);
  const value: Transacted<T> = { kind: 'transacted', value: prepared.value, records, settled: 'none' };
  return { kind: 'written', value, witness: rows[0] ?? null };
}

/**
 * A transaction over ledgers, whose heads are locked from the look at them to the end.
 */
export async function transact<T>(
  connections: Connections,
  names: readonly string[],
  propose: Propose<T>,
  options: TransactOptions,
): Promise<Transacted<T> | Failed> {
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) return { ...failed({ code: 'same-ledger', other: twice }), ledger: twice };
  const impossible = names.find((name) => nameFault(name) !== null);
  if (impossible !== undefined) return { ...failed({ code: 'no-such-ledger' }), ledger: impossible };
  return inTransaction(connections, options.patience, (session, patience) =>
    write(session, connections.address.schema, { names, propose, options, patience }),
  );
}
