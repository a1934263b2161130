import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { violations } from '../../output/schema.ts';
import { mistakes, run, type Run } from '../run.ts';

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'dpcompose-risk-'));
  await put('a.json', { dpcompose: 1, mechanisms: [{ type: 'dp', epsilon: 1 }] });
});
afterEach(async () => {
  await rm(cwd, { recursive: true });
});

const put = (name: string, document: object): Promise<void> => writeFile(join(cwd, name), JSON.stringify(document));
const check = (...words: readonly string[]): Promise<Run> => run(['check', ...words], { cwd });

interface Risk {
  readonly measure: string;
  readonly falsePositiveRate?: number;
  readonly most: number;
  readonly value: { lower: number; upper: number };
  readonly status: string;
}

interface Result {
  readonly status: string;
  readonly budget: object | null;
  readonly epsilon: object | null;
  readonly risks?: Risk[];
  readonly message: string;
  readonly changes: { kind: string; to: string | number; next: string }[];
}

async function results(...words: readonly string[]): Promise<Result[]> {
  const { stdout } = await check(...words, '--json');
  expect(violations('check', stdout)).toEqual([]);
  return (JSON.parse(stdout) as { scopes: { results: Result[] }[] }).scopes.flatMap((scope) => scope.results);
}

const policy = (...scopes: object[]): object => ({
  dpcompose: 1,
  scopes: scopes.map((scope, index) => ({ name: `scope ${index}`, specs: ['a.json'], ...scope })),
});

describe('limits of risks in dpcompose check', () => {
  // Of epsilon 1 alone: advantage (e - 1) / (e + 1) = 0.46211715..., true-positive rate at 0.01 0.01 e = 0.0271828...
  it('are kept where the upper end is at most the limit, to the last digits', async () => {
    expect((await check('a.json', '--max-advantage', '0.4621171573')).code).toBe(0);
    expect((await check('a.json', '--max-advantage', '0.4621171572')).code).toBe(1);
    expect((await check('a.json', '--max-tpr', '0.02718281829@0.01')).code).toBe(0);
    expect((await check('a.json', '--max-tpr', '0.02718281828@0.01')).code).toBe(1);
    expect((await check('a.json', '--max-tpr', '0.3@0.1', '--max-tpr', '0.02@0.01')).code).toBe(1);
  });

  it('stand beside a budget, and all must be kept', async () => {
    const both = async (epsilon: string, advantage: string): Promise<string> =>
      (await results('a.json', '--epsilon', epsilon, '--delta', '0', '--max-advantage', advantage))[0]!.status;
    expect([
      await both('1', '0.5'),
      await both('0.9', '0.5'),
      await both('1', '0.4'),
      await both('0.9', '0.4'),
    ]).toEqual(['within', 'exceeds', 'exceeds', 'exceeds']);
    const [alone] = await results('a.json', '--max-advantage', '0.5');
    expect(alone).toMatchObject({ budget: null, epsilon: null, status: 'within' });
    expect(alone!.risks).toMatchObject([{ measure: 'advantage', most: 0.5, status: 'within' }]);
  });

  it('say by how much they are broken, those first, in every form', async () => {
    const words = ['a.json', '--epsilon', '1', '--delta', '0', '--max-advantage', '0.4', '--max-tpr', '0.02@0.01'];
    const [found] = await results(...words);
    expect(found!.message.split('\n')).toEqual([
      'advantage is at least 0.4621171572, 0.06211 more than 0.4',
      'true-positive rate at false-positive rate 0.01 is at least 0.02718281828, 0.007182 more than 0.02',
      'epsilon is 1 of 1 at delta 0',
    ]);
    for (const format of ['text', 'markdown', 'junit', 'sarif', 'github']) {
      const { code, stdout } = await check(...words, '--format', format);
      expect([format, code, stdout.includes('advantage is at least 0.4621171572')]).toEqual([format, 1, true]);
    }
    expect((await check(...words, '--format', 'markdown')).stdout).toContain(
      '| specification | epsilon | advantage | true-positive rate at false-positive rate 0.01 | within |',
    );
  });

  it('offer changes that are enough for all of them', async () => {
    await put('many.json', { dpcompose: 1, mechanisms: [{ type: 'dp', epsilon: '0.3', count: 9 }] });
    const limits = ['--max-advantage', '0.3', '--max-tpr', '0.02@0.01'];
    const [found] = await results('many.json', ...limits);
    expect(found!.changes.map(({ kind }) => kind).sort()).toEqual(['count', 'parameter']);
    for (const { kind, to } of found!.changes) {
      const place = kind === 'count' ? 'mechanisms[0].count' : 'mechanisms[0].epsilon';
      expect((await check('many.json', '--set', `${place}=${to}`, ...limits)).code).toBe(0);
    }
    const [alone] = await results('many.json', '--max-tpr', '0.02@0.01');
    // The budget that is enough for a rate is not needed for it.
    expect(alone!.changes.map(({ next }) => next)).not.toContain('exceeds');
  });

  it('stand in policies, with a budget or without', async () => {
    await put(
      'p.json',
      policy(
        { risk: { 'max-advantage': '0.5', 'max-tpr': { at: '0.01', most: '0.03' } } },
        {
          risk: {
            'max-tpr': [
              { at: '0.1', most: '0.28' },
              { at: 0.01, most: 0.02 },
            ],
          },
        },
        { budget: { epsilon: 1, delta: 0 }, risk: { 'max-advantage': 0 } },
      ),
    );
    const found = await results('--policy', 'p.json');
    expect(found.map(({ status, risks }) => [status, risks!.map((risk) => risk.status).join(' ')])).toEqual([
      ['within', 'within within'],
      ['exceeds', 'within exceeds'],
      ['exceeds', 'exceeds'],
    ]);
    const { stdout } = await check('--policy', 'p.json');
    expect(stdout).toContain(
      'scope 0, limit of each file: advantage 0.5 and true-positive rate 0.03 at false-positive rate 0.01\n',
    );
  });

  it('are never kept by what is refused, or given up', async () => {
    await put('refused.json', { dpcompose: 1, adaptivity: 'parameters', mechanisms: [{ type: 'dp', epsilon: 1 }] });
    expect((await check('refused.json', '--max-advantage', '1')).code).toBe(3);
    await put('slow.json', { dpcompose: 1, mechanisms: [{ type: 'exponential', epsilon: '0.1', count: 100 }] });
    const [full] = await results('slow.json', '--max-advantage', '0.2');
    const [hurried] = await results('slow.json', '--max-advantage', '0.2', '--max-seconds', '0.000001');
    expect([full!.status, hurried!.status]).toEqual(['within', 'undecided']);
  });

  it('are read with their places', async () => {
    const fails = async (scope: object): Promise<string[]> => {
      await put('p.json', policy(scope));
      return mistakes(await check('--policy', 'p.json', '--json'));
    };
    expect(await fails({})).toEqual(['scopes[0]: missing-key']);
    expect(await fails({ risk: {} })).toEqual(['scopes[0].risk: missing-key']);
    expect(await fails({ risk: { 'max-advantage': 2 } })).toEqual(['scopes[0].risk.max-advantage: out-of-range']);
    expect(await fails({ risk: { 'max-tpr': [] } })).toEqual(['scopes[0].risk.max-tpr: empty-list']);
    expect(await fails({ risk: { 'max-tpr': { at: 0, most: 0.1 } } })).toEqual([
      'scopes[0].risk.max-tpr[0].at: out-of-range',
    ]);
    expect(await fails({ risk: { 'max-tpr': 0.1 } })).toEqual(['scopes[0].risk.max-tpr[0]: wrong-type']);
    expect(mistakes(await check('a.json', '--max-advantage', '2', '--max-tpr', '0.1', '--json'))).toEqual([
      '--max-advantage: out-of-range',
      '--max-tpr: malformed-flag',
    ]);
    expect(mistakes(await check('a.json', '--max-tpr', '0.1@1', '--json'))).toEqual(['--max-tpr: out-of-range']);
    await put('p.json', policy({ risk: { 'max-advantage': 1 } }));
    expect(mistakes(await check('--policy', 'p.json', '--max-advantage', '1', '--json'))).toEqual([
      '--max-advantage: conflicting-options',
    ]);
  });
});
