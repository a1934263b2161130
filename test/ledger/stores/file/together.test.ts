import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileStore } from '../../../../src/ledger/stores/file/store.ts';
import { create } from '../../../../src/ledger/stores/file/create.ts';
import { spendIn } from '../../../../src/ledger/spend-in.ts';
import { recoverIn, annotateIn, nestIn } from '../../../../src/ledger/succession.ts';
import { dp } from '../../../mechanisms.ts';
import { dying, FILES, flaws, HEADER, launch, linesIn, newPath, OPTIONS, rewrite, TERMS } from './files.ts';

// A transaction over several files is written in this order: the text of every participant, the text of the head, what comes
// into being with it, and the newlines, the head's first. Its writer may be stopped at any moment.

/** Ledgers with one record in each, all of one transaction, the head first, and how each looked at every stage. */
async function three(): Promise<{ paths: string[]; before: Buffer[]; text: Buffer[] }> {
  const paths = [newPath(), newPath(), newPath()];
  for (const [i, path] of paths.entries()) create(path, { ...HEADER, id: `ledger ${i}` });
  const before = paths.map((path) => readFileSync(path));
  await spendIn(FILES, paths, { entries: [dp('0.6')] }, OPTIONS);
  const text = paths.map((path) => readFileSync(path).subarray(0, -1));
  return { paths, before, text };
}

const sixTenths = { entries: [dp('0.6')] };
const more = { entries: [dp('0.4')] };
const isGranted = async (path: string, asked = more): Promise<boolean | string> => {
  const done = await launch(path, asked);
  return done.kind === 'failed' ? done.fault.code : done.value.decision.kind === 'accepted';
};

const part = (bytes: Buffer, from: Buffer): Buffer => bytes.subarray(0, from.length + 100);

describe('a transaction over several ledgers whose writer was stopped', () => {
  it('counts in none of them before the text of the head is whole', async () => {
    for (const headText of ['none', 'none and all participants', 'part'] as const) {
      const { paths, before, text } = await three();
      rewrite(paths[0]!, headText === 'part' ? part(text[0]!, before[0]!) : before[0]!);
      rewrite(paths[1]!, text[1]!);
      rewrite(paths[2]!, headText === 'none' ? before[2]! : text[2]!);
      if (headText === 'part') {
        // The participants cannot know whether it counts while the end of the head is not looked at.
        expect(await isGranted(paths[1]!)).toBe('unsettled');
        expect(await recoverIn(FILES, paths[0]!, null, OPTIONS)).toMatchObject({ kind: 'transacted' });
      }
      for (const path of paths) expect(await isGranted(path, sixTenths), headText).toBe(true);
      for (const path of paths) expect(flaws(readFileSync(path))).toEqual([]);
    }
  });

  it('counts in all of them from then on', async () => {
    for (const ended of [0, 1, 2, 3]) {
      const { paths, text } = await three();
      for (const [i, path] of paths.entries()) {
        if (i >= ended) rewrite(path, text[i]!);
      }
      // The last first: it has to ask the head.
      for (const path of paths.toReversed()) expect(await isGranted(path, sixTenths)).toBe(false);
      for (const path of paths) expect(await isGranted(path)).toBe(true);
      for (const path of paths) expect(flaws(readFileSync(path))).toEqual([]);
    }
  });

  it('counts where the head has gone on since', async () => {
    const { paths, text } = await three();
    for (let n = 0; n < 3; n++) await annotateIn(FILES, paths[0]!, { event: 'note', label: 'later' }, OPTIONS);
    rewrite(paths[1]!, text[1]!);
    expect(await isGranted(paths[1]!, sixTenths)).toBe(false);
    expect(linesIn(paths[1]!)).toHaveLength(2);
  });

  it('is for people to settle where the head cannot be looked into: it counts then', async () => {
    const { paths, before, text } = await three();
    rewrite(paths[0]!, before[0]!);
    rewrite(paths[1]!, text[1]!);
    renameSync(paths[0]!, `${paths[0]!}.away`);
    expect(await isGranted(paths[1]!)).toBe('unsettled');
    expect(readFileSync(paths[1]!)).toEqual(text[1]);
    expect(await recoverIn(FILES, paths[1]!, 'the head is lost', OPTIONS)).toMatchObject({ settled: 'finished' });
    expect(await isGranted(paths[1]!, sixTenths)).toBe(false);
    expect(flaws(readFileSync(paths[1]!))).toEqual([]);
  });

  it('is not counted by a recovery where it need not be', async () => {
    const { paths, before, text } = await three();
    rewrite(paths[0]!, before[0]!);
    rewrite(paths[1]!, text[1]!);
    expect(await recoverIn(FILES, paths[1]!, null, OPTIONS)).toMatchObject({ fault: { code: 'nothing-to-recover' } });
    expect(await isGranted(paths[1]!, sixTenths)).toBe(true);
  });
});

describe('a recovery', () => {
  it('makes what comes into being with a record that counts', async () => {
    const [path, child] = [newPath(), newPath()];
    create(path, HEADER);
    const children = [{ name: child, id: 'child' }];
    const stopped = fileStore(dirname(path), { disk: dying(6) });
    await nestIn(stopped, path, { children, terms: TERMS, label: null }, OPTIONS);
    rmSync(child);
    await recoverIn(FILES, path, null, OPTIONS);
    expect(existsSync(child)).toBe(true);
    expect(readFileSync(path).at(-1)).toBe(10);
  });

  it('that was stopped after it had taken bytes away is completed by the next one', async () => {
    const { paths, text, before } = await three();
    const path = paths[0]!;
    const torn = part(text[0]!, before[0]!);
    const bytes = torn.subarray(before[0]!.length);
    rewrite(`${path}.aside`, bytes);
    for (const content of [before[0]!, torn]) {
      rewrite(path, content);
      rewrite(`${path}.aside`, bytes);
      expect(await recoverIn(FILES, path, null, OPTIONS)).toMatchObject({ kind: 'transacted' });
      expect(JSON.parse(linesIn(path)[1] ?? '')).toMatchObject({ event: 'recover', aside: { text: bytes.toString() } });
      expect(existsSync(`${path}.aside`)).toBe(false);
    }
    // What an earlier one had kept is not lost to a later one.
    rewrite(path, torn);
    rewrite(`${path}.aside`, 'earlier');
    await recoverIn(FILES, path, null, OPTIONS);
    expect(JSON.parse(linesIn(path)[1] ?? '')).toMatchObject({ aside: { text: `earlier${bytes.toString()}` } });
  });
});
