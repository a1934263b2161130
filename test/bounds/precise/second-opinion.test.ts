import { afterEach, describe, expect, it, vi } from 'vitest';
import { secondOpinion } from '../../../src/composition/compose/second-opinion.ts';
import type { Answer, BoundRow } from '../../../src/composition/core/outcome.ts';
import { asLower, asUpper, type Bracket } from '../../../src/numeric/enclosure.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import type { Arithmetic } from '../../../src/bounds/precise/interval.ts';
import { violations } from '../../output/schema.ts';
import { type } from '../../cli/run.ts';
import { answer, atDelta, atEpsilon, boundedRange, dp, laplace } from '../../mechanisms.ts';

const problem = (entries: readonly Entry[]) => ({ entries, adaptivity: 'adaptive' }) as const;
const hundred = [dp('0.1', 0, { count: 100 })];

/** The answer with one bound's epsilon put in the wrong. */
function doctored(given: Answer, id: string, wrong: (epsilon: Bracket) => Bracket): Answer {
  const bounds = given.bounds.map((row): BoundRow =>
    row.applies && row.id === id ? { ...row, epsilon: wrong(row.epsilon) } : row,
  );
  return { ...given, bounds };
}

describe('the second opinion', () => {
  it('stands beside every bound, and the best one of them beside the answer', () => {
    const twice = secondOpinion(problem(hundred), answer(hundred, atDelta('1e-6')), 50);
    expect(twice.decimal).toEqual({ digits: '4.7745675881079861532859481674697125517396042563652' });
    for (const row of twice.bounds) if (row.applies) expect(row.decimal).toHaveProperty('digits');
  });

  it('says where there is none', () => {
    const noisy = [laplace(10), dp('0.1')];
    const twice = secondOpinion(problem(noisy), answer(noisy, atEpsilon('0.1')), 20);
    expect(twice.bound).toBe('loss-distribution');
    expect(twice.decimal).toEqual({ unavailable: 'needs-lattice' });
  });

  it('does not mind where doubles are loose but safe', () => {
    const tiny = [boundedRange('1e-12', { count: 60 })];
    const bounds = ['br-mgf', 'br-rdp', 'br-optkl'] as const;
    expect(() => secondOpinion(problem(tiny), answer(tiny, atDelta('0.0181'), { bounds }), 30)).not.toThrow();
    const deep = [boundedRange('0.1', { count: 10 })];
    expect(() => secondOpinion(problem(deep), answer(deep, atDelta('1e-320'), { bounds }), 30)).not.toThrow();
  });

  const given = answer(hundred, atDelta('1e-6'));
  const scaled =
    (factor: number) =>
    ({ lower, upper }: Bracket): Bracket => ({
      lower: lower === null ? null : asLower(lower * factor),
      upper: asUpper(upper * factor),
    });

  it.each([
    ['dp-optimal', 1 + 1e-8],
    ['dp-optimal', 1 - 1e-8],
    ['zcdp', 1 - 1e-12],
    ['zcdp', 1 + 2e-6],
  ])('contradicts %s times %d', (id, factor) => {
    const wrong = doctored(given, id, scaled(factor));
    expect(() => secondOpinion(problem(hundred), wrong, 50)).toThrow(
      new RegExp(`^${id} contradicts itself: its epsilon is \\d\\.\\d{49} in decimal arithmetic and .* in doubles$`),
    );
  });

  it('lets an upper bound be a little loose, not too small', () => {
    expect(() => secondOpinion(problem(hundred), doctored(given, 'zcdp', scaled(1 + 5e-7)), 50)).not.toThrow();
  });

  it.each([19, 201, 20.5, NaN])('has 20 to 200 digits, not %d', (digits) => {
    expect(() => secondOpinion(problem(hundred), given, digits)).toThrow(RangeError);
  });
});

const LINE = 'compose -m dp:epsilon=0.1,count=100 --delta 1e-6';

describe('compose --precision', () => {
  it('has decimal strings in its JSON', async () => {
    const { code, stdout, stderr } = await type(`${LINE} --precision 50 --json`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(violations('compose', stdout)).toEqual([]);
    const { answer, bounds } = JSON.parse(stdout) as {
      answer: { decimal: { epsilon: string } };
      bounds: { id: string; decimal?: { epsilon: string } }[];
    };
    expect(answer.decimal.epsilon.slice(0, 26)).toBe('4.774567588107986153285948');
    expect(bounds[0]).toMatchObject({ id: 'dp-optimal', decimal: answer.decimal });
    expect(bounds.find(({ id }) => id === 'basic')?.decimal).toEqual({ epsilon: '10' });
  });

  it('has delta, or the reason, where that is so', async () => {
    const { stdout } = await type('compose -m dp:epsilon=0.1 -m laplace:scale=10 --epsilon 0.1 --precision 20 --json');
    expect(violations('compose', stdout)).toEqual([]);
    const parsed = JSON.parse(stdout) as { answer: object; bounds: { id: string }[] };
    expect(parsed.answer).toMatchObject({ bound: 'loss-distribution', decimal: { code: 'needs-lattice' } });
    expect(parsed.bounds.find(({ id }) => id === 'dp-optimal')).toMatchObject({
      decimal: { delta: expect.stringMatching(/^0\.0\d{20,}$/) as string },
    });
  });

  it('shows the decimals in the table, and which bounds have none', async () => {
    const { stdout } = await type(`${LINE} --precision 30`);
    expect(stdout).toMatch(/^\* dp-optimal +4\.77456758810798615328594816747 /m);
    const noisy = await type('compose -m dp:epsilon=0.1 -m laplace:scale=10 --delta 1e-6 --precision 20');
    expect(noisy.stdout).toContain(
      'loss-distribution is not available in decimal arithmetic: it is computed by integrals or tables.',
    );
  });

  it('changes nothing where it is not asked for', async () => {
    expect((await type(`${LINE} --json`)).stdout).not.toContain('decimal');
  });

  it.each(['19', '201', '20.5', 'many'])('refuses %s digits', async (digits) => {
    const { code, stderr } = await type(`${LINE} --precision ${digits}`);
    expect(code).toBe(2);
    expect(stderr).toContain('--precision: must be a whole number from 20 to 200');
  });
});

describe('a second opinion that contradicts the first', () => {
  afterEach(() => {
    vi.doUnmock('../../../src/bounds/precise/rdp.ts');
    vi.resetModules();
  });

  it('ends compose with 70', async () => {
    vi.resetModules();
    vi.doMock('../../../src/bounds/precise/rdp.ts', async (original) => ({
      ...(await original<object>()),
      zcdp: (_: unknown, a: Arithmetic) => ({
        epsilon: () => a.of(5),
        delta: () => a.of(1),
      }),
    }));
    const fresh = await import('../../cli/run.ts');
    const { code, stderr, stdout } = await fresh.type(`${LINE} --precision 20`);
    expect({ code, stdout }).toEqual({ code: 70, stdout: '' });
    expect(stderr).toContain('zcdp contradicts itself: its epsilon is 5 in decimal arithmetic and at most 5.219');
  });
});
