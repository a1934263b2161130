import { newLedgersOf, type NewLedger, prepare, type Prepared, sealHeader } from '../../prepare.ts';
import {
  impossibleIn,
  nameFault,
  ledgersOf,
  linesOf,
  readAllEnds,
  readEnds,
  recordAt,
  search,
  cutFault,
  notKept,
  type Change,
  type Database,
  type RecordRow,
  type Transaction,
  type View,
} from './database.ts';
import type { Propose, Restored, LedgerView, Store, Transacted, TransactOptions } from '../../store.ts';
import { headerOf, restorable, type LastLine } from '../../chain.ts';
import { failed, Interrupted, type Failed } from '../../fault.ts';
import { numberOf, type Sealed } from '../../line.ts';
import { readHeader, type Header } from '../../record.ts';

/** In a database a ledger goes by the same name wherever it is named. */
const references: Pick<Store, 'reference' | 'resolve'> = {
  reference: (_, to) => to,
  resolve: (_, reference) => reference,
};

/** Why no ledger is made in a database: one of its name may be among what is missing, and nobody has said that it goes on. */
const makingFault = ({ cut }: View): Failed | null => (cut?.isNew === true ? cutFault(cut) : null);

/** Why no ledger of this name can be made, which nobody else makes meanwhile; null where one can. */
async function nameTakenFault(view: View, name: string): Promise<Failed | null> {
  const there = await readEnds(view, name);
  if (there.kind === 'ends') return failed({ code: 'ledger-exists' }, name);
  return there.fault.code === 'no-such-ledger' ? null : there;
}

/** Gives its name to a new ledger, unless it is another one's; waits for who does the same. */
async function claim(transaction: Transaction, name: string, id: string): Promise<Failed | null> {
  const wrong = nameFault(name);
  if (wrong !== null) return wrong;
  const rows = await transaction.ask(transaction.dialect.claim, [name, id.replaceAll('\0', '')]);
  return rows.length > 0 ? null : ((await nameTakenFault(transaction, name)) ?? notKept(name));
}

/**
 * Looks, before a transaction is ended, whether each ledger ends in what was added to it: a trigger or a rule of somebody can let
 * rows fall without a word. Null where all do.
 */
async function confirm(transaction: Transaction, added: readonly RecordRow[]): Promise<Failed | null> {
  const names = added.map(({ ledger }) => ledger);
  const all = await readAllEnds({ ...transaction, cut: null }, names);
  const missing = added.find(({ seq, record }, i) => {
    const ends = all[i]!;
    return ends.kind === 'failed' || numberOf(ends.last) !== seq || ends.last.hash !== record.hash;
  });
  return missing === undefined ? null : notKept(missing.ledger);
}

/** Adds records to ledgers, the last of each of these once, and looks whether they are there; null where they are. */
const keep = async (transaction: Transaction, rows: readonly RecordRow[]): Promise<Failed | null> =>
  (await transaction.insert(rows)) ?? (await confirm(transaction, rows));

const rowOf = (ledger: string, { record, line }: Prepared): RecordRow => ({
  ...{ ledger, record, line },
  seq: numberOf(record),
});

async function createDraft(
  transaction: Transaction,
  { name, header }: NewLedger,
  nonce?: () => string,
): Promise<RecordRow | Failed> {
  const first = sealHeader(header, { placeId: transaction.placeId, nonce });
  if ('kind' in first) return first;
  return (await claim(transaction, name, header.id)) ?? rowOf(name, first);
}

async function create(transaction: Transaction, ledger: NewLedger): Promise<Change<Sealed> | Failed> {
  const row = makingFault(transaction) ?? (await createDraft(transaction, ledger));
  if ('kind' in row) return row;
  return (await keep(transaction, [row])) ?? { kind: 'change', value: row.record, witness: row };
}

function newLedgersWith({ name, ends }: LedgerView, record: Sealed): readonly NewLedger[] | Failed {
  if (record.fields.event !== 'nest' && record.fields.event !== 'convert') return [];
  const header = readHeader(ends.header);
  return 'kind' in header ? header : newLedgersOf({ name, header }, record, references);
}

async function createDrafts(
  transaction: Transaction,
  views: readonly LedgerView[],
  records: readonly (Prepared | null)[],
  nonce?: () => string,
): Promise<readonly RecordRow[] | Failed> {
  const ledgers: NewLedger[] = [];
  for (const [i, view] of views.entries()) {
    const prepared = records[i] ?? null;
    const drafts = prepared === null ? [] : newLedgersWith(view, prepared.record);
    if ('kind' in drafts) return { ledger: view.name, ...drafts };
    ledgers.push(...drafts);
  }
  const rows: RecordRow[] = [];
  // In order, so that two who make the same ones do not wait for each other.
  for (const ledger of ledgers.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const isTwice = rows.at(-1)?.ledger === ledger.name;
    const row = isTwice ? failed({ code: 'ledger-exists' }) : await createDraft(transaction, ledger, nonce);
    if ('kind' in row) {
      const { fault } = row;
      const isItsOwn = fault.code === 'ledger-exists' || fault.code === 'bad-name' || fault.code === 'too-long';
      return isItsOwn
        ? failed({ code: 'not-made', path: ledger.name, because: fault })
        : { ...row, ledger: ledger.name };
    }
    rows.push(row);
  }
  return rows;
}

async function see(
  view: View,
  names: readonly string[],
  { lookups = [], adopt = false }: TransactOptions,
): Promise<readonly LedgerView[] | Failed> {
  const views: LedgerView[] = [];
  const all = await readAllEnds(adopt ? { ...view, cut: null } : view, names);
  for (const [i, name] of names.entries()) {
    const ends = all[i]!;
    if (ends.kind === 'failed') return ends;
    const matches: LedgerView['found'][number][] = [];
    for (const lookup of lookups) {
      const record = await search(view, name, lookup);
      if (record?.kind === 'failed') return { ...record, ledger: name };
      matches.push(record);
    }
    views.push({ name, ends, found: matches });
  }
  return views;
}

async function write<T>(
  transaction: Transaction,
  names: readonly string[],
  propose: Propose<T>,
  options: TransactOptions,
): Promise<Change<Transacted<T>> | Failed> {
  const views = await see(transaction, names, options);
  if ('kind' in views) return views;
  const { placeId, now } = transaction;
  const prepared = prepare(views, propose, { placeIds: names.map(() => placeId), now, store: references, options });
  if (prepared.kind === 'failed') return prepared;
  const { records, value } = prepared;
  const rows = records.flatMap((part, i) => (part === null ? [] : [rowOf(names[i]!, part)]));
  const drafts = await createDrafts(transaction, views, records, options.nonce);
  if ('kind' in drafts) return drafts;
  const missing = rows.length === 0 ? null : await keep(transaction, [...rows, ...drafts]);
  if (missing !== null) return missing;
  const added = records.map((part) => part?.record ?? null);
  return {
    kind: 'change',
    value: { kind: 'transacted', value, records: added, settled: 'none' },
    witness: rows[0] ?? null,
  };
}

/** Inserts lines in their order, and looks whether the last is there. */
async function restore(
  transaction: Transaction,
  name: string,
  lines: AsyncIterable<readonly Buffer[]>,
): Promise<Change<Restored> | Failed> {
  const fault = makingFault(transaction);
  if (fault !== null) return fault;
  let seq = 0;
  let [first, last]: [RecordRow | null, RecordRow | null] = [null, null];
  const checked: LastLine = {};
  try {
    for await (const batch of restorable(lines, transaction.placeId, checked)) {
      const rows: RecordRow[] = [];
      for (const line of batch) {
        const record = seq === 0 ? headerOf(line, true) : recordAt(line.toString(), seq);
        if (record.kind === 'failed') return record;
        last = { ledger: name, seq, record, line };
        first ??= last;
        rows.push(last);
        seq++;
      }
      const wrong = rows[0]?.seq === 0 ? await claim(transaction, name, String(rows[0].record.fields.id)) : null;
      const missing = wrong ?? (await transaction.insert(rows));
      if (missing !== null) return missing;
    }
  } catch (error) {
    if (error instanceof Interrupted) return error.failed;
    throw error;
  }
  if (last === null || checked.record === undefined) return failed({ code: 'empty-ledger', line: 1, record: 0 });
  const value = { kind: 'restored', last: checked.record } as const;
  return (await confirm(transaction, [last])) ?? { kind: 'change', value, witness: first };
}

/** The store whose ledgers are in a database. */
export function sqlStore(database: Database): Store {
  return {
    address: database.address,
    ...references,
    placeId: () => database.placeId(),
    transact: async (names, propose, options) => {
      const twice = names.find((name, i) => names.indexOf(name) < i);
      if (twice !== undefined) return failed({ code: 'same-ledger', other: twice }, twice);
      const how = { names, seconds: options.patience };
      return (
        impossibleIn(names) ??
        (await database.change(how, (transaction) => write(transaction, names, propose, options)))
      );
    },
    create: (name: string, header: Header) =>
      database.change({ names: [] }, (transaction) => create(transaction, { name, header })),
    // The lines come only once.
    restore: (name, lines) =>
      database.change({ names: [], isOnce: true }, (transaction) => restore(transaction, name, lines)),
    obstacle: async (name) =>
      nameFault(name) ??
      (await database.read(async (view) => makingFault(view) ?? (await nameTakenFault(view, name)))) ??
      database.obstacle(),
    ends: async (name) => impossibleIn([name]) ?? (await database.read((view) => readEnds(view, name))),
    records: async (name) => impossibleIn([name]) ?? (await linesOf(database, name)),
    list: () => ledgersOf(database),
    close: () => database.close(),
  };
}
