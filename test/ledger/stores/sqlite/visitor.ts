// Looks at a database and tries to write to it, as a user of the system, and says what came of it.
import type { Failed } from '../../../../src/ledger/fault.ts';
import type { Header } from '../../../../src/ledger/record.ts';
import { openSqlite, type SqliteOptions } from '../../../../src/ledger/stores/sqlite/store.ts';
import { Decimal } from '../../../../src/numeric/decimal.ts';

const { path, options, uid } = JSON.parse(process.argv[2]!) as {
  readonly path: string;
  readonly options: SqliteOptions;
  readonly uid: number | null;
};

const header: Header = {
  ...{ version: '0.1.0', at: null, id: 'visitor', origin: null },
  terms: {
    ...{ mode: 'filter', rule: { id: 'pure' }, budget: { epsilon: new Decimal(1) }, onExcess: 'refuse' },
    ...{ concurrency: 'concurrent', maxMechanisms: null, distance: new Decimal(1), neighbours: null },
  },
};

const codeOf = (answer: object | null): string | null =>
  answer !== null && 'fault' in answer ? (answer as Failed).fault.code : null;

async function visit(): Promise<object> {
  const store = await openSqlite(path, options);
  if ('fault' in store) return { open: codeOf(store) };
  const records = await store.records('a');
  if ('fault' in records) return { records: codeOf(records) };
  const lines: string[] = [];
  for await (const batch of records) lines.push(...batch.map(({ bytes }) => bytes.toString('utf8')));
  const add = await store.transact(
    ['a'],
    () => ({ kind: 'proposal', additions: [{ event: 'note', totals: { launched: 0 } }], value: null }),
    { patience: 60 },
  );
  const create = await store.create('visited', header);
  return { lines, add: codeOf(add), create: codeOf(create), obstacle: codeOf(await store.obstacle('visited')) };
}

// Packages may be where only root can look.
await import('better-sqlite3').then(({ default: Database }) => new Database(':memory:').close());
if (uid !== null) process.setuid?.(uid);
process.stdout.write(`${JSON.stringify(await visit())}\n`);
