import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DISK, type Disk } from '../../src/ledger/stores/file/create.ts';
import { fileStore } from '../../src/ledger/stores/file/store.ts';
import { copyIn, moveIn, type MoveStep } from '../../src/ledger/move.ts';
import type { Failed } from '../../src/ledger/fault.ts';
import { spendIn } from '../../src/ledger/spend-in.ts';
import { annotateIn, convertIn } from '../../src/ledger/succession.ts';
import { toOdometer } from '../../src/ledger/conversions.ts';
import { seal } from '../../src/ledger/line.ts';
import { restorable } from '../../src/ledger/chain.ts';
import type { Header } from '../../src/ledger/record.ts';
import type { Store } from '../../src/ledger/store.ts';
import { verify } from '../../src/ledger/verify.ts';
import { Decimal } from '../../src/numeric/decimal.ts';

// A process that is killed leaves what was durable by then: the same as one that stops between two steps, or at a write.

const HEADER: Header = {
  version: '0.1.0',
  at: null,
  id: 'a',
  terms: {
    mode: 'filter',
    rule: { id: 'pure' },
    budget: { epsilon: new Decimal(1) },
    onExcess: 'refuse',
    concurrency: 'concurrent',
    maxMechanisms: null,
    distance: new Decimal(1),
    neighbours: null,
  },
  origin: null,
};

class Killed extends Error {}

let folder = '';
let source: Store;
let target: Store;

/** Whether a tenth of the budget is granted. */
async function grants(store: Store): Promise<boolean> {
  const mechanism = { type: 'dp', epsilon: new Decimal('0.1'), delta: new Decimal(0) } as const;
  const entries = [{ mechanism, kind: 'noninteractive', count: 1, label: null }] as const;
  const launched = await spendIn(store, ['a'], { entries }, { patience: 60 });
  return launched.kind === 'transacted' && launched.value[0]?.decision.kind === 'accepted';
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dpcompose-move-'));
  for (const name of ['from', 'to']) mkdirSync(join(folder, name));
  source = fileStore(join(folder, 'from'), { suffix: '.jsonl' });
  target = fileStore(join(folder, 'to'), { suffix: '.jsonl' });
  expect(await source.create('a', HEADER)).not.toHaveProperty('fault');
  expect(await grants(source)).toBe(true);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const move = (onStep?: (step: MoveStep) => void, to = target) =>
  moveIn({ store: source, name: 'a' }, { store: to, name: 'a' }, { patience: 60, ...(onStep && { onStep }) });

const linesIn = (place: string): string[] =>
  readFileSync(join(folder, place, 'a.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');

const codeOf = (answer: object): unknown => ('fault' in answer ? (answer as Failed).fault.code : 'no fault');

describe('a ledger that has seen a later time than the clock', () => {
  it('is moved as a whole by who says that the clock is right, and else stays', async () => {
    const [from, to] = [
      { store: source, name: 'a' },
      { store: target, name: 'a' },
    ];
    const options = { patience: 60, acceptClock: true };
    await annotateIn(source, 'a', { event: 'note', label: 'ahead' }, { ...options, at: '2999-01-01' });
    expect(await moveIn(from, to, { patience: 60 })).toMatchObject({ fault: { code: 'clock-behind' } });
    expect(await target.ends('a')).toMatchObject({ kind: 'failed' });
    expect(await moveIn(from, to, { ...options, at: '2999-01-02' })).toMatchObject({ kind: 'moved' });
    expect(await verify(target, 'a')).toMatchObject({ kind: 'verified', flaws: [] });
  });
});

describe('a move that is stopped', () => {
  it.each<[MoveStep, boolean]>([
    ['ended', false],
    ['copied', false],
    ['adopted', true],
  ])('after "%s" lets nobody spend from both, and is completed by the next', async (last, goesOn) => {
    const stopped = move((step) => {
      if (step === last) throw new Killed();
    });
    await expect(stopped).rejects.toThrow(Killed);
    expect([await grants(source), await grants(target)]).toEqual([false, goesOn]);

    expect((await move()).kind).toBe('moved');
    expect([await grants(source), await grants(target)]).toEqual([false, true]);
    const [left, arrived] = [linesIn('from'), linesIn('to')];
    expect(arrived.slice(0, left.length - 1)).toEqual(left.slice(0, -1));
    expect(JSON.parse(left.at(-1)!)).toMatchObject({ event: 'move', arrived: true });
    for (const store of [source, target]) expect(await verify(store, 'a')).toMatchObject({ flaws: [] });
    expect(await verify(target, 'a')).toMatchObject({ kind: 'verified', flaws: [], rest: { kind: 'none' } });
  });

  it('at any write in the new place lets nobody spend from both, and is completed by the next', async () => {
    let [steps, allowed] = [0, 0];
    const tick = (): void => {
      steps++;
      if (steps > allowed) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    };
    const disk: Disk = {
      ...DISK,
      write: (fd, bytes) => {
        tick();
        return DISK.write(fd, bytes);
      },
      sync: (fd) => {
        tick();
        DISK.sync(fd);
      },
    };
    const failing = fileStore(join(folder, 'to'), { suffix: '.jsonl', disk });
    const codes: unknown[] = [];
    for (let code: unknown; code !== 'no fault'; allowed++) {
      steps = 0;
      code = codeOf(await move(undefined, failing));
      codes.push(code);
      expect(await grants(source)).toBe(false);
      if (allowed < 4) expect(await grants(target)).toBe(false);
    }
    expect(codes.length).toBeGreaterThan(4);
    expect(await grants(target)).toBe(true);
    expect(await verify(target, 'a')).toMatchObject({ kind: 'verified', flaws: [] });
  });

  it('is completed once where several complete it at the same time', async () => {
    const stopped = move(() => {
      throw new Killed();
    });
    await expect(stopped).rejects.toThrow(Killed);
    const all = await Promise.all([move(), move(), move()]);
    expect(all.map(({ kind }) => kind)).toEqual(['moved', 'moved', 'moved']);
    expect(linesIn('to').filter((line) => line.includes('"event":"adopt"'))).toHaveLength(1);
  });
});

describe('a ledger that has ended', () => {
  it('by being converted is not moved, which would bring it back to life beside its heir', async () => {
    await convertIn(source, 'a', { name: 'heir', id: 'heir' }, toOdometer, { patience: 60 });
    const before = linesIn('from');
    expect(codeOf(await move())).toBe('converted');
    expect(linesIn('from')).toEqual(before);
    expect([await grants(source), await grants(target)]).toEqual([false, false]);
  });

  it('by being moved is not taken up again where it was, also in another file', async () => {
    expect((await move()).kind).toBe('moved');
    const file = join(folder, 'from', 'a.jsonl');
    cpSync(file, `${file}.copy`);
    renameSync(`${file}.copy`, file);
    const adopt = { event: 'adopt', label: 'restored' } as const;
    expect(codeOf(await annotateIn(source, 'a', adopt, { patience: 60 }))).toBe('moved-away');
    expect([await grants(source), await grants(target)]).toEqual([false, true]);
  });

  it('by being moved cannot be made to go on where it was by writing that it does', async () => {
    expect((await move()).kind).toBe('moved');
    const [header = ''] = linesIn('from');
    const { hash: ledger } = JSON.parse(header) as { hash: string };
    const moved = JSON.parse(linesIn('from').at(-1)!) as { seq: number; hash: string; home: string; totals: object };
    const { seq, hash, home, totals } = moved;
    const adopt = { seq: seq + 1, nonce: 'ab'.repeat(16), event: 'adopt', totals, home, ledger, prev: hash };
    appendFileSync(join(folder, 'from', 'a.jsonl'), `${seal(adopt).text}\n`);
    const flaw = { code: 'after-move', record: seq + 1 };
    expect(await verify(source, 'a')).toMatchObject({ flaws: [flaw] });
  });

  it('by being moved is taken up by hand in the new place, where the move was stopped before', async () => {
    const stopped = move((step) => {
      if (step === 'copied') throw new Killed();
    });
    await expect(stopped).rejects.toThrow(Killed);
    const adopt = { event: 'adopt', label: 'by hand' } as const;
    expect(codeOf(await annotateIn(target, 'a', adopt, { patience: 60 }))).toBe('no fault');
    expect([await grants(source), await grants(target)]).toEqual([false, true]);
  });
});

describe('lines that were written in a place', () => {
  async function taken(home: string): Promise<Buffer[]> {
    const lines = linesIn('from').map((line) => Buffer.from(line));
    async function* given() {
      yield await Promise.resolve(lines);
    }
    const all: Buffer[] = [];
    for await (const batch of restorable(given(), home)) all.push(...batch);
    expect(all).toEqual(lines);
    return all;
  }

  it('are not taken in again by it, where there would be two ledgers to spend from', async () => {
    const home = await source.placeId('a');
    if (typeof home !== 'string') throw new Error('The ledger has no place.');
    await expect(taken(home)).rejects.toMatchObject({ failed: { fault: { code: 'same-place' } } });
    expect(await taken('elsewhere')).toHaveLength(2);
  });

  it('are not copied over themselves', async () => {
    const here = { store: source, name: 'a' };
    expect(codeOf(await copyIn(here, here))).toBe('file-exists');
  });
});
