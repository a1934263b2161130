import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { gapHeading, gapStatement } from '../../../src/output/gap.ts';
import { incomplete, overCount, overEpsilon, single, ten, tooMany } from './answers.ts';

describe('the statement of a gap', () => {
  it('names the largest gap that is certain, and what none exceeds', () => {
    expect(gapStatement(overCount)).toEqual([
      'Mechanisms that are chosen adaptively, not fixed in advance, need at least 0.8766% more epsilon at count 10, and nowhere here more than 0.8828%.',
    ]);
  });

  it('rounds each end to its side', () => {
    expect(gapStatement(single(0.0123456, 0.0123454 * 2))[0]).toContain('1.234 to 2.47%');
  });

  it.each([
    ['a gap', single(2 ** -7, 2 ** -6), 'need 0.7812 to 1.563% more epsilon here.'],
    [
      'what may be none',
      single(0, 2 ** -9),
      'need at most 0.1954% more epsilon here; that they need more is not certain.',
    ],
    ['none', single(0, 0), 'Adaptivity costs nothing here: both optima are the same.'],
    ['what has no ratio', { ...overEpsilon, largest: null }, 'The nonadaptive optimum is 0: there is no ratio to it.'],
    ['nothing', { ...overCount, rows: [tooMany], largest: null }, 'No adaptive optimum is computed here.'],
  ])('says so where there is only %s', (_, answer, sentence) => {
    expect(gapStatement(answer)[0]).toContain(sentence);
  });

  it('says once why rows are not computed', () => {
    const twice = { ...incomplete, rows: [ten, tooMany, tooMany] };
    expect(gapStatement(twice).slice(1)).toEqual([
      'Where no adaptive optimum is computed: br-adaptive is computed for at most 5000 mechanisms only.',
    ]);
  });

  it('names a bounded range that varies', () => {
    const question = { ...overCount.question, count: [10], each: [new Decimal('0.1'), new Decimal(1)] };
    expect(gapStatement({ ...overCount, question })[0]).toContain('epsilon with 0.1-bounded range, and');
  });
});

describe('the heading', () => {
  it('says what all rows have in common', () => {
    const { question } = overCount;
    expect(gapHeading(question)).toBe('Smallest epsilon at delta 1e-6 of mechanisms of 0.1-bounded range');
    expect(gapHeading(overEpsilon.question)).toBe('Smallest delta of 30 mechanisms of 0.1-bounded range');
    expect(gapHeading({ ...question, count: [1] })).toBe(
      'Smallest epsilon at delta 1e-6 of 1 mechanism of 0.1-bounded range',
    );
    expect(gapHeading({ ...question, count: [1000], each: [new Decimal(1), new Decimal(2)] })).toBe(
      'Smallest epsilon at delta 1e-6 of 1,000 mechanisms of bounded range',
    );
  });
});
