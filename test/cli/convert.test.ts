import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mistakes, run } from './run.ts';
import { violations } from '../output/schema.ts';

const DOCUMENT = JSON.stringify({ dpcompose: 1, mechanisms: [{ type: 'dp', epsilon: 0.1, count: 3, label: 'a, b' }] });
const EVENTS = JSON.stringify({ history: [[4, 1, 10]] });
const SAMPLED = JSON.stringify({ history: [[4, 0.01, 10]], mechanism: 'prv' });
const UNCOVERED = JSON.stringify({ class_name: 'NonPrivateDpEvent' });

const convert = (stdin: string, ...more: string[]): ReturnType<typeof run> => run(['convert', '-', ...more], { stdin });

async function inDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'dpcompose-convert-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

describe('dpcompose convert', () => {
  it('goes from each form to each other and back', async () => {
    for (const form of ['json', 'yaml', 'csv']) {
      const there = await convert(DOCUMENT, '--format', form);
      expect(there).toMatchObject({ code: 0, stderr: '' });
      const back = await convert(there.stdout, '--input-format', form);
      expect(JSON.parse(back.stdout)).toMatchObject({ mechanisms: [{ type: 'dp', label: 'a, b' }] });
      const asked = ['--input-format', form, '--delta', '1e-6', '--json'];
      const answer = (await run(['compose', '-', ...asked], { stdin: there.stdout })).stdout;
      expect(answer).toBe((await run(['compose', '-', '--delta', '1e-6', '--json'], { stdin: DOCUMENT })).stdout);
    }
  });

  it('makes a specification of an event list', async () => {
    const { code, stdout, stderr } = await convert(EVENTS);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ dpcompose: 1, mechanisms: [{ type: 'gaussian', sigma: 4, count: 10 }] });
  });

  it('refuses what no theorem covers', async () => {
    const { code, stdout, stderr } = await convert(UNCOVERED);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/^refused: document: non-private is not supported: /);
    const told = await convert(UNCOVERED, '--json');
    expect(told.code).toBe(3);
    expect(violations('refusal', told.stdout)).toEqual([]);
  });

  it('hands samples on in each form, and so to compose', async () => {
    const asked = ['--delta', '1e-6', '--json'];
    const expected = await run(['compose', '-m', 'gaussian:sigma=4,sampling=poisson,rate=0.01,count=10', ...asked]);
    expect(expected.code).toBe(0);
    for (const form of ['json', 'yaml', 'csv']) {
      const { stdout } = await convert(SAMPLED, '--format', form);
      expect((await run(['compose', '-', '--input-format', form, ...asked], { stdin: stdout })).stdout).toBe(
        expected.stdout,
      );
    }
  });

  it('writes events of dp_accounting, and reads them', async () => {
    const there = await convert(SAMPLED, '--format', 'dp-accounting');
    expect(there).toMatchObject({ code: 0, stderr: '' });
    expect(there.stdout).toContain('event=dp_event.GaussianDpEvent(noise_multiplier=4)');
    expect((await convert(there.stdout)).stdout).toBe((await convert(SAMPLED)).stdout);
    await inDirectory(async (cwd) => {
      await writeFile(join(cwd, 'a.json'), DOCUMENT);
      expect((await run(['convert', 'a.json', '-o', 'b.py'], { cwd })).code).toBe(0);
      expect(await readFile(join(cwd, 'b.py'), 'utf8')).toContain('dp_event.EpsilonDeltaDpEvent(epsilon=0.1, delta=0)');
      const { mechanisms } = JSON.parse((await run(['convert', 'b.py'], { cwd })).stdout) as { mechanisms: unknown };
      expect(mechanisms).toEqual([{ type: 'dp', epsilon: 0.1, delta: 0, count: 3 }]);
    });
  });

  it('refuses to write what has no event', async () => {
    const pair = JSON.stringify({ dpcompose: 1, mechanisms: [{ type: 'finite-pair', p: [1, 0], q: [0.5, 0.5] }] });
    const { code, stdout, stderr } = await convert(pair, '--format', 'dp-accounting');
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/^refused: mechanisms\[0\]: dp_accounting has no event for this type\. /);
  });

  it('refuses to write into a table what a table cannot say', async () => {
    const { code, stderr } = await convert(DOCUMENT.replace('1,', '1,"name":"x",'), '--format', 'csv');
    expect(code).toBe(3);
    expect(stderr).toMatch(/^refused: name: CSV has columns /);
  });

  it('tells the forms of files by their names', async () => {
    await inDirectory(async (cwd) => {
      await writeFile(join(cwd, 'a.json'), DOCUMENT);
      expect(await run(['convert', 'a.json', '-o', 'b.yml'], { cwd })).toMatchObject({ code: 0, stdout: '' });
      expect(await readFile(join(cwd, 'b.yml'), 'utf8')).toContain('- type: dp\n');
      expect((await run(['convert', 'b.yml', '-o', 'c.csv'], { cwd })).code).toBe(0);
      expect(await readFile(join(cwd, 'c.csv'), 'utf8')).toBe('type,epsilon,count,label\r\ndp,0.1,3,"a, b"\r\n');
      expect((await run(['validate', 'c.csv'], { cwd })).code).toBe(0);
      expect((await run(['compose', 'b.yml', '--delta', '0'], { cwd })).code).toBe(0);
    });
  });

  it('tells every mistake with its place', async () => {
    expect(mistakes(await run(['convert', '--json', '--input-format', 'toml']))).toEqual([
      '--input-format: unknown-value',
      'FILE: no-input',
    ]);
    const { code, stderr } = await convert('{"history": [[0, 1, 1]]}');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: standard input:1:15: history\[0\]\[0\]: sigma must be a number above 0, got 0/);
  });
});
