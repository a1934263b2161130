import { describe, expect, it } from 'vitest';
import { mistakes, type } from '../run.ts';
import { csv, lazy, seen } from './helpers.ts';

interface Rates {
  readonly input: object;
  readonly rows: { id: string; status: string; values: (number | string)[]; freeUntil: number | string | null }[];
}

interface LowerBound {
  readonly status: string;
  readonly conditions: { id: string; stated: boolean; holds: boolean }[];
  readonly construction: Record<string, number>;
  readonly terms: { free: number; privacy: number };
  readonly explicit: number;
}

describe('dpcompose lazy rates', () => {
  it.each([
    ['a', 'oco', 'akst23'],
    ['b', 'oco', 'kms21'],
    ['c', 'ope', 'afkt23'],
  ])('has part %s of Figure 1', async (figure, problem, other) => {
    const { input, rows } = await lazy<Rates>(`rates --figure ${figure} --alpha 0,0.25,0.5`);
    expect(input).toMatchObject({ kind: 'exponents', problem, alpha: [0, 0.25, 0.5] });
    expect(rows.map(({ id }) => id)).toContain(other);
    for (const { values } of rows) expect(values).toHaveLength(3);
  });

  it('says what is claimed and what is proved', async () => {
    const { rows } = await lazy<Rates>('rates');
    expect(rows.slice(0, 2).map(({ id, status, freeUntil }) => [id, status, freeUntil])).toEqual(
      [
        ['l2p', 'claimed', 0.25],
        ['l2p-safe', 'derived', 1 / 6],
      ].map(([id, status, free]) => [id, status, expect.closeTo(free as number, 12) as unknown]),
    );
    const { stdout } = await seen('rates');
    const text = stdout.replaceAll('\n', ' ');
    expect(text).toContain('l2p rests on Proposition 3.3 of the paper, which is not proved');
    expect(text).toContain('The second rate of afkt23 is printed without its factor in d: ln d is put in.');
  });

  it('has the rates of Table 1 for given numbers', async () => {
    const { rows } = await lazy<Rates>('rates ope --rounds 1e6 --experts 1000 --epsilon 0.01,0.1,1');
    expect(rows.find(({ id }) => id === 'non-private')!.values).toEqual(
      [1, 1, 1].map(() => expect.closeTo(Math.sqrt(1e6 * Math.log(1000)), 6) as unknown),
    );
    expect((await seen('rates oco --rounds 1e6 --dimension 100 --epsilon 0.1')).stdout).toContain(
      'Regret rates of convex optimization with constant 1: T 1,000,000, d 100',
    );
  });

  it('is comma-separated values for a plot', async () => {
    const rows = await csv('rates oco --gamma 0.2 --alpha 0:1:0.1');
    expect(rows.length).toBeGreaterThanOrEqual(11);
  });

  it.each<[string, string, string[]]>([
    ['a part that is not there', 'rates --figure z', ['--figure: unknown-value']],
    ['a part about the other problem', 'rates ope --figure a', ['--figure: conflicting-options']],
    ['two gammas', 'rates --figure b --gamma 1', ['--gamma: conflicting-options']],
    ['exponents and rates', 'rates --rounds 10 --experts 2 --epsilon 1 --alpha 0.5', ['--alpha: conflicting-options']],
    ['rates without numbers', 'rates --rounds 10', ['--experts: missing-option', '--epsilon: missing-option']],
    ['an alpha above 1', 'rates --alpha 2', ['--alpha: out-of-range']],
  ])('exits with 2 for %s', async (_, line, expected) => {
    const found = await type(`lazy ${line} --json`);
    expect(found.code).toBe(2);
    expect(mistakes(found)).toEqual(expected);
  });
});

describe('dpcompose lazy rates --lower-bound', () => {
  it('has the construction and the bound with a constant, as a claim', async () => {
    const found = await lazy<LowerBound>('rates --lower-bound --rounds 1e6 --experts 1000 --epsilon 0.01');
    expect(found.status).toBe('claimed');
    expect(found.construction.switches).toBeCloseTo(464.1589, 4);
    expect(found.explicit).toBeCloseTo(1110.37599, 5);
    expect(found.conditions.every(({ holds }) => holds)).toBe(true);
  });

  it('says nothing where its condition fails, and which conditions of its proof are missing', async () => {
    const nothing = 'rates --lower-bound --rounds 1000 --experts 1000 --epsilon 0.01';
    expect((await lazy<LowerBound>(nothing)).conditions[0]).toMatchObject({ stated: true, holds: false });
    expect((await seen(nothing)).stdout).toContain('it says nothing here');
    const few = await seen('rates --lower-bound --rounds 1e9 --experts 2 --epsilon 0.001');
    expect(few.stdout).toContain('its statement does not have');
    const many = await lazy<LowerBound>('rates --lower-bound --rounds 1e6 --experts 1000 --epsilon 1');
    expect(many.conditions.filter(({ holds }) => !holds).map(({ id }) => id)).toEqual(['epoch']);
  });

  it('is comma-separated values, one for each condition', async () => {
    const rows = await csv('rates --lower-bound --rounds 1e6 --experts 1000 --epsilon 0.01');
    expect(rows.map(({ id }) => id)).toEqual(['epsilon', 'conversion', 'experts', 'epoch']);
  });

  it('exits with 2 for what it cannot read', async () => {
    const found = await type('lazy rates --lower-bound --rounds 1e6 --experts 1 --json');
    expect(found.code).toBe(2);
    expect(mistakes(found)).toEqual(['--experts: out-of-range', '--epsilon: missing-option']);
  });
});
