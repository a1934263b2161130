import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { add, flaws, ledgerOf, linesIn, newPath } from './stores/file/files.ts';

/** Two ledgers that go on from the same records, each with records of its own; or both with records that say the same. */
async function twins(labels = { ours: 'ours', theirs: 'theirs' }): Promise<{ ours: string; theirs: string }> {
  const ours = await ledgerOf(2);
  const theirs = newPath();
  copyFileSync(ours, theirs);
  for (const n of [1, 2]) await add(ours, { event: 'spend', label: `${labels.ours} ${n}` });
  for (const n of [1, 2]) {
    await add(theirs, { event: 'spend', label: `${labels.theirs} ${n}` }, { adopt: true });
  }
  return { ours, theirs };
}

const joined = (...lines: (string | undefined)[]): string => lines.map((line) => `${line ?? ''}\n`).join('');

describe('two ledgers that went on from the same record', () => {
  it('do not merge without being noticed, in whatever order their lines stand', async () => {
    const { ours, theirs } = await twins();
    const [a, b] = [linesIn(ours), linesIn(theirs)];
    const fork = (line: number, record: number) => `line ${line}, record ${record}: fork`;
    expect(flaws(joined(...a, b[3], b[4]))).toEqual([fork(6, 3)]);
    expect(flaws(joined(...a.slice(0, 4), b[3], a[4], b[4]))[0]).toBe(fork(5, 3));
    expect(flaws(joined(...a.slice(0, 4), b[4]))).toEqual(['line 5, record 4: broken-chain']);
  });

  it('differ where they say the same, as each record has random bits', async () => {
    const { ours, theirs } = await twins({ ours: 'release', theirs: 'release' });
    const [a, b] = [linesIn(ours), linesIn(theirs)];
    expect(a[3]).not.toBe(b[3]);
    expect(flaws(joined(...a, b[3], b[4]))).toEqual(['line 6, record 3: fork']);
  });

  it('leave the marks of git where it finds the conflict', async () => {
    const { ours, theirs } = await twins();
    const [a, b] = [linesIn(ours), linesIn(theirs)];
    const text = joined(...a.slice(0, 3), '<<<<<<< HEAD', a[3], a[4], '=======', b[3], b[4], '>>>>>>> theirs');
    expect(flaws(text)).toContain('line 4, record 3: damaged-record (merge-marker)');
  });

  const git = spawnSync('git', ['--version']).status === 0;

  it.skipIf(!git)('are a conflict for git, which adds up neither', async () => {
    const { ours, theirs } = await twins();
    const base = newPath();
    copyFileSync(ours, base);
    const folder = newPath();
    mkdirSync(folder);
    const names = ['ours', 'base', 'theirs'].map((name) => join(folder, name));
    const baseLines = joined(...linesIn(ours).slice(0, 3));
    [readFileSync(ours), baseLines, readFileSync(theirs)].forEach((content, i) => {
      appendFileSync(names[i] ?? '', content);
    });
    const merged = spawnSync('git', ['merge-file', '-p', ...names], { encoding: 'utf8' });
    expect(merged.status).toBeGreaterThan(0);
    expect(flaws(merged.stdout)[0]).toBe('line 4, record 3: damaged-record (merge-marker)');
    const union = spawnSync('git', ['merge-file', '-p', '--union', ...names], { encoding: 'utf8' });
    expect(flaws(union.stdout)[0]).toMatch(/: fork$/);
  });
});
