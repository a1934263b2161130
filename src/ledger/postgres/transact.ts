import { failed, type Failed } from '../records/fault.ts';
import { prepare, type Prepared } from '../journal/prepare.ts';
import type { Propose, Seen, Transacted, TransactOptions } from '../journal/store.ts';
import { birthsIn, claim, headerLine } from './births.ts';
import { impossibleIn } from '../journal/name.ts';
import type { Connections } from './connections.ts';
import { inTransaction, type Written } from './in-transaction.ts';
import { keep } from './keep.ts';
import { lockHeads, type Patience } from './locking.ts';
import { references } from './references.ts';
import { endsOf, rowOf, selectEnds, type EndsRow, type RecordRow } from './rows.ts';
import { search } from './search.ts';
import { selectStanding, standingOf, type Standing, type StandingRow } from './standing.ts';
import type { Session } from './session.ts';

interface Request<T> {
  readonly names: readonly string[];
  readonly propose: Propose<T>;
  readonly options: TransactOptions;
  readonly patience: Patience;
}

/** The ledgers as they are, and how their store stands; seen in one statement, after those who had the locks before. */
interface View {
  readonly stands: Standing;
  readonly seen: readonly Seen[];
}

async function viewOf(
  session: Session,
  schema: string,
  names: readonly string[],
  { sought = [] }: TransactOptions,
): Promise<View | Failed> {
  const { rows } = await session.ask<EndsRow & StandingRow>(
    `SELECT * FROM (${selectStanding(schema)}) AS stands
    LEFT JOIN (${selectEnds(schema)} WHERE l.name = ANY ($1::text[])) AS ends ON true`,
    [names],
  );
  const seen: Seen[] = [];
  for (const name of names) {
    const row = rows.find((each) => each.name === name);
    const ends = row === undefined ? failed({ code: 'no-such-ledger' }) : endsOf(row);
    if (ends.kind === 'failed') return { ...ends, ledger: name };
    const found: Seen['found'][number][] = [];
    for (const each of sought) {
      const record = await search(session, schema, name, each);
      if (record?.kind === 'failed') return { ...record, ledger: name };
      found.push(record);
    }
    seen.push({ name, ends, found });
  }
  const stands = await standingOf(session, schema, rows[0]!);
  return 'kind' in stands ? stands : { stands, seen };
}

/** Makes the ledgers that come into being with records: their rows, and those of their headers. */
async function bear(
  session: Session,
  { schema, home }: { readonly schema: string; readonly home: string },
  seen: readonly Seen[],
  records: readonly (Prepared | null)[],
): Promise<readonly RecordRow[] | Failed> {
  const births = birthsIn(seen, records);
  if ('kind' in births) return births;
  if (births.length === 0) return [];
  const rows: RecordRow[] = [];
  for (const { name, header } of births) {
    const made = headerLine(header, home);
    if ('kind' in made) return failed({ code: 'not-made', path: name, because: made.fault });
    rows.push(rowOf(name, made.record, made.line));
  }
  const fault = await claim(
    session,
    schema,
    births.map(({ name, header: { id } }) => ({ name, id })),
  );
  if (fault === null) return rows;
  const { fault: because, ledger = '' } = fault;
  return because.code === 'damaged-store' ? fault : failed({ code: 'not-made', path: ledger, because });
}

/** Everything of a transaction but its beginning and its end. */
async function write<T>(
  session: Session,
  schema: string,
  { names, propose, options, patience }: Request<T>,
): Promise<Written<Transacted<T>> | Failed> {
  const busy = await lockHeads(session, schema, names, patience);
  if (busy !== null) return busy;
  const view = await viewOf(session, schema, names, options);
  if ('kind' in view) return view;
  const { stands, seen } = view;
  const { home, now } = stands;
  const homes = names.map(() => home);
  const prepared = prepare(seen, propose, { homes, now, store: references, options });
  if (prepared.kind === 'failed') return prepared;
  const rows = prepared.records.flatMap((each, i) => (each === null ? [] : [rowOf(names[i]!, each.record, each.line)]));
  const born = await bear(session, { schema, home }, seen, prepared.records);
  if ('kind' in born) return born;
  const missing = await keep(session, schema, [...rows, ...born]);
  if (missing !== null) return missing;
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
  const impossible = impossibleIn(names);
  if (impossible !== null) return impossible;
  return inTransaction(connections, options.patience, (session, patience) =>
    write(session, connections.address.schema, { names, propose, options, patience }),
  );
}
