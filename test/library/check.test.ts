import { describe, expect, it } from 'vitest';
import { check, Decimal, readSpecification, type Limits } from '../../src/index.ts';

const reading = readSpecification('{"dpcompose": 1, "mechanisms": [{"type": "dp", "epsilon": 1}]}');
if (reading.kind !== 'specification') throw new Error('a specification');
const { specification } = reading;
const of = (text: string): Decimal => new Decimal(text);

describe('check of the library', () => {
  it('takes a budget, limits of risks, or both', () => {
    const budget = { epsilon: of('1'), delta: of('0') };
    expect(check([specification], budget)).toMatchObject({ kind: 'within', risks: [] });
    const risks = [
      { measure: 'advantage', most: of('0.47') },
      { measure: 'true-positive-rate', at: of('0.01'), most: of('0.02') },
    ] as const;
    const checked = check([specification], { budget: null, risks });
    if (checked.kind === 'refused') throw new Error('it is covered');
    expect([checked.kind, checked.spent, checked.risks.map(({ kind }) => kind)]).toEqual([
      'exceeds',
      null,
      ['within', 'exceeds'],
    ]);
    expect(check([specification], { budget, risks })).toMatchObject({ kind: 'exceeds', spent: { kind: 'within' } });
  });

  it('refuses to compare with nothing, and rates that no test has', () => {
    expect(() => check([specification], { budget: null, risks: [] })).toThrow(RangeError);
    const misnamed = { budget: null, risk: [] } as unknown as Limits;
    expect(() => check([specification], misnamed)).toThrow(/limits\.risk means nothing: limits has budget or risks/);
    const odd: Limits = { budget: null, risks: [{ measure: 'true-positive-rate', at: of('1'), most: of('1') }] };
    expect(() => check([specification], odd)).toThrow(RangeError);
  });
});
