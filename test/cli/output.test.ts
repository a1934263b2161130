import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from './run.ts';

const COMPOSE = ['compose', '-m', 'dp:epsilon=0.1,count=100', '--delta', '1e-6'];

describe('-o FILE', () => {
  let cwd = '';
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'dpcompose-'));
  });
  afterEach(() => rm(cwd, { recursive: true }));

  it('holds exactly what would have been printed', async () => {
    const printed = await run([...COMPOSE, '--json']);
    const written = await run([...COMPOSE, '--json', '-o', 'answer.json'], { cwd });
    expect(written).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await readFile(join(cwd, 'answer.json'), 'utf8')).toBe(printed.stdout);
    expect(await readdir(cwd)).toEqual(['answer.json']);
  });

  it('is written in spite of --quiet, and without colour', async () => {
    await run([...COMPOSE, '--quiet', '-o', 'table.txt'], { cwd, terminal: true, columns: 40 });
    expect(await readFile(join(cwd, 'table.txt'), 'utf8')).toBe((await run(COMPOSE)).stdout);
  });

  it('is standard output for -', async () => {
    expect(await run([...COMPOSE, '-o', '-'], { cwd })).toEqual(await run(COMPOSE));
    expect(await readdir(cwd)).toEqual([]);
  });

  it('keeps its permissions and the link that leads to it', async () => {
    await writeFile(join(cwd, 'real.txt'), 'before');
    await chmod(join(cwd, 'real.txt'), 0o640);
    await symlink('real.txt', join(cwd, 'link.txt'));
    await run([...COMPOSE, '-o', 'link.txt'], { cwd });
    expect((await stat(join(cwd, 'real.txt'))).mode & 0o777).toBe(0o640);
    expect(await readFile(join(cwd, 'real.txt'), 'utf8')).toContain('dp-optimal');
    expect((await readdir(cwd)).sort()).toEqual(['link.txt', 'real.txt']);
  });

  it('stays as it was when there is no answer to write', async () => {
    await writeFile(join(cwd, 'answer.json'), 'before');
    const refused = await run(['compose', '-m', 'svt:epsilon=1', '--delta', '0', '-o', 'answer.json'], { cwd });
    expect(refused.code).toBe(3);
    const wrong = await run(['compose', '-m', 'dp:epsilon=x', '--delta', '0', '-o', 'answer.json'], { cwd });
    expect(wrong.code).toBe(2);
    expect(await readFile(join(cwd, 'answer.json'), 'utf8')).toBe('before');
    expect(await readdir(cwd)).toEqual(['answer.json']);
  });

  it.each([
    ['a folder that does not exist', 'nowhere/answer.json', /no such file or directory/],
    ['a folder', 'folder', /it is a directory/],
    ['a device that is full', '/dev/full', /no space left on device/],
  ])('cannot be %s', async (_, file, reason) => {
    await mkdir(join(cwd, 'folder'));
    const { code, stdout, stderr } = await run([...COMPOSE, '-o', file], { cwd });
    expect({ code, stdout }).toEqual({ code: 74, stdout: '' });
    expect(stderr).toMatch(/^dpcompose: .* cannot be written: /);
    expect(stderr).toMatch(reason);
  });
});

describe('standard output', () => {
  it('may be closed by its reader', async () => {
    const broken = { code: 'EPIPE', message: 'write EPIPE' };
    expect(await run(COMPOSE, { broken })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await run(['--help'], { broken })).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('may not be full', async () => {
    const broken = { code: 'ENOSPC', message: 'ENOSPC: no space left on device, write' };
    expect(await run(COMPOSE, { broken })).toEqual({
      code: 74,
      stdout: '',
      stderr: 'dpcompose: standard output cannot be written: no space left on device\n',
    });
  });
});

describe('--format', () => {
  it.each([
    [[...COMPOSE, '--format', 'csv'], /Use --json for machine-readable output/],
    [['gap', '--each', '0.1', '--count', '3', '--delta', '1e-6', '--format', 'svg'], /run curve, compare or figure/],
    [['ledger', 'status', 'budget.jsonl', '--format', 'prometheus'], /Use --json for monitoring/],
    [['ledger', 'export', 'budget.jsonl', '--format', 'markdown'], /Use --json for machine-readable output/],
  ])('says what to use in place of a form that %j does not have', async (words, instead) => {
    const { code, stderr } = await run(words);
    expect([code, stderr]).toEqual([2, expect.stringMatching(instead)]);
  });
});
