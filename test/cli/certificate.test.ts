import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Written } from '../certificates/questions.ts';
import { type, type Run } from './run.ts';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'dpcompose-'));
});
afterEach(() => {
  rmSync(cwd, { recursive: true });
});

const FILE = 'proof.json';
const compose = (words: string): Promise<Run> => type(`compose ${words} --certificate ${FILE}`, { cwd });
const certificate = (): Written => JSON.parse(readFileSync(join(cwd, FILE), 'utf8')) as Written;

const EQUAL = '-m dp:epsilon=0.1,count=100 --delta 1e-6';

describe('compose --certificate', () => {
  it.each(['', ' --json', ' -q'])('prints what it prints without it%s', async (form) => {
    const [plain, own] = [await type(`compose ${EQUAL}${form}`, { cwd }), await compose(EQUAL + form)];
    expect(own).toEqual(plain);
    expect(certificate().upper.theorem).toBe('dp-optimal');
  });

  it('has the parameters as they were typed, and the ends of the answer exactly', async () => {
    const { answer } = JSON.parse((await compose(`${EQUAL} --json`)).stdout) as {
      answer: { epsilon: { lower: number; upper: number } };
    };
    const { mechanisms, upper, lower } = certificate();
    expect(mechanisms).toEqual([{ type: 'dp', epsilon: '0.1', delta: '0', count: 100, kind: 'noninteractive' }]);
    const valueOf = (text: string): number => {
      const [numerator, denominator] = text.split('/').map(Number) as [number, number];
      return numerator / denominator;
    };
    expect([lower, upper].map((end) => valueOf(end!.epsilon))).toEqual([answer.epsilon.lower, answer.epsilon.upper]);
  });

  it('keeps a variance, and parameters that no double has', async () => {
    await compose('-m gaussian:variance=10000/11 -m gdp:mu=0.12345678901234567890123 --delta 1e-6');
    expect(certificate().mechanisms).toMatchObject([
      { type: 'gaussian', variance: '10000/11', sensitivity: '1' },
      { type: 'gdp', mu: '0.12345678901234567890123' },
    ]);
  });

  it('claims the double above an epsilon that has more digits than a reader takes', async () => {
    await compose('-m dp:epsilon=0.011,delta=5.35e-12,count=80 --epsilon 1.49');
    const { upper } = certificate();
    expect(upper.delta.length).toBeLessThan(1000);
    expect(upper.delta).toContain('/');
  });

  it('is of the sum of all epsilons where a Renyi bound claims no less', async () => {
    await compose('-m dp:epsilon=1 -m laplace:scale=1 --delta 1e-30 --bounds zcdp,basic');
    expect(certificate().upper).toEqual({ theorem: 'basic', epsilon: '2', delta: '1e-30', witness: {} });
  });

  it('is of the smallest bound that can be verified, and says so', async () => {
    const { code, stderr } = await compose('-m laplace:scale=10,count=30 --delta 1e-6');
    expect([code, stderr]).toEqual([
      0,
      'note: The certificate is of the bound dp-optimal, which is weaker than loss-distribution.\n',
    ]);
    expect(certificate()).toMatchObject({ upper: { theorem: 'dp-optimal' }, lower: null });
  });

  it.each([
    ['-m randomized-response:epsilon=1,categories=2 --delta 1e-6', 'randomized-response'],
    ['-m dp:epsilon=1,delta=0.1 --delta 1e-6', 'no finite epsilon'],
    ['-m gaussian:sigma=1 --epsilon -1', 'epsilon'],
    ['-m exponential:epsilon=0.1,count=400 --nonadaptive --delta 1e-6 --bounds br-nonadaptive', 'short exact sum'],
  ])('refuses %s, and writes nothing', async (words, reason) => {
    const { code, stdout, stderr } = await compose(words);
    expect([code, stdout, existsSync(join(cwd, FILE))]).toEqual([3, '', false]);
    expect(stderr).toContain(reason);
  });

  it.each([
    ['parts', '{"type":"parallel","instances":3,"sparsity":1,"of":{"type":"dp","epsilon":"0.1"}}'],
    ['an infinite order', '{"type":"rdp","orders":[["8","0.2"],["Infinity","1"]]}'],
  ])('refuses %s by its code', async (_, node) => {
    writeFileSync(join(cwd, 'a.json'), `{"dpcompose":1,"mechanisms":[${node}],"target":{"delta":"1e-6"}}`);
    const { code, stdout } = await compose('a.json --json');
    expect([code, (JSON.parse(stdout) as { code: string }).code]).toEqual([3, 'not-certifiable']);
  });

  it('overwrites a certificate, and no specification without --force', async () => {
    for (const text of ['', '{"certificate": "dpcompose.certificate/1"}']) {
      writeFileSync(join(cwd, FILE), text);
      expect((await compose(EQUAL)).code).toBe(0);
    }
    const specification = '{"dpcompose":1,"mechanisms":[]}';
    writeFileSync(join(cwd, FILE), specification);
    expect((await compose(EQUAL)).code).toBe(2);
    expect(readFileSync(join(cwd, FILE), 'utf8')).toBe(specification);
    expect((await compose(`${EQUAL} --force`)).code).toBe(0);
    expect(certificate().lower?.theorem).toBe('dp-optimal');
  });
});
