import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { create } from '../../../src/ledger/file/create.ts';
import { DISK, type Disk } from '../../../src/ledger/file/disk.ts';
import { convertIn, nestIn } from '../../../src/ledger/file/succession.ts';
import { toOdometer } from '../../../src/ledger/to-odometer.ts';
import { verify } from '../../../src/ledger/file/verify.ts';
import { add, HEADER, linesIn, newPath, TERMS } from './files.ts';

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

const OPTIONS = { patience: 5, at: null, version: '0' };
const isSound = (path: string): boolean => {
  const verified = verify(path);
  return verified.kind === 'verified' && verified.flaws.length === 0;
};

describe('a ledger that is made for another', () => {
  it('is never there without being paid for, and its price is never given back', async () => {
    const [path, child] = [newPath(), newPath()];
    create(path, HEADER);
    const nested = { heirs: [{ path: child, id: 'child' }], terms: TERMS, label: null };
    const unpaid = await nestIn(path, nested, { ...OPTIONS, disk: filling(1) });
    expect(unpaid).toEqual({ kind: 'failed', fault: { code: 'no-space' } });
    expect([linesIn(path).length, existsSync(child)]).toEqual([1, false]);

    const unmade = await nestIn(path, nested, { ...OPTIONS, disk: filling(3) });
    expect(unmade).toEqual({ kind: 'failed', fault: { code: 'not-made', path: child, because: { code: 'no-space' } } });
    expect([linesIn(path).length, existsSync(child)]).toEqual([2, false]);
    expect(isSound(path)).toBe(true);
  });

  it('begins after its predecessor has ended', async () => {
    const [path, heir] = [newPath(), newPath()];
    create(path, HEADER);
    const become = (disk: Disk) => convertIn(path, { path: heir, id: 'heir' }, toOdometer, { ...OPTIONS, disk });
    expect(await become(filling(1))).toMatchObject({ fault: { code: 'no-space' } });
    expect(linesIn(path)).toHaveLength(1);
    expect(await become(filling(3))).toMatchObject({ fault: { code: 'not-made' } });
    expect([linesIn(path).length, existsSync(heir)]).toEqual([2, false]);
    expect(isSound(path)).toBe(true);
  });

  it('stays within what was paid for it, whatever its records say', async () => {
    const path = newPath();
    create(path, { ...HEADER, origin: { kind: 'nested', id: 'parent', hash: 'a'.repeat(64) } });
    const refused = await convertIn(path, { path: newPath(), id: 'free' }, toOdometer, OPTIONS);
    expect(refused).toMatchObject({ record: null, value: { decision: { refusal: { reason: 'nested' } } } });
    await add(path, { event: 'convert', to: 'free', totals: { launched: 0, spent: { epsilon: '0' }, halted: null } });
    expect(verify(path)).toMatchObject({ flaws: [{ code: 'not-allowed', refusal: { reason: 'nested' } }] });
  });

  it('is not made where there is a file, and nothing is written for it', async () => {
    const [path, taken] = [newPath(), newPath()];
    create(path, HEADER);
    create(taken, HEADER);
    const before = readFileSync(path);
    const heirs = [
      { path: newPath(), id: 'a' },
      { path: taken, id: 'b' },
    ];
    expect(await nestIn(path, { heirs, terms: TERMS, label: null }, OPTIONS)).toMatchObject({
      fault: { code: 'file-exists' },
    });
    expect(readFileSync(path)).toEqual(before);
    expect(heirs.map((heir) => existsSync(heir.path))).toEqual([false, true]);
  });
});

describe('a new ledger', () => {
  it('is whole or not there at all', () => {
    for (const writes of [0, 1]) {
      const path = newPath();
      expect(create(path, HEADER, filling(writes))).toEqual({ kind: 'failed', fault: { code: 'no-space' } });
      expect(existsSync(path)).toBe(false);
    }
    const long = { ...HEADER, terms: { ...TERMS, neighbours: 'x'.repeat(5_000_000) } };
    expect(create(newPath(), long)).toMatchObject({ fault: { code: 'too-long' } });
  });
});
