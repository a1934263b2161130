import { describe, expect, it } from 'vitest';
import { gapOutput } from '../../../src/output/gap.ts';
import { incomplete, overCount, overEpsilon, single } from './answers.ts';
import { violations } from '../schema.ts';

describe('gap --json', () => {
  it('is what its schema says, for every kind of answer', () => {
    for (const each of [overCount, overEpsilon, incomplete, single(0, Infinity), single(0, 0)]) {
      expect(violations('gap', gapOutput(each).json('0.1.0'))).toEqual([]);
    }
  });

  it('is one document with the input, every row and the largest gap', () => {
    expect(JSON.parse(gapOutput(incomplete).json('0.1.0'))).toEqual({
      schema: 'dpcompose.gap/1',
      version: '0.1.0',
      input: { each: [0.1], count: [10, 100, 10_000], delta: [0.000001] },
      solveFor: 'epsilon',
      rows: [
        {
          each: 0.1,
          count: 10,
          delta: 1e-6,
          nonadaptive: { lower: 0.62863683877321, upper: 0.62863683877326 },
          adaptive: { lower: 0.63414769677926, upper: 0.63418629358054 },
          ratio: { lower: 0.0087663618, upper: 0.0088277595 },
          difference: { lower: 0.0055108580059, upper: 0.0055494548074 },
        },
        expect.objectContaining({ count: 100 }),
        {
          each: 0.1,
          count: 10_000,
          delta: 1e-6,
          nonadaptive: { lower: 2.2460262124561, upper: 2.2460262124564 },
          adaptive: null,
          ratio: null,
          difference: null,
          code: 'too-large',
          reason: 'is computed for at most 5000 mechanisms only',
        },
      ],
      largest: { ratio: { lower: 0.0087663618, upper: 0.0088277595 }, row: 0 },
      warnings: [
        { code: 'tolerance-not-met', message: expect.stringContaining('For 1 value, the relative gap') as string },
      ],
    });
  });

  it('names the epsilons where deltas are compared, and has no ratio to 0', () => {
    const { input, solveFor, rows } = JSON.parse(gapOutput(overEpsilon).json('0.1.0')) as Record<string, unknown[]>;
    expect(input).toEqual({ each: [0.1], count: [30], epsilon: [1, 3] });
    expect(solveFor).toBe('delta');
    expect(rows![1]).toMatchObject({ epsilon: 3, ratio: null, difference: { lower: 0, upper: 0 } });
  });

  it('has no number that JSON does not know', () => {
    expect(gapOutput(single(0, Infinity)).json('0.1.0')).toContain('"upper": "Infinity"');
  });
});

describe('the schema of gap --json', () => {
  const changed = (change: (row: Record<string, unknown>) => void): string => {
    const document = JSON.parse(gapOutput(overCount).json('0.1.0')) as { rows: Record<string, unknown>[] };
    change(document.rows[0]!);
    return JSON.stringify(document);
  };

  it.each([
    ['without what is given', (row: Record<string, unknown>) => delete row.delta],
    ['with both epsilon and delta given', (row: Record<string, unknown>) => (row.epsilon = 1)],
    ['without a reason where nothing is computed', (row: Record<string, unknown>) => (row.adaptive = null)],
    ['with one end only', (row: Record<string, unknown>) => (row.ratio = { upper: 1 })],
    ['with a count of 1.5', (row: Record<string, unknown>) => (row.count = 1.5)],
  ])('allows no row %s', (_, change) => {
    expect(violations('gap', changed(change))).not.toEqual([]);
  });
});
