import { describe, expect, it } from 'vitest';
import { falling } from '../../../src/composition/risk-curve/risk-curve.ts';
import { asLower, asUpper } from '../../../src/numeric/enclosure.ts';

const ends = (lower: number | null, upper: number | null) => ({
  lower: lower === null ? null : asLower(lower),
  upper: upper === null ? null : asUpper(upper),
});

describe('a quantity that falls', () => {
  it('is nowhere above what it is before, nor below what it is after', () => {
    const points = [ends(0.1, 0.5), ends(null, 0.2), ends(0.15, null), ends(0, 1)];
    expect(falling(points)).toEqual([ends(0.15, 0.5), ends(null, 0.2), ends(0.15, null), ends(0, 0.2)]);
  });
});
