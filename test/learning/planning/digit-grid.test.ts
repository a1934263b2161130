import { describe, expect, it } from 'vitest';
import { certainCrossing } from '../../../src/learning/accounting/curve-bounds.ts';
import { gridIndexBelow, gridValue, lastAllowed } from '../../../src/learning/planning/search.ts';

describe('decimals of four digits', () => {
  it('are numbered in their order', () => {
    expect([-9001, -9000, -1, 0, 1, 8999, 9000].map((index) => gridValue(index).toString())).toEqual([
      '0.09999',
      '0.1',
      '0.9999',
      '1',
      '1.001',
      '9.999',
      '10',
    ]);
    for (let index = -30_000; index < 30_000; index += 701) {
      expect(gridIndexBelow(gridValue(index).toNumber() * (1 + 1e-9))).toBe(index);
      expect(gridIndexBelow(gridValue(index).toNumber() * (1 - 1e-9))).toBe(index - 1);
      expect(gridValue(index + 1).gt(gridValue(index))).toBe(true);
    }
  });

  it('are searched for one that is allowed while the next is not, from anywhere', () => {
    for (const last of [-40, 0, 7, 99]) {
      for (const start of [-200, -41, -1, 0, 6, 7, 8, 99, 300]) {
        expect(lastAllowed((index) => index <= last, start, -100, 100)).toBe(last);
      }
    }
    expect(lastAllowed(() => true, 0, -100, 100)).toBe(100);
    expect(lastAllowed(() => false, 0, -100, 100)).toBeNull();
    expect(lastAllowed((index) => index <= -100, 50, -100, 100)).toBe(-100);
  });
});

describe('a crossing that must be certain', () => {
  // What is certain has a margin of 1e-9 on the side that is looked for.
  const falls = (x: number): number => 3 - x;
  const upper = (x: number): boolean => falls(x) + 1e-9 <= 0;
  const lower = (x: number): boolean => falls(x) - 1e-9 > 0;

  it.each([
    ['right', falls],
    ['far to the left', (x: number) => falls(x * 2)],
    ['far to the right', (x: number) => falls(x / 2)],
    ['nowhere', () => NaN],
  ])('is near where it is when doubles have it %s', (_, excess) => {
    const most = certainCrossing({ holds: upper, excess, from: 0, to: 10 }, 'upper');
    const least = certainCrossing({ holds: lower, excess, from: 0, to: 10 }, 'lower');
    expect(upper(most) || most === 10).toBe(true);
    expect(lower(least) || least === 0).toBe(true);
  });

  it('is within the margin where doubles are right', () => {
    const ends = { excess: falls, from: 0, to: 10 };
    expect(certainCrossing({ ...ends, holds: upper }, 'upper')).toBeLessThan(3 + 1e-7);
    expect(certainCrossing({ ...ends, holds: lower }, 'lower')).toBeGreaterThan(3 - 1e-7);
  });

  it('is the end where nothing better holds', () => {
    const ends = { excess: falls, from: 0, to: 10 };
    expect(certainCrossing({ ...ends, holds: () => false }, 'upper')).toBe(10);
    expect(certainCrossing({ ...ends, holds: () => false }, 'lower')).toBe(0);
  });
});
