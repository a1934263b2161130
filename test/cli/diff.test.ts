import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../output/schema.ts';
import { mistakes, run, type Run } from './run.ts';

const before = {
  dpcompose: 1,
  target: { delta: '1e-6' },
  mechanisms: [
    { type: 'dp', epsilon: '0.1', count: 40, label: 'counts|all' },
    { type: 'dp', epsilon: '0.5' },
  ],
};

const after = {
  ...before,
  mechanisms: [
    { ...before.mechanisms[0], count: 50 },
    { type: 'laplace', scale: 4 },
    { type: 'parallel', sparsity: 1, instances: 'unbounded', of: { type: 'dp', epsilon: '0.2', kind: 'continual' } },
  ],
};

describe('dpcompose diff', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dpcompose-'));
    await writeFile(join(folder, 'a.json'), JSON.stringify(before));
    await writeFile(join(folder, 'b.json'), JSON.stringify(after));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const diff = (line: string, stdin = ''): Promise<Run> => run(['diff', ...line.split(' ')], { cwd: folder, stdin });

  it('tells each change with its cost, and the totals', async () => {
    const { code, stdout, stderr } = await diff('a.json b.json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const rows = stdout
      .split('\n')
      .slice(0, 5)
      .map((row) => row.slice(0, 1));
    expect(rows).toEqual([' ', '~', '+', '+', '-']);
    expect(stdout).toMatch(
      /epsilon at delta 1e-6: [\d.]+ before \(dp-optimal\), [\d.]+ after \([\w-]+\), a difference of \+0\.\d+\./,
    );
  });

  it('is one document, as its schema says', async () => {
    const { stdout } = await diff('a.json b.json --json');
    expect(violations('diff', stdout)).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({
      increase: true,
      unchanged: 0,
      changes: [{ change: 'changed' }, { change: 'added' }, { change: 'added' }, { change: 'removed' }],
    });
  });

  it('is a Markdown table that labels cannot break', async () => {
    const { stdout } = await diff('a.json b.json --format markdown');
    const rows = stdout.split('\n').filter((row) => row.startsWith('|'));
    expect(rows).toHaveLength(6);
    expect(rows.every((row) => row.replaceAll('\\|', '').split('|').length === 5)).toBe(true);
  });

  it('fails on an increase only where that is asked for', async () => {
    expect((await diff('a.json b.json --fail-on-increase')).code).toBe(1);
    expect((await diff('b.json a.json --fail-on-increase')).code).toBe(0);
    expect((await diff('a.json a.json --fail-on-increase')).code).toBe(0);
  });

  it('reads one of both from standard input', async () => {
    const { code, stdout } = await diff('- a.json', JSON.stringify(before));
    expect(code).toBe(0);
    expect(stdout).toContain('No change affects the privacy loss.');
    expect(await diff('- - --json')).toMatchObject({ code: 2 });
  });

  it('compares a file with what is piped in, or that with a change of it', async () => {
    const both = (await diff('a.json b.json')).stdout;
    expect((await diff('a.json', JSON.stringify(after))).stdout).toBe(both);
    expect((await diff('- b.json', JSON.stringify(before))).stdout).toBe(both);
    const added = await diff('a.json -m dp:epsilon=0.25 --bounds basic --delta 0 --json');
    expect(JSON.parse(added.stdout)).toMatchObject({ difference: 0.25, changes: [{ change: 'added' }] });
    const piped = await diff('-m dp:epsilon=0.25 --bounds basic --delta 0 --json', JSON.stringify(before));
    expect(piped.stdout).toBe(added.stdout);
  });

  it('tells what values would change', async () => {
    const less = await diff('a.json --set mechanisms[0].count=39 --set mechanisms[1]=null --delta 0 --json');
    expect(JSON.parse(less.stdout)).toMatchObject({
      difference: expect.closeTo(-0.6, 12) as number,
      increase: false,
      changes: [{ change: 'changed' }, { change: 'removed' }],
    });
    const of = await diff('a.json b.json --set mechanisms[1].scale=40 --delta 1e-6 --json');
    expect(JSON.parse(of.stdout)).toMatchObject({ after: { input: { mechanisms: { 1: { scale: 40 } } } } });
    expect(JSON.parse(of.stdout)).toMatchObject({ before: { input: { mechanisms: { 1: { type: 'dp' } } } } });
  });

  it.each([
    ['a.json --json', 'a.json: no-such-file', 'none'],
    ['--json', 'AFTER: no-input', 'a'],
    ['- - --json', 'AFTER: conflicting-options', 'a'],
    ['- --json', 'AFTER: conflicting-options', 'a'],
    ['a.json --json', 'SPEC: no-input', 'a'],
    ['a.json --set mechanisms[5].count=1 --json', '--set mechanisms[5].count: unknown-name', 'a'],
  ])('says what is wrong with %s', async (line, expected, where) => {
    const said = await run(['diff', ...line.split(' ')], {
      cwd: where === 'none' ? await mkdtemp(join(folder, 'none-')) : folder,
    });
    expect(mistakes(said)).toEqual([expected]);
  });

  it('ends with 1 where it is warned of and --strict is given', async () => {
    const line = 'a.json -m exponential:epsilon=0.1 -m zcdp:rho=0.1';
    expect((await diff(line)).code).toBe(0);
    expect((await diff(`${line} --strict`)).code).toBe(1);
  });

  it('is refused where one of both is', async () => {
    const { code, stdout } = await diff('a.json - --json', JSON.stringify({ ...before, adaptivity: 'parameters' }));
    expect(code).toBe(3);
    expect(violations('refusal', stdout)).toEqual([]);
  });
});
