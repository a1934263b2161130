import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { create, DISK, type Disk } from '../../../../src/ledger/stores/file/create.ts';
import { lock } from '../../../../src/ledger/stores/file/lock-files.ts';
import { copyIn } from '../../../../src/ledger/move.ts';
import { fileStore } from '../../../../src/ledger/stores/file/store.ts';
import { convertIn, nestIn } from '../../../../src/ledger/succession.ts';
import { toOdometer } from '../../../../src/ledger/conversions.ts';
import { verify } from '../../../../src/ledger/verify.ts';
import { dp } from '../../../mechanisms.ts';
import { add, dying, FILES, HEADER, launch, linesIn, newPath, OPTIONS, TERMS } from './files.ts';

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

/** The hidden files of a ledger that is not born yet. */
const hiddenBeside = (path: string): string[] =>
  readdirSync(dirname(path)).filter((name) => name.startsWith(`.${basename(path)}.`) && name.endsWith('.unborn'));

const isSound = async (path: string): Promise<boolean> => {
  const verified = await verify(FILES, path);
  return verified.kind === 'verified' && verified.flaws.length === 0;
};

const nest = (path: string, children: readonly string[], disk?: Disk) =>
  nestIn(
    fileStore(dirname(path), disk && { disk }),
    path,
    { children: children.map((name, i) => ({ name, id: `child ${i}` })), terms: TERMS, label: null },
    OPTIONS,
  );

const convert = (path: string, heir: string, disk?: Disk) =>
  convertIn(fileStore(dirname(path), disk && { disk }), path, { name: heir, id: 'heir' }, toOdometer, OPTIONS);

function newLedger(): string {
  const path = newPath();
  create(path, HEADER);
  return path;
}

describe('hidden files that a writer who was killed has left', () => {
  const left = (path: string, kind: string): string[] =>
    readdirSync(dirname(path)).filter((name) => name.endsWith(kind));

  it('go with the next who makes a ledger from the same one, and no others do', async () => {
    const [path, other] = [newPath(), newPath()];
    create(path, HEADER);
    create(other, { ...HEADER, id: 'another' });
    // Stopped before the text of the record was there.
    await nest(path, [newPath()], dying(4));
    const [own] = left(path, '.unborn');
    await nest(other, [newPath()], dying(4));
    expect(left(path, '.unborn')).toHaveLength(2);
    expect(await nest(other, [newPath()])).toMatchObject({ kind: 'transacted' });
    expect(left(path, '.unborn')).toEqual([own]);
    const held = openSync(join(dirname(path), own!), 'a+');
    expect(await lock(held, 0)).toBeNull();
    expect(await nest(path, [newPath()])).toMatchObject({ kind: 'transacted' });
    expect(left(path, '.unborn')).toEqual([own]);
    closeSync(held);
    expect(await convert(path, newPath())).toMatchObject({ kind: 'transacted' });
    expect(left(path, '.unborn')).toEqual([]);
  });

  it('go with the next copy that is made there', async () => {
    const [path, from] = [newPath(), newLedger()];
    const beside = ['a', 'b'].map((name) => join(dirname(path), `.${name}.jsonl.1.incoming`));
    for (const name of beside) writeFileSync(name, '{"schema":');
    const held = openSync(beside[0]!, 'a+');
    expect(await lock(held, 0)).toBeNull();
    const here = { store: FILES, name: from };
    expect(await copyIn(here, { store: FILES, name: path })).toMatchObject({ kind: 'restored' });
    expect(beside.map((name) => existsSync(name))).toEqual([true, false]);
    closeSync(held);
  });

  it('are made at the same time in one folder', async () => {
    const [path, copies] = [newLedger(), Array.from({ length: 40 }, newPath)];
    const here = { store: FILES, name: path };
    const made = await Promise.all(copies.map((name) => copyIn(here, { store: FILES, name })));
    expect(new Set(made.map(({ kind }) => kind))).toEqual(new Set(['restored']));
    expect(copies.every((name) => existsSync(name))).toBe(true);
  });
});

describe('a ledger that is made for another', () => {
  it('is there where it was paid for, and nothing is paid where it could not be made', async () => {
    // Writes: header and newline of each child, the text of the payment, and its newline.
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

  it('is made once by the next writer, wherever the first one was stopped, if it is paid for', async () => {
    for (const end of [nest, convert] as const) {
      const seen = new Set<string>();
      for (let steps = 0; steps < 14; steps++) {
        const [path, heir] = [newLedger(), newPath()];
        await (end === nest ? nest(path, [heir], dying(steps)) : convert(path, heir, dying(steps)));
        await launch(path, { entries: [dp('0.1')] });
        const isPaid = readFileSync(path, 'utf8').includes(end === nest ? '"event":"nest"' : '"event":"convert"');
        seen.add(`${isPaid}`);
        expect([isPaid, existsSync(heir)]).toEqual([isPaid, isPaid]);
        expect(await isSound(path)).toBe(true);
        if (!isPaid) continue;
        expect(await isSound(heir)).toBe(true);
        // At most a second name of it.
        for (const name of hiddenBeside(heir)) {
          expect(statSync(join(dirname(heir), name)).ino).toBe(statSync(heir).ino);
        }
        expect(await launch(heir, { entries: [dp('0.1')] })).toMatchObject({ kind: 'transacted' });
      }
      expect(seen).toEqual(new Set(['true', 'false']));
    }
  });

  it('is not made a second time where it has another name by then', async () => {
    const [path, heir, other] = [newLedger(), newPath(), newPath()];
    await nest(path, [heir], dying(6));
    expect(readFileSync(path, 'utf8').endsWith('}')).toBe(true);
    renameSync(heir, other);
    expect(await launch(other, { entries: [dp('0.1')] })).toMatchObject({ kind: 'transacted' });
    rmSync(join(dirname(heir), hiddenBeside(heir)[0]!));
    await launch(path, { entries: [dp('0')] });
    expect(existsSync(heir)).toBe(false);
  });

  it('has one content where its maker was stopped, whatever it is called by then', async () => {
    const [path, heir, other] = [newLedger(), newPath(), newPath()];
    await nest(path, [heir], dying(6));
    renameSync(heir, other);
    expect(await launch(other, { entries: [dp('0.1')] })).toMatchObject({ kind: 'transacted' });
    await launch(path, { entries: [dp('0')] });
    expect(readFileSync(heir)).toEqual(readFileSync(other));
    expect(statSync(heir).ino).toBe(statSync(other).ino);
  });

  it('cannot be spent from before it is paid for for certain', async () => {
    const [path, heir, taken] = [newLedger(), newPath(), newPath()];
    // In the way only when the other one has its name already.
    symlinkSync('/nowhere/at/all', taken);
    const nested = nest(path, [heir, taken]);
    const spent: unknown[] = [];
    const spending = (async () => {
      for (let n = 0; n < 200 && spent.length === 0; n++) {
        if (existsSync(heir)) spent.push(await launch(heir, { entries: [dp('1')] }));
        await sleep(0);
      }
    })();
    expect(await nested).toMatchObject({ kind: 'failed', fault: { code: 'not-made', path: taken } });
    await spending;
    expect(spent.filter((each) => (each as { kind: string }).kind !== 'failed')).toEqual([]);
    expect([linesIn(path).length, existsSync(heir), hiddenBeside(heir)]).toEqual([1, false, []]);
  });

  it('is not put in the place of another file by the next writer, who grants nothing then', async () => {
    const [path, heir] = [newLedger(), newPath()];
    await convert(path, heir, dying(6));
    rmSync(heir, { force: true });
    writeFileSync(heir, 'something else\n');
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
