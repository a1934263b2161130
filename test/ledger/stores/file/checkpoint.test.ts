import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  closeSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { fileStore } from '../../../../src/ledger/stores/file/store.ts';
import type { FaultCode } from '../../../../src/ledger/fault.ts';
import { foldOf } from '../../../../src/ledger/history.ts';
import type { Fold } from '../../../../src/ledger/store.ts';
import { spendIn } from '../../../../src/ledger/spend-in.ts';
import { seal, unseal } from '../../../../src/ledger/line.ts';
import { recoverIn, annotateIn } from '../../../../src/ledger/succession.ts';
import { ITEMS, type Items } from '../../../../src/output/ledger/items.ts';
import { Decimal } from '../../../../src/numeric/decimal.ts';
import { HEADER } from './files.ts';

const folder = mkdtempSync(join(tmpdir(), 'dpcompose-checkpoint-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const store = fileStore(folder);
const NAME = 'large.jsonl';
const path = join(folder, NAME);
const stampPath = join(folder, '.large.jsonl.stamp');
const checkpointPath = join(folder, '.large.jsonl.checkpoint');
const OPTIONS = { patience: 5 };

const spend = async (
  label = 'one',
  key: string | null = null,
  epsilon = '0.01',
): Promise<FaultCode | 'accepted' | 'again' | 'no'> => {
  const mechanism = { type: 'dp', epsilon: new Decimal(epsilon), delta: new Decimal(0) } as const;
  const entries = [{ mechanism, count: 1, kind: 'interactive' as const, label }];
  const done = await spendIn(store, [NAME], { entries }, { ...OPTIONS, key });
  if (done.kind === 'failed') return done.fault.code;
  const { decision, again: again } = done.value[0]!;
  if (again !== undefined) return 'again';
  return decision.kind === 'accepted' ? 'accepted' : 'no';
};

const note = (label: string) => annotateIn(store, NAME, { event: 'note', label }, OPTIONS);

/** Makes a ledger of more than a megabyte: a launch, long notes, another launch. */
async function makeLarge(): Promise<void> {
  for (const each of [path, stampPath, checkpointPath]) if (existsSync(each)) rmSync(each, { recursive: true });
  await store.create(NAME, HEADER);
  await spend('first');
  for (let n = 0; n < 5; n++) await note('x'.repeat(250_000));
  await spend('second', 'key-2');
}

/** Changes a byte in the middle of the file in its place, so that its size and its ends stay. */
function editInPlace(): void {
  const at = Math.floor(statSync(path).size / 2);
  const fd = openSync(path, 'r+');
  writeSync(fd, 'y', at);
  closeSync(fd);
}

const summed = async (): Promise<Record<string, string>> => {
  const folded = await foldOf(store, NAME, ITEMS);
  if (folded.kind === 'failed') return { failed: folded.fault.code };
  return Object.fromEntries([...folded.sum.items.values()].map(({ what, added }) => [what, String(added.epsilon)]));
};

beforeEach(makeLarge);

describe('a past that was forged while the end is intact', () => {
  it('is found by the next spend', async () => {
    expect(await spend()).toBe('accepted');
    editInPlace();
    expect(await spend()).toBe('damaged-record');
    expect(await spend()).toBe('damaged-record');
  });

  it('is found where the time of the content was set back', async () => {
    const time = 1_000_000_000;
    utimesSync(path, time, time);
    expect(await spend('too much', null, '2')).toBe('no');
    editInPlace();
    utimesSync(path, time, time);
    expect(statSync(path).mtimeMs).toBe(1000 * time);
    expect(await spend()).toBe('damaged-record');
  });

  it('is found by whatever adds a record, also a note', async () => {
    editInPlace();
    expect(await note('n')).toMatchObject({ kind: 'failed', fault: { code: 'damaged-record' } });
  });

  it('is found whatever became of the file beside it', async () => {
    const before = readFileSync(stampPath);
    editInPlace();
    const states: (() => void)[] = [
      () => undefined,
      () => {
        unlinkSync(stampPath);
      },
      () => {
        writeFileSync(stampPath, before.subarray(0, 20));
      },
      () => {
        writeFileSync(stampPath, '');
      },
      () => {
        writeFileSync(stampPath, Buffer.alloc(1000, 7));
      },
      () => {
        rmSync(stampPath);
        mkdirSync(stampPath);
      },
      () => {
        rmSync(stampPath, { recursive: true });
        symlinkSync(path, stampPath);
      },
    ];
    for (const make of states) {
      make();
      expect(await spend()).toBe('damaged-record');
    }
  });

  it('is found where a record in the middle is sealed anew, or is gone', async () => {
    const lines = readFileSync(path, 'utf8').split('\n');
    const record = unseal(Buffer.from(lines[3]!));
    if (record.kind !== 'record') throw new Error('a line is no record');
    const resealed = seal({ ...record.fields, label: 'z' }).text;
    writeFileSync(path, lines.with(3, resealed).join('\n'));
    expect(await spend()).toBe('broken-chain');
    writeFileSync(path, lines.toSpliced(3, 1).join('\n'));
    expect(await spend()).toBe('missing-records');
    writeFileSync(path, lines.join('\n'));
    expect(await spend()).toBe('accepted');
  });

  it('of a small ledger is found too', async () => {
    unlinkSync(path);
    unlinkSync(stampPath);
    await store.create(NAME, HEADER);
    for (let n = 0; n < 4; n++) await note('x'.repeat(50_000));
    editInPlace();
    expect(await spend()).toBe('damaged-record');
  });
});

describe('a large ledger whose end was cut off', () => {
  const lastLine = (text: string): number => text.lastIndexOf('\n', text.length - 2) + 1;

  it('grants nothing, though it is a sound chain, and says so', async () => {
    const whole = readFileSync(path, 'utf8');
    truncateSync(path, lastLine(whole));
    expect(await spend()).toBe('cut-off');
    expect(await note('y')).toMatchObject({ fault: { code: 'cut-off' } });
    expect(statSync(path).size).toBe(lastLine(whole));
    appendFileSync(path, whole.slice(lastLine(whole)));
    expect(await spend()).toBe('accepted');
  });

  it('grants nothing where little is left of it, or where an older copy was put over it', async () => {
    const whole = readFileSync(path, 'utf8');
    truncateSync(path, whole.indexOf('\n') + 1);
    expect(await spend()).toBe('cut-off');
    writeFileSync(path, whole);
    expect(await spend()).toBe('accepted');
    writeFileSync(path, whole);
    expect(await spend()).toBe('cut-off');
  });

  it('is not one whose torn end was taken away after somebody had read it', async () => {
    const whole = statSync(path).size;
    unlinkSync(stampPath);
    appendFileSync(path, '{"seq":');
    expect(await spend()).toBe('unfinished-record');
    const stop = (): Promise<unknown> =>
      store.recover!(
        NAME,
        () => () => {
          throw new Error('stopped');
        },
        OPTIONS,
      );
    await expect(stop()).rejects.toThrow('stopped');
    expect(statSync(path).size).toBe(whole);
    expect(await spend()).toBe('unfinished-record');
    expect(await recoverIn(store, NAME, null, OPTIONS)).toMatchObject({ kind: 'transacted' });
    expect(await spend()).toBe('accepted');
  });

  it('goes on where somebody has removed what stands beside it', async () => {
    truncateSync(path, lastLine(readFileSync(path, 'utf8')));
    unlinkSync(stampPath);
    expect(await spend()).toBe('accepted');
  });
});

describe('a sound ledger', () => {
  it('is spent from whatever became of the files beside it', async () => {
    const stamp = readFileSync(stampPath);
    expect(await spend()).toBe('accepted');
    writeFileSync(stampPath, stamp);
    expect(await spend()).toBe('accepted');
    unlinkSync(stampPath);
    expect(await spend()).toBe('accepted');
    expect(existsSync(stampPath)).toBe(true);
    utimesSync(path, new Date(0), new Date(0));
    expect(await spend()).toBe('accepted');
    utimesSync(path, new Date(4e12), new Date(4e12));
    expect(await spend()).toBe('accepted');
    rmSync(stampPath);
    mkdirSync(stampPath);
    expect(await spend()).toBe('accepted');
  });

  it('is charged once under a key, wherever the record of the key is', async () => {
    expect(await spend('second', 'key-2')).toBe('again');
    expect(await spend('third', 'key-3')).toBe('accepted');
    expect(await spend('third', 'key-3')).toBe('again');
    await note('more');
    expect(await spend('second', 'key-2')).toBe('again');
    const both = await Promise.all([spend('fourth', 'key-4'), spend('fourth', 'key-4')]);
    expect(both.sort()).toEqual(['accepted', 'again']);
  });
});

describe('a sum of records that is kept beside a large ledger', () => {
  const SUM = { first: '0.01', second: '0.01' };

  it('is gone on from: what was summed up is not read again', async () => {
    expect(await summed()).toEqual(SUM);
    expect(existsSync(checkpointPath)).toBe(true);
    await spend('third');
    const read: string[] = [];
    const counting: Fold<Items> = {
      ...ITEMS,
      add: (sum, recorded) => {
        read.push(recorded.event);
        return ITEMS.add(sum, recorded);
      },
    };
    const folded = await foldOf(store, NAME, counting);
    expect(folded.kind).toBe('folded');
    expect(read).toEqual(['spend']);
    expect(await summed()).toEqual({ ...SUM, third: '0.01' });
  });

  it('is not believed where it is of another file, torn, changed, or does not add up', async () => {
    expect(await summed()).toEqual(SUM);
    const kept = readFileSync(checkpointPath, 'utf8');
    const record = unseal(Buffer.from(kept));
    if (record.kind !== 'record') throw new Error('it is sealed');
    const { sum } = record.fields as { sum: { items: object[] } };
    const [one, two] = sum.items;
    const withSum = (items: unknown) => seal({ ...record.fields, sum: { ...sum, items } }).text;
    for (const content of [
      kept.slice(0, 100),
      kept.replace('first', 'other'),
      seal({ ...record.fields, hash: 'f'.repeat(64) }).text,
      seal({ ...record.fields, end: 7 }).text,
      seal({ ...record.fields, end: 1e12 }).text,
      seal({ ...record.fields, fold: 'others/1' }).text,
      withSum([{ ...one, added: { epsilon: '0.001' } }, two]),
      withSum([{ ...one, added: { epsilon: 'much' } }, two]),
      withSum([{ ...one, mechanisms: 5 }, two]),
      withSum([one]),
      withSum('none'),
      '',
    ]) {
      writeFileSync(checkpointPath, content);
      expect(await summed(), content.slice(0, 300)).toEqual(SUM);
    }
  });

  it('is not gone on from where the file was changed since', async () => {
    expect(await summed()).toEqual(SUM);
    editInPlace();
    expect(await summed()).toEqual({ failed: 'damaged-record' });
  });

  it('has nothing of what stands at the end without being whole', async () => {
    expect(await summed()).toEqual(SUM);
    appendFileSync(path, '{"seq":8,"nonce":');
    expect(await summed()).toEqual(SUM);
    const folded = await foldOf(store, NAME, ITEMS);
    expect(folded).toMatchObject({ present: { rest: { kind: 'torn', bytes: 17 }, records: 7 } });
  });

  it('is left out where nothing can be put beside the ledger', async () => {
    for (const each of [stampPath, checkpointPath]) {
      rmSync(each, { force: true });
      mkdirSync(join(`${each}.new`, 'in the way'), { recursive: true });
    }
    try {
      expect(await spend('third')).toBe('accepted');
      expect(await summed()).toEqual({ ...SUM, third: '0.01' });
      expect([stampPath, checkpointPath].filter(existsSync)).toEqual([]);
    } finally {
      for (const each of [stampPath, checkpointPath]) rmSync(`${each}.new`, { recursive: true });
    }
  });
});
