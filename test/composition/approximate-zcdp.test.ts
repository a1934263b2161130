import { describe, expect, it } from 'vitest';
import { compose } from '../../src/composition/compose/compose.ts';
import { compose as composeOfLibrary } from '../../src/library/compose.ts';
import type { Specification } from '../../src/document/core/specification.ts';
import {
  documentOf,
  errorsOf,
  errorsOfFlags,
  specificationOf,
  specificationOfFlags,
  summary,
} from '../document/helpers.ts';
import { answer, atDelta, atEpsilon, decimal, gaussian, zcdp } from '../mechanisms.ts';
import { type } from '../cli/run.ts';

const TEXT = '{"type":"zcdp","rho":"0.1","delta":"1e-5","count":3}';
const FLAG = 'zcdp:rho=0.1,delta=1e-5,count=3';

/** 1 - (1 - 1e-5)^3 (1 - delta). */
const withFailures = (delta: number): number => -Math.expm1(3 * Math.log1p(-1e-5) + Math.log1p(-delta));

function answerOf(specification: Specification, query = atEpsilon('1')) {
  const outcome = compose(specification, query);
  if (outcome.kind === 'refusal') throw new Error(outcome.refusal.code);
  return outcome.answer;
}

describe('approximate zCDP', () => {
  it('adds its deltas to what is left, in a document as in a flag', () => {
    for (const specification of [specificationOf(documentOf(TEXT)), specificationOfFlags({ mechanisms: [FLAG] })]) {
      for (const epsilon of ['0.5', '1', '2', '4']) {
        const { delta } = answerOf(specification, atEpsilon(epsilon));
        const pure = answer([zcdp('0.1', { count: 3 })], atEpsilon(epsilon)).delta.upper;
        expect(delta.upper / withFailures(pure)).toBeCloseTo(1, 9);
        // Gaussian noise of that rho that gives everything away once in 100,000 times is such a mechanism.
        const noise = answer([gaussian(decimal(5).sqrt().toString(), { count: 3 })], atEpsilon(epsilon)).delta;
        expect(delta.upper).toBeGreaterThanOrEqual(withFailures(noise.lower!) * (1 - 1e-12));
      }
    }
  });

  it('has no finite epsilon below its deltas', () => {
    const found = answerOf(specificationOfFlags({ mechanisms: [FLAG] }), atDelta('2e-5'));
    expect(found.epsilon.upper).toBe(Infinity);
    expect(found.warnings.map(({ code }) => code)).toEqual(['delta-infeasible']);
  });

  it('counts as one mechanism each, without a warning of mixed classes', async () => {
    const { stdout, stderr } = await type(`compose -m ${FLAG} --delta 1e-4`);
    expect(stderr).toBe('');
    expect(stdout).toContain('3 mechanisms');
    expect(stdout).not.toContain('6 mechanisms');
  });

  it('keeps its label and its delta in the normal form, which gives the same answer again', async () => {
    const { stdout } = await type(`compose -m ${FLAG},label=histogram --delta 1e-4 --json`);
    const { input, answer: first } = JSON.parse(stdout) as { input: unknown; answer: { epsilon: unknown } };
    expect(input).toMatchObject({
      mechanisms: [{ type: 'zcdp', rho: 0.1, delta: 0.00001, count: 3, label: 'histogram' }],
    });
    const again = await type('compose - --delta 1e-4 --json', { stdin: JSON.stringify(input) });
    expect((JSON.parse(again.stdout) as { answer: unknown }).answer).toEqual(first);
  });

  it('is zCDP where delta is 0', () => {
    expect(specificationOf(documentOf('{"type":"zcdp","rho":"0.1","delta":0,"kind":"interactive"}')).entries).toEqual([
      zcdp('0.1', { kind: 'interactive' }),
    ]);
  });

  it('still reveals with probability delta where rho is 0', () => {
    const { delta } = answerOf(specificationOfFlags({ mechanisms: ['zcdp:rho=0,delta=0.25,count=2'] }));
    expect(delta.upper).toBeGreaterThanOrEqual(0.4375);
    expect(delta.upper).toBeCloseTo(0.4375, 12);
  });

  it('pays of two parts of the data at most the larger rho and the larger delta', () => {
    const parts = '{"type":"zcdp","rho":"0.1","delta":"1e-5"},{"type":"zcdp","rho":"0.05","delta":"1e-4"}';
    const claimOf = (flag: string): number => answerOf(specificationOfFlags({ mechanisms: [flag] })).delta.upper;
    const found = answerOf(specificationOf(documentOf(`{"type":"partition","of":[${parts}]}`))).delta.upper;
    expect(found).toBeLessThanOrEqual(claimOf('zcdp:rho=0.1,delta=1e-4') * (1 + 1e-12));
    expect(found).toBeGreaterThanOrEqual(claimOf('zcdp:rho=0.1,delta=1e-5') * (1 - 1e-12));
    // Beside another mechanism, parts are no longer one (epsilon, delta) each.
    const beside = `{"type":"partition","of":[${parts}]},{"type":"zcdp","rho":"0.1","count":20}`;
    const both = answerOf(specificationOf(documentOf(beside)), atEpsilon('5')).delta.upper;
    const flags = ['zcdp:rho=0.1,delta=1e-4', 'zcdp:rho=0.1,count=20'];
    const ranked = answerOf(specificationOfFlags({ mechanisms: flags }), atEpsilon('5')).delta.upper;
    expect(both / ranked).toBeCloseTo(1, 9);
  });

  it('is refused of interactive mechanisms, also where their kind stands around them', () => {
    const interactive = '{"type":"zcdp","rho":"0.1","delta":"1e-5","kind":"continual"}';
    expect(summary(errorsOf(documentOf(interactive)))).toEqual(['conflicting-keys mechanisms[0].delta']);
    const inside = `{"type":"parallel","sparsity":1,"kind":"interactive","of":${TEXT}}`;
    expect(summary(errorsOf(documentOf(inside)))).toEqual(['conflicting-keys mechanisms[0].of.delta']);
    expect(summary(errorsOfFlags({ mechanisms: ['zcdp:rho=1,delta=0.1,kind=interactive'] }))).toEqual([
      'conflicting-keys -m #1 delta',
    ]);
  });

  it('is taken by the library, of mechanisms that answer once', () => {
    const entries = [zcdp('0.1', { count: 3, delta: '1e-5' })];
    const outcome = composeOfLibrary({ entries, adaptivity: 'adaptive' }, atEpsilon('1'));
    expect(outcome).toMatchObject({
      answer: { delta: answerOf(specificationOfFlags({ mechanisms: [FLAG] })).delta },
    });
    const interactive = [zcdp('0.1', { kind: 'interactive', delta: '1e-5' })];
    expect(() => composeOfLibrary({ entries: interactive, adaptivity: 'adaptive' }, atEpsilon('1'))).toThrow(
      'kind must be',
    );
    const negative = [zcdp('0.1', { delta: '-1' })];
    expect(() => composeOfLibrary({ entries: negative, adaptivity: 'adaptive' }, atEpsilon('1'))).toThrow('delta');
  });

  it('has infinite divergences, and no lower risk than such noise', async () => {
    const { stdout } = await type('risk -m zcdp:rho=0.1,delta=0.01 --divergence renyi:2 --json');
    const risk = JSON.parse(stdout) as { advantage: { lower: number; upper: number }; divergences: unknown };
    expect(risk.divergences).toMatchObject([{ value: { lower: 'Infinity', upper: 'Infinity' } }]);
    const { lower, upper } = risk.advantage;
    const noise = answer([gaussian(decimal(5).sqrt().toString())], atEpsilon('0')).delta;
    expect(lower).toBeLessThanOrEqual(upper);
    expect(upper).toBeGreaterThanOrEqual(1 - 0.99 * (1 - noise.lower!));
    expect(lower).toBeCloseTo(1 - 0.99 * (1 - noise.lower!), 9);
  });

  it('is an event of no other accountant', async () => {
    const stdin = documentOf(TEXT);
    const { code, stdout, stderr } = await type('convert - --format dp-accounting', { stdin });
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain('zcdp');
  });

  it('bounds pairs whose failures differ between the neighbours, chosen by the answer before', () => {
    // Randomized response of epsilon e, which is (e tanh(e / 2))-zCDP; what is revealed may also look like an answer of it.
    const core = (e: number): [number[], number[]] => {
      const yes = 1 / (1 + Math.exp(-e));
      return [
        [yes, 1 - yes, 0, 0],
        [1 - yes, yes, 0, 0],
      ];
    };
    const failing = (list: number[], mass: number, at: number): number[] =>
      list.map((x, i) => (1 - mass) * x + (i === at ? mass : 0));
    const pairs = [1, 0.5, 0.25].flatMap((e) => {
      const [p, q] = core(e);
      return [0, 0.05, 0.2].flatMap((other) => [
        [failing(p, 0.2, 2), failing(q, other, 3)] as const,
        [failing(p, 0.2, 0), failing(q, other, 1)] as const,
        [failing(p, other, 0), failing(q, 0.2, 0)] as const,
      ]);
    });
    const entries = [zcdp('0.4621172', { count: 2, delta: '0.2' })];
    const divergence = (p: readonly number[], q: readonly number[], e: number): number =>
      p.reduce((sum, x, i) => sum + Math.max(0, x - Math.exp(e) * q[i]!), 0);
    for (const epsilon of [0, 0.25, 0.5, 1, 1.5, 2, 3]) {
      const claim = answer(entries, atEpsilon(epsilon)).delta.upper;
      for (const [first, [p, q]] of pairs.entries()) {
        const next = (answered: number) => pairs[(first * 5 + answered * 7) % pairs.length]!;
        const real = divergence(
          p.flatMap((x, i) => next(i)[0].map((y) => x * y)),
          q.flatMap((x, i) => next(i)[1].map((y) => x * y)),
          epsilon,
        );
        expect(real).toBeLessThanOrEqual(claim);
      }
    }
  });
});
