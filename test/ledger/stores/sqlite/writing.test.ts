import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Failed } from '../../../../src/ledger/fault.ts';
import type { Fields } from '../../../../src/ledger/line.ts';
import { openSqlite, type SqliteOptions } from '../../../../src/ledger/stores/sqlite/store.ts';
import { recordFields } from '../../../../src/ledger/record.ts';
import { add, headerOf, linesOf, recordsOf, sound, TERMS } from '../../store-contract.ts';
import { copyOf, newPath, opened } from './databases.ts';
import { committing, diskOf, driverWith, sqliteError } from './drivers.ts';
import { run } from './programs.ts';

const spend = (launched: number, more: Fields = {}): Fields => ({ event: 'spend', ...more, totals: { launched } });

const TOTALS = { launched: 1, spent: { epsilon: '1' }, halted: null };

const codeOf = (answer: object): unknown => ('fault' in answer ? (answer as Failed).fault.code : 'no fault');

/** The path of a store that has the ledgers `a` and `b`. */
async function newStore(): Promise<string> {
  const path = newPath();
  const store = await opened(path, { make: true });
  for (const name of ['a', 'b']) sound(await store.create(name, headerOf(name)));
  return path;
}

/** Does something while the database has this lock. */
async function whileLocked<T>(
  path: string,
  sql: readonly string[],
  use: (unlock: () => void) => Promise<T>,
): Promise<T> {
  const other = new Database(path);
  for (const each of sql) other.exec(each);
  try {
    return await use(() => other.exec('ROLLBACK'));
  } finally {
    other.close();
  }
}

const READING = ['BEGIN', 'SELECT name FROM ledgers'];

describe('who writes to a database that others are at', () => {
  it('is told that it is busy after the time that was to be waited', async () => {
    const path = await newStore();
    const store = await opened(path, { patience: 0.02 });
    const before = await linesOf(store, 'a');
    await whileLocked(path, ['BEGIN IMMEDIATE'], async () => {
      const answer = await add(store, { a: spend(1) }, { patience: 0.02 });
      expect(answer).toMatchObject({ kind: 'failed', fault: { code: 'busy', seconds: 0.02 } });
      expect(codeOf(await store.create('c', headerOf('c')))).toBe('busy');
      expect(await linesOf(store, 'a')).toEqual(before);
    });
    await whileLocked(path, ['BEGIN EXCLUSIVE'], async () => {
      expect(codeOf(await store.ends('a'))).toBe('busy');
      expect(codeOf(await add(store, { a: spend(1) }, { patience: 0 }))).toBe('busy');
    });
    sound(await add(store, { a: spend(1) }));
  });

  it('waits for them, and leaves the process free meanwhile', async () => {
    const path = await newStore();
    const store = await opened(path);
    for (const lock of [['BEGIN EXCLUSIVE'], ['BEGIN IMMEDIATE'], READING]) {
      await whileLocked(path, lock, async (unlock) => {
        const order: string[] = [];
        const added = add(store, { a: spend(1) }, { patience: 600 }).then((answer) => {
          order.push('added');
          return answer;
        });
        await sleep(30);
        order.push('unlocked');
        unlock();
        sound(await added);
        expect(order).toEqual(['unlocked', 'added']);
      });
    }
    expect(await recordsOf(store, 'a')).toHaveLength(4);
  });

  it('takes back what it has begun where somebody reads for longer', async () => {
    const path = await newStore();
    const store = await opened(path);
    await whileLocked(path, READING, async () => {
      expect(codeOf(await add(store, { a: spend(1), b: spend(1) }, { patience: 0.02 }))).toBe('busy');
    });
    expect(await recordsOf(store, 'a')).toHaveLength(1);
    sound(await add(store, { b: spend(1), a: spend(1) }));
  });
});

describe('a transaction in SQLite', () => {
  it('is durable by itself, in the one file that the database is', async () => {
    const path = await newStore();
    const other = new Database(path);
    other.pragma('journal_mode = WAL');
    other.close();
    const settings: unknown[] = [];
    const load = driverWith((connection) => {
      const exec = connection.exec.bind(connection);
      connection.exec = (sql) => {
        const of = (name: string): unknown => connection.pragma(name, { simple: true });
        if (sql === 'COMMIT') settings.push({ synchronous: of('synchronous'), journal: of('journal_mode') });
        return exec(sql);
      };
    });
    const store = await opened(path, { load });
    sound(await add(store, { a: spend(1) }));
    sound(await store.create('c', headerOf('c')));
    const EXTRA = 3;
    expect(settings).toEqual([
      { synchronous: EXTRA, journal: 'delete' },
      { synchronous: EXTRA, journal: 'delete' },
    ]);
    expect(readdirSync(dirname(path))).toEqual(['.ledgers.db.stamp', 'ledgers.db']);
  });

  it('that adds nothing writes nothing', async () => {
    const path = await newStore();
    const before = readFileSync(path);
    const load = committing(() => {
      throw new Error('Nothing is to be committed.');
    });
    sound(await add(await opened(path, { load }), { a: null, b: null }));
    expect(readFileSync(path)).toEqual(before);
  });
});

describe('a disk that is full', () => {
  it('takes all of a transaction or nothing, and keeps what was acknowledged', async () => {
    const whole = await newStore();
    const pages = readFileSync(whole).length / 4096;
    const codes = new Set<unknown>();
    for (let more = 0; more < 6; more++) {
      const path = copyOf(whole);
      const limit = { pages: pages + more };
      const store = await opened(path, { load: diskOf(() => limit.pages) });
      const acknowledged: string[] = [];
      for (let n = 1; n <= 12; n++) {
        const fields = spend(n, { label: 'x'.repeat(800 * n) });
        const answer = await add(store, { a: fields, b: n % 2 === 0 ? fields : null }, { adopt: true });
        codes.add(codeOf(answer));
        if (answer.kind === 'transacted') acknowledged.push(answer.records[0]!.hash);
      }
      const [a, b] = [await recordsOf(store, 'a'), await recordsOf(store, 'b')];
      expect(a.slice(1).map(({ hash }) => hash)).toEqual(acknowledged);
      expect(b.length - 1).toBe(a.filter(({ fields }) => fields.together !== undefined).length);
      limit.pages = 1000;
      sound(await add(store, { a: spend(1), b: spend(1) }, { adopt: true }));
    }
    expect(codes).toEqual(new Set(['no fault', 'no-space']));
  });

  it('is said to be full where a store or a ledger is to be made', async () => {
    const path = newPath();
    const limit = { pages: 3 };
    const options = { make: true, load: diskOf(() => limit.pages) };
    expect(codeOf(await openSqlite(path, options))).toBe('no-space');
    expect(codeOf(await openSqlite(path))).toBe('no-store');
    limit.pages = 1000;
    const store = await opened(path, options);
    limit.pages = readFileSync(path).length / 4096;
    const large = { ...headerOf('x'.repeat(9000)) };
    expect(codeOf(await store.create('a', large))).toBe('no-space');
    expect(codeOf(await store.ends('a'))).toBe('no-such-ledger');
    limit.pages = 1000;
    sound(await store.create('a', large));
  });
});

describe('a commit that fails', () => {
  const failing = sqliteError('SQLITE_IOERR_FSYNC');

  /** What becomes of a transaction whose commits, one after the other, go like this. */
  async function after(...ways: readonly ('goes well' | 'fails' | 'fails after it was done')[]) {
    const path = await newStore();
    const left = [...ways];
    const commit = (really: () => unknown): unknown => {
      const way = left.shift() ?? 'goes well';
      if (way === 'fails') throw failing;
      really();
      if (way === 'goes well') return;
      throw failing;
    };
    const answer = await add(await opened(path, { load: committing(commit) }), { a: spend(1), b: spend(1) });
    const store = await opened(path);
    const there = [await recordsOf(store, 'a'), await recordsOf(store, 'b')].map(({ length }) => length - 1);
    expect(there[0]).toBe(there[1]);
    return [codeOf(answer), there[0]];
  }

  it('counts where it was done all the same, and nowhere else', async () => {
    expect(await after('goes well')).toEqual(['no fault', 1]);
    expect(await after('fails')).toEqual(['write-failed', 0]);
    expect(await after('fails after it was done')).toEqual(['no fault', 1]);
  });

  it('is not acknowledged where it was done and cannot be made durable', async () => {
    expect(await after('fails after it was done', 'fails')).toEqual(['outcome-unknown', 1]);
    expect(await after('fails after it was done', 'fails after it was done')).toEqual(['outcome-unknown', 1]);
  });

  it('is made durable by another one, which writes too', async () => {
    const path = await newStore();
    const journals: boolean[] = [];
    const commit = (really: () => unknown): void => {
      journals.push(existsSync(`${path}-journal`));
      really();
      if (journals.length === 1) throw failing;
    };
    sound(await add(await opened(path, { load: committing(commit) }), { a: spend(1) }));
    expect(journals).toEqual([true, true]);
  });

  it('makes a ledger or none', async () => {
    for (const isDone of [false, true]) {
      const path = await newStore();
      let isFirst = true;
      const commit = (really: () => unknown): void => {
        if (!isFirst || isDone) really();
        if (isFirst) {
          isFirst = false;
          throw failing;
        }
      };
      const store = await opened(path, { load: committing(commit) });
      const made = await store.create('c', headerOf('c'));
      expect(codeOf(made)).toBe(isDone ? 'no fault' : 'write-failed');
      expect(codeOf(await store.ends('c'))).toBe(isDone ? 'no fault' : 'no-such-ledger');
    }
  });
});

describe('a database that another one is put in the place of', () => {
  it('does not take a record for kept that is only in the one that is gone', async () => {
    const path = await newStore();
    const store = await opened(path);
    const copy = copyOf(path);
    const answer = await store.transact(
      ['a'],
      () => {
        renameSync(copy, path);
        return { kind: 'proposal', additions: [spend(1)], value: null };
      },
      { patience: 60 },
    );
    expect(codeOf(answer)).toBe('replaced');
    expect(await recordsOf(store, 'a')).toHaveLength(1);
    expect(codeOf(await add(store, { a: spend(1) }))).toBe('moved');
  });

  it('does so where the other comes as late as can be', async () => {
    const path = await newStore();
    const copy = copyOf(path);
    const commit = (really: () => unknown): void => {
      really();
      renameSync(copy, path);
    };
    const store = await opened(path, { load: committing(commit) });
    expect(codeOf(await add(store, { a: spend(1) }))).toBe('replaced');
    expect(await recordsOf(await opened(path), 'a')).toHaveLength(1);
  });

  it('is another place under another name or in another folder, where no journal of it is found', async () => {
    const path = await newStore();
    sound(await add(await opened(path), { a: spend(1) }));
    const home = await (await opened(path)).placeId('a');
    for (const other of [`${path}-renamed`, newPath()]) {
      renameSync(path, other);
      const store = await opened(other);
      expect(await store.placeId('a')).not.toBe(home);
      expect(await add(store, { a: spend(2) })).toMatchObject({ fault: { code: 'moved' }, ledger: 'a' });
      renameSync(other, path);
    }
    const link = `${newPath()}-link`;
    symlinkSync(path, link);
    expect(await (await opened(link)).placeId('a')).toBe(home);
    sound(await add(await opened(link), { a: spend(2) }));
    renameSync(path, `${path}-renamed`);
    const renamed = await opened(`${path}-renamed`);
    sound(await add(renamed, { a: spend(3) }, { adopt: true }));
    sound(await add(renamed, { a: spend(4) }));
    renameSync(dirname(path), `${dirname(path)}-renamed`);
    sound(await add(await opened(`${dirname(path)}-renamed/ledgers.db-renamed`), { a: spend(5) }));
  });

  it('does not lose a spend to the journal that a killed writer has left under its first name', async () => {
    const path = await newStore();
    const writer = new Database(path);
    writer.pragma('cache_size = 1');
    writer.exec('BEGIN IMMEDIATE');
    for (let n = 0; n < 50; n++) writer.exec(`INSERT INTO ledgers VALUES ('${n}', 0, '${'x'.repeat(500)}')`);
    const journal = readFileSync(`${path}-journal`);
    writer.exec('ROLLBACK');
    writer.close();
    const other = `${path}-other`;
    renameSync(path, other);
    writeFileSync(`${path}-journal`, journal);
    expect(await add(await opened(other), { a: spend(1) })).toMatchObject({ fault: { code: 'moved' } });
  });

  it('is gone where it was removed', async () => {
    const path = await newStore();
    const store = await opened(path);
    rmSync(path);
    expect(codeOf(await add(store, { a: spend(1) }))).toBe('cut-off');
    expect(codeOf((await store.placeId('a')) as unknown as object)).toBe('cut-off');
    expect(codeOf(await store.create('a', headerOf('a')))).toBe('cut-off');
  });
});

describe('a name that no ledger can have', () => {
  it.each(['', 'a\nb', '\u001b[2J', 'a\0', '\ud800', 'x'.repeat(1025)])('is refused: %j', async (name) => {
    const store = await opened(await newStore());
    expect(await store.create(name, headerOf('x'))).toMatchObject({ fault: { code: 'bad-name' }, ledger: name });
    expect(await store.obstacle(name)).toMatchObject({ fault: { code: 'bad-name' } });
    for (const answer of [await store.ends(name), await store.records(name), await add(store, { [name]: spend(1) })])
      expect(answer).toMatchObject({ fault: { code: 'no-such-ledger' }, ledger: name });
    const nested = { ids: ['id'], names: [name], terms: TERMS };
    const fields = { event: 'nest', nested, label: null, at: null, actor: null, key: null, totals: TOTALS } as const;
    expect(await add(store, { a: recordFields(fields) })).toMatchObject({ fault: { code: 'not-made' } });
    expect(await linesOf(store, 'a')).toHaveLength(1);
  });
});

describe('a database that may not be written', () => {
  // Root may write everywhere.
  const asRoot = process.getuid?.() === 0;
  const uid = asRoot ? 65534 : null;

  /** What somebody is told who may do only what all may. */
  async function toldOther(path: string, options: SqliteOptions = {}): Promise<unknown> {
    const told: unknown[] = [];
    await run('visitor.ts', { path, options, uid }, (line) => told.push(line));
    return told[0];
  }

  it('can be read, and says why it takes nothing', async () => {
    const path = await newStore();
    const folder = dirname(path);
    const lines = await linesOf(await opened(path), 'a');
    for (const [file, within] of [
      [0o444, 0o555],
      [0o666, 0o555],
      [0o444, 0o777],
    ] as const) {
      chmodSync(path, file);
      chmodSync(folder, within);
      const denied = 'not-permitted';
      expect(await toldOther(path)).toEqual({ lines, add: denied, create: denied, obstacle: denied });
    }
    chmodSync(path, 0o666);
    chmodSync(folder, 0o777);
    expect(await toldOther(path)).toEqual({ lines, add: null, create: null, obstacle: 'ledger-exists' });
  });

  it('cannot be made there either', async () => {
    const path = newPath();
    chmodSync(dirname(path), 0o555);
    expect(await toldOther(path, { make: true })).toEqual({ open: 'not-permitted' });
    chmodSync(dirname(path), 0o755);
  });

  it('is read although a writer was stopped, once somebody may take back what that had begun', async () => {
    const path = await newStore();
    const lines = await linesOf(await opened(path), 'a');
    // As a writer leaves it that is stopped when its changes are in the file and its journal is not yet removed.
    const stopped = newPath();
    const writer = new Database(path);
    writer.pragma('cache_size = 1');
    writer.exec('BEGIN IMMEDIATE');
    for (let n = 0; n < 50; n++) writer.exec(`INSERT INTO ledgers VALUES ('${n}', 0, '${'x'.repeat(500)}')`);
    cpSync(path, stopped);
    cpSync(`${path}-journal`, `${stopped}-journal`);
    writer.exec('ROLLBACK');
    writer.close();
    expect(readFileSync(stopped).length).toBeGreaterThan(readFileSync(path).length);
    chmodSync(dirname(stopped), 0o555);
    expect(await toldOther(stopped)).toEqual({ open: 'unreadable' });
    chmodSync(dirname(stopped), 0o755);
    expect(await linesOf(await opened(stopped), 'a')).toEqual(lines);
  });
});
