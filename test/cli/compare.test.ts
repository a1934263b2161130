import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../output/schema.ts';
import { mistakes, type } from './run.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dpcompose-'));
  const write = (name: string, mechanism: object) =>
    writeFile(join(folder, `${name}.json`), JSON.stringify({ dpcompose: 1, name, mechanisms: [mechanism] }));
  await write('response', { type: 'dp', epsilon: '1' });
  await write('stronger', { type: 'dp', epsilon: '0.5' });
  await write('gaussian', { type: 'gaussian', sigma: '2.2' });
  await write('noisier', { type: 'gaussian', sigma: '3' });
  await write('guarantee', { type: 'zcdp', rho: '0.1' });
  await write('parts', { type: 'partition', of: [{ type: 'gaussian', sigma: '2' }] });
});
afterAll(() => rm(folder, { recursive: true }));

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly smaller: string | null;
}

interface Compared {
  readonly message: string;
  readonly byEpsilon: readonly Stretch[];
  readonly byRate: readonly Stretch[];
  readonly neverLarger: { readonly first: boolean; readonly second: boolean };
  readonly advantage: { readonly first: { readonly upper: number }; readonly smaller: string | null };
}

async function compared(first: string, second: string, more = ''): Promise<Compared> {
  const line = `compare ${join(folder, first)}.json ${second === '' ? '' : join(folder, `${second}.json`)} ${more} --json`;
  const { code, stdout, stderr } = await type(line.replace(/ +/g, ' '));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(violations('compare', stdout)).toEqual([]);
  return JSON.parse(stdout) as Compared;
}

describe('dpcompose compare', () => {
  it('proves of all epsilons who is better where losses are bounded', async () => {
    const { byEpsilon, byRate, neverLarger, message } = await compared('stronger', 'response');
    expect(byEpsilon.map(({ smaller }) => smaller)).toEqual(['first', 'both-0']);
    expect(byEpsilon[1]!.from).toBeCloseTo(1, 12);
    expect(byRate.map(({ smaller }) => smaller)).toEqual(['second']);
    expect(neverLarger).toEqual({ first: true, second: false });
    expect(message).toMatch(/^At every epsilon of at least 0 the smallest delta of stronger is smaller /);
  });

  it('says no more than is proved where they are not', async () => {
    const { byEpsilon, neverLarger, message } = await compared('gaussian', 'noisier');
    expect(byEpsilon).toEqual([{ from: 0, to: expect.any(Number) as number, smaller: 'second' }]);
    expect(neverLarger).toEqual({ first: false, second: false });
    expect(message).toMatch(/from 0 to .*; beyond that, nothing is proved\.$/);
  });

  it('encloses where two profiles cross', async () => {
    const { byEpsilon, message } = await compared('response', 'gaussian');
    expect(byEpsilon.map(({ smaller }) => smaller)).toEqual(['second', null, 'first']);
    const [, { from, to }] = byEpsilon as [Stretch, Stretch, Stretch];
    expect(to - from).toBeLessThan(1e-4);
    // Each is what it is said to be, beside the crossing.
    for (const [epsilon, smaller] of [
      [from - 1e-6, 'second'],
      [to + 1e-6, 'first'],
    ] as const) {
      const deltas = await Promise.all(
        ['dp:epsilon=1', 'gaussian:sigma=2.2'].map(async (mechanism) => {
          const { stdout } = await type(`compose -m ${mechanism} --epsilon ${epsilon} --json`);
          return (JSON.parse(stdout) as { answer: { delta: { upper: number } } }).answer.delta.upper;
        }),
      );
      expect(deltas[0]! < deltas[1]!).toBe(smaller === 'first');
    }
    expect(message).toMatch(/^Neither is better everywhere/);
  });

  it('takes a guarantee by what it claims and by a mechanism that has it', async () => {
    // 0.1-zCDP is had by Gaussian noise of sigma 2.236.
    const { byEpsilon } = await compared('guarantee', 'noisier');
    expect(byEpsilon.map(({ smaller }) => smaller)).toEqual(['second']);
  });

  it('is certain of nothing where only a claim is known', async () => {
    const { byEpsilon, byRate } = await compared('parts', 'noisier');
    expect([...byEpsilon, ...byRate].every(({ smaller }) => smaller !== 'second')).toBe(true);
    const { stdout } = await type(`compare ${join(folder, 'parts')}.json ${join(folder, 'noisier')}.json`);
    expect(stdout).toContain('For parts, only upper bounds are known');
  });

  it('compares a document with a change of it', async () => {
    const { advantage } = await compared('response', '', '--set mechanisms[0].epsilon=2');
    expect(advantage.smaller).toBe('first');
    const { stdout } = await type(`compare ${join(folder, 'response')}.json --set mechanisms[0].epsilon=2`);
    expect(stdout).toMatch(/^response beside response, changed\n/);
  });

  it.each(['table', 'markdown', 'csv', 'svg', 'plot'])('is also printed as %s', async (format) => {
    const { code, stdout } = await type(
      `compare ${join(folder, 'response')}.json ${join(folder, 'gaussian')}.json --format ${format}`,
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(format === 'csv' ? /^quantity,first\.lower/ : /response/);
  });

  it.each(['compare', 'curve --of tradeoff'])('warns of different neighboring data (%s)', async (command) => {
    const about = async (neighbours: string) => {
      const path = join(folder, `${neighbours}.json`);
      const document = { dpcompose: 1, neighbours, mechanisms: [{ type: 'gaussian', sigma: 2 }] };
      await writeFile(path, JSON.stringify(document));
      return path;
    };
    const [one, other, odd] = await Promise.all(['add-remove', 'replace-one', '\u001b[31m'].map(about));
    const { stderr } = await type(`${command} ${one} ${other}`);
    expect(stderr).toContain('different neighboring relations ("add-remove" and "replace-one")');
    const { stdout } = await type(`${command} ${one} ${other} --json`);
    expect(violations(command === 'compare' ? 'compare' : 'risk-curve', stdout)).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({ warnings: [{ code: 'different-neighbours' }] });
    expect((await type(`${command} ${one} ${one}`)).stderr).toBe('');
    expect((await type(`${command} ${one} ${odd}`)).stderr).toContain('"\\u001b[31m"');
  });

  it('needs two', async () => {
    expect(mistakes(await type('compare --json'))).toEqual(['SECOND: no-input']);
    expect(mistakes(await type('compare - - --json'))).toEqual(['SECOND: conflicting-options']);
  });

  it('is refused with the reason where no theorem covers one', async () => {
    const { code } = await type('compare fixtures/noise.json fixtures/adaptive-parameters.json');
    expect(code).toBe(3);
  });
});
