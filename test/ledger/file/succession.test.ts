import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { create } from '../../../src/ledger/file/create.ts';
import { DISK, type Disk } from '../../../src/ledger/file/disk.ts';
import { fileStore } from '../../../src/ledger/file/store.ts';
import { convertIn, nestIn } from '../../../src/ledger/journal/succession.ts';
import { toOdometer } from '../../../src/ledger/to-odometer.ts';
import { verify } from '../../../src/ledger/journal/verify.ts';
import { dp } from '../../mechanisms.ts';
import { add, FILES, HEADER, launch, linesIn, newPath, OPTIONS, rewrite, TERMS } from './files.ts';

const full = (): Error => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

/** A disk that is full after so many writes. */
function filling(writes: number): Disk {
  let left = writes;
  return {
    ...DISK,
    write: (fd, bytes) => {
      if (left-- <= 0) throw full();
      return DISK.write(fd, bytes);
    },
  };
}

const isSound = async (path: string): Promise<boolean> => {
  const verified = await verify(FILES, path);
  return verified.kind === 'verified' && verified.flaws.length === 0;
};

const nest = (path: string, children: readonly string[], disk?: Disk) =>
  nestIn(
    fileStore(dirname(path), disk && { disk }),
    path,
    { heirs: children.map((name, i) => ({ name, id: `child ${i}` })), terms: TERMS, label: null },
    OPTIONS,
  );

const convert = (path: string, heir: string, disk?: Disk) =>
  convertIn(fileStore(dirname(path), disk && { disk }), path, { name: heir, id: 'heir' }, toOdometer, OPTIONS);

function newLedger(): string {
  const path = newPath();
  create(path, HEADER);
  return path;
}

describe('a ledger that is made for another', () => {
  it('is there where it was paid for, and nothing is paid where it could not be made', async () => {
    // Writes: the text of the payment, header and newline of each child, the newline of the payment.
    for (const writes of [0, 1, 2, 3, 4, 5]) {
      const [path, children] = [newLedger(), [newPath(), newPath()]];
      const before = readFileSync(path);
      expect(await nest(path, children, filling(writes)), `${writes}`).toMatchObject({ kind: 'failed' });
      expect(children.map((each) => existsSync(each))).toEqual([false, false]);
      expect(readFileSync(path)).toEqual(before);
    }
    const [path, children] = [newLedger(), [newPath(), newPath()]];
    expect(await nest(path, children, filling(6))).toMatchObject({ kind: 'transacted' });
    expect(linesIn(path)).toHaveLength(2);
    for (const each of [path, ...children]) expect(await isSound(each)).toBe(true);
  });

  it('is what the fault names that could not be made', async () => {
    const [path, child] = [newLedger(), newPath()];
    const fault = { code: 'not-made', path: child, because: { code: 'no-space' } };
    expect(await nest(path, [child], filling(1))).toEqual({ kind: 'failed', fault });
  });

  it('begins where its predecessor ends, or that one goes on', async () => {
    for (const writes of [0, 1, 2, 3]) {
      const [path, heir] = [newLedger(), newPath()];
      expect(await convert(path, heir, filling(writes)), `${writes}`).toMatchObject({ kind: 'failed' });
      expect([linesIn(path).length, existsSync(heir)]).toEqual([1, false]);
      expect(await launch(path, { entries: [dp('0.1')] })).toMatchObject({ kind: 'transacted' });
    }
    const [path, heir] = [newLedger(), newPath()];
    expect(await convert(path, heir, filling(4))).toMatchObject({ kind: 'transacted' });
    expect([await isSound(path), await isSound(heir)]).toEqual([true, true]);
  });

  it('is made by the next writer where the first one was stopped after the text of the record', async () => {
    for (const end of [nest, convert] as const) {
      const [path, heir] = [newLedger(), newPath()];
      await (end === nest ? nest(path, [heir]) : convert(path, heir));
      const made = linesIn(heir)[0] ?? '';
      for (const unfinished of [null, '', made.slice(0, 100), made]) {
        rmSync(heir, { force: true });
        if (unfinished !== null) writeFileSync(heir, unfinished);
        rewrite(path, linesIn(path).slice(0, 2).join('\n'));
        await launch(path, { entries: [dp('0.1')] });
        expect([await isSound(path), await isSound(heir)]).toEqual([true, true]);
        expect(await launch(heir, { entries: [dp('0.1')] })).toMatchObject({ kind: 'transacted' });
      }
    }
  });

  it('is not put in the place of another file by the next writer, who grants nothing then', async () => {
    const [path, heir] = [newLedger(), newPath()];
    await convert(path, heir);
    writeFileSync(heir, 'something else\n');
    rewrite(path, linesIn(path).join('\n'));
    const fault = { code: 'not-made', path: heir, because: { code: 'file-exists' } };
    expect(await launch(path, { entries: [dp('0.1')] })).toMatchObject({ fault });
    expect(readFileSync(heir, 'utf8')).toBe('something else\n');
  });

  it('stays within what was paid for it, whatever its records say', async () => {
    const path = newPath();
    create(path, { ...HEADER, origin: { kind: 'nested', id: 'parent', hash: 'a'.repeat(64) } });
    const refused = await convert(path, newPath());
    expect(refused).toMatchObject({ records: [null], value: { decision: { refusal: { reason: 'nested' } } } });
    const [another, heir] = [newLedger(), newPath()];
    await convert(another, heir);
    const { to, totals } = JSON.parse(linesIn(another)[1] ?? '') as { to: object; totals: object };
    rmSync(heir);
    const forged = await add(path, { event: 'convert', to, totals });
    expect(forged).toMatchObject({ kind: 'transacted' });
    expect(await verify(FILES, path)).toMatchObject({
      flaws: [{ code: 'not-allowed', refusal: { reason: 'nested' } }],
    });
  });

  it('is not made where there is a file, and nothing is written for it', async () => {
    const [path, taken, free] = [newLedger(), newLedger(), newPath()];
    const before = readFileSync(path);
    expect(await nest(path, [free, taken])).toMatchObject({ fault: { code: 'file-exists' }, ledger: taken });
    expect(readFileSync(path)).toEqual(before);
    expect([existsSync(free), existsSync(taken)]).toEqual([false, true]);
  });
});

describe('a new ledger', () => {
  it('is whole or not there at all', () => {
    for (const writes of [0, 1]) {
      const path = newPath();
      expect(create(path, HEADER, { disk: filling(writes) })).toEqual({ kind: 'failed', fault: { code: 'no-space' } });
      expect(existsSync(path)).toBe(false);
    }
    const long = { ...HEADER, terms: { ...TERMS, neighbours: 'x'.repeat(5_000_000) } };
    expect(create(newPath(), long)).toMatchObject({ fault: { code: 'too-long' } });
  });
});
