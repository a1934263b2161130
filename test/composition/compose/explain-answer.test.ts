import { describe, expect, it } from 'vitest';
import { explainAnswer, type GivenAnswer } from '../../../src/composition/compose/explain-answer.ts';

const answer: GivenAnswer = {
  solveFor: 'epsilon',
  given: 1e-6,
  upper: 2,
  lower: 1.5,
  tight: false,
  bound: 'rdp',
  rows: [
    { id: 'rdp', name: 'a', applies: true, upper: 2 },
    { id: 'zcdp', name: 'b', applies: true, upper: 2 },
    { id: 'basic', name: 'c', applies: true, upper: 3 },
    { id: 'advanced-kov', name: 'd', applies: true, upper: Infinity },
    { id: 'gaussian', name: 'e', applies: false, code: 'needs-types', reason: 'holds for others' },
  ],
};

describe('the explanation of an answer', () => {
  it('says of every other bound how it fared', () => {
    const fates = explainAnswer(answer).others.map(({ id, fate }) => [id, fate]);
    expect(fates).toEqual([
      ['zcdp', { kind: 'ties', upper: 2 }],
      ['basic', { kind: 'larger', upper: 3, excess: 0.5 }],
      ['advanced-kov', { kind: 'claims-nothing' }],
      ['gaussian', { kind: 'does-not-apply', code: 'needs-types', reason: 'holds for others' }],
    ]);
  });

  it('says how far the claim may be from the smallest', () => {
    expect(explainAnswer(answer).room).toBeCloseTo(1 / 3, 12);
    expect(explainAnswer({ ...answer, lower: null }).room).toBeNull();
    expect(explainAnswer({ ...answer, lower: 0 }).room).toBeNull();
  });

  it('knows nothing larger than an answer of 0 but by itself', () => {
    const nothing = explainAnswer({ ...answer, upper: 0, lower: 0 });
    expect(nothing.others[1]?.fate).toEqual({ kind: 'larger', upper: 3, excess: Infinity });
  });
});
