import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { violations } from '../../output/schema.ts';
import { mistakes, run, type } from '../run.ts';

const GATES = 'attack parallel --delta 0.1 --instances 3 --runs 500';

async function told(line: string): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await type(`${line} --json`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(violations('attack', stdout)).toEqual([]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('dpcompose attack', () => {
  it('shows what there is', async () => {
    const { code, stdout } = await type('attack --help');
    expect(code).toBe(0);
    for (const name of ['parallel', 'renyi', 'oblivious']) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
      const help = await type(`attack ${name} --help`);
      expect(help.code).toBe(0);
      expect(help.stdout).toContain(`dpcompose attack ${name} --`);
    }
    expect((await type('attack')).code).toBe(2);
    expect(mistakes(await type('attack paralel --json'))).toEqual(['paralel: unknown-command']);
  });

  it('tells a person what an adversary learns', async () => {
    const { code, stdout, stderr } = await type(GATES);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Attack on 3 \(0, 0\.1\)-DP continual mechanisms in parallel/);
    expect(stdout).toMatch(/\nsecret bit learned +0\.271 +0\.\d+ +0\.\d+ to 0\.\d+\n/);
  });

  it('is the same for the same seed', async () => {
    const [one, again, other] = await Promise.all(
      ['--seed 7', '--seed 7', '--seed 8'].map((seed) => type(`${GATES} ${seed} --json`)),
    );
    expect(one).toEqual(again);
    expect(one!.stdout).not.toBe(other!.stdout);
    expect(await type(GATES)).toEqual(await type(`${GATES} --seed 1`));
  });

  it('takes a list of deltas, one for each instance', async () => {
    const { input, expected } = await told('attack parallel --delta 1e-3,2e-3,5e-4 --runs 10');
    expect(input).toEqual({ deltas: [0.001, 0.002, 0.0005], instances: 3 });
    expect(expected).toMatchObject({ success: { upper: expect.closeTo(0.003496501, 15) as number } });
  });

  it('simulates as much as takes little time, and nothing that takes too long', async () => {
    const runs = async (line: string): Promise<unknown> => {
      const { simulated } = await told(`attack parallel ${line}`);
      return simulated === null ? null : (simulated as { runs: number }).runs;
    };
    expect(await runs('--delta 0.1 --instances 1')).toBe(10_000);
    expect(await runs('--delta 1e-4 --instances 100000')).toBe(49);
    expect(await runs('--delta 1e-9 --instances 1000000000')).toBeNull();
    expect(await runs('--delta 0.1 --instances 3 --runs 0')).toBeNull();
  });

  it.each([
    ['--delta 1e-9 --instances 1000000000 --runs 1', '--runs: out-of-range'],
    ['--delta 1e-5 --runs 1000000', '--runs: out-of-range'],
    ['--delta 0', '--delta: out-of-range'],
    ['--delta 1.5', '--delta: out-of-range'],
    ['', '--delta: missing-option'],
    ['--delta 0.1,0.2 --instances 2', '--instances: conflicting-options'],
    ['--delta 0.1 --instances 0', '--instances: out-of-range'],
    ['--delta 0.1 --instances many', '--instances: not-a-number'],
    ['--delta 0.1 --runs 1.5', '--runs: out-of-range'],
    ['--delta 0.1 --seed -1', '--seed: out-of-range'],
    ['--delta 0.1 --format csv', '--format: unknown-value'],
  ])('parallel %s is told what is wrong', async (words, mistake) => {
    const result = await run(['attack', 'parallel', ...words.split(' ').filter((word) => word !== ''), '--json']);
    expect(result.code).toBe(2);
    expect(mistakes(result)).toEqual([mistake]);
  });

  it('breaks a Renyi guarantee, with other constants than those of the paper', async () => {
    const { proving, printed, refuses } = await told('attack renyi --alpha 2 --epsilon 1 --target 10 --runs 0');
    expect(proving).toMatchObject({ endless: { upper: expect.closeTo(11.96164573725, 10) as number } });
    expect(printed).toMatchObject({ endless: { upper: expect.closeTo(5.127959324137, 10) as number } });
    expect(refuses).toBe('unbounded-renyi');
    const { input } = await told('attack renyi --alpha 2 --epsilon 4 --instances 10 --runs 100');
    expect(input).toEqual({ alpha: 2, epsilon: 4, target: 8, instances: 10 });
  });

  it.each([
    ['--epsilon 1', ['--alpha: missing-option']],
    ['--alpha 1 --epsilon 0', ['--alpha: out-of-range', '--epsilon: out-of-range']],
    ['--alpha 2 --epsilon 1 --target 101', ['--target: out-of-range']],
    ['--alpha 50 --epsilon 1e-9 --runs 10', ['--runs: out-of-range']],
  ])('renyi %s is told what is wrong', async (words, expected) => {
    const result = await type(`attack renyi ${words} --json`);
    expect(result.code).toBe(2);
    expect(mistakes(result)).toEqual(expected);
  });

  it('breaks a guarantee for messages fixed in advance (TC-42)', async () => {
    const { numbers, oblivious, adaptive, refuses } = await told('attack oblivious --delta 0.1 --runs 300');
    expect(numbers).toBe(10);
    expect(oblivious).toMatchObject({ exact: { exact: '1/10' } });
    expect(adaptive).toMatchObject({ exact: { exact: '1' }, simulated: { times: 300, of: 300 } });
    expect(refuses).toBe('oblivious-guarantee');
    expect(mistakes(await type('attack oblivious --json'))).toEqual(['--delta: missing-option']);
    expect(mistakes(await type('attack oblivious --delta 0 --json'))).toEqual(['--delta: out-of-range']);
  });

  it('writes a file without colour, fits a terminal, and marks its heading there', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'dpcompose-'));
    const written = await run([...GATES.split(' '), '-q', '-o', 'attack.txt'], { cwd, terminal: true, columns: 40 });
    expect(written).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await readFile(join(cwd, 'attack.txt'), 'utf8')).toBe((await type(GATES)).stdout);
    await rm(cwd, { recursive: true });
    const narrow = await type(GATES, { terminal: true, columns: 40, env: { NO_COLOR: '1' } });
    expect(Math.max(...narrow.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40);
    expect((await type(GATES, { terminal: true })).stdout).toContain('\u001b[1mAttack on');
    expect(await type(`${GATES} -q`)).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
