import { fc } from '../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { exponentialMechanismEpsilon, utilityRange } from '../../src/privacy/bounded-range.ts';
import { decimal } from '../mechanisms.ts';
import { exponentialMechanism, losses } from '../reference/selection.ts';

const utility = fc.double({ min: -3, max: 3, noNaN: true });
const pair = (change: fc.Arbitrary<number>) => fc.array(fc.tuple(utility, change), { minLength: 2, maxLength: 6 });

/** How far the losses of the exponential mechanism lie apart, with coefficient 1. */
function spread(drawn: readonly (readonly [number, number])[]): number {
  const all = losses(
    exponentialMechanism,
    drawn.map(([u]) => u),
    drawn.map(([u, change]) => u + change),
  );
  return Math.max(...all) - Math.min(...all);
}

describe('the range of a utility', () => {
  it('is twice its sensitivity, or its sensitivity where it is monotonic', () => {
    expect(utilityRange({ range: decimal('0.3') })).toEqual(decimal('0.3'));
    expect(utilityRange({ sensitivity: decimal('0.3'), monotonic: false })).toEqual(decimal('0.6'));
    expect(utilityRange({ sensitivity: decimal('0.3'), monotonic: true })).toEqual(decimal('0.3'));
  });
});

describe('the exponential mechanism', () => {
  it('has a range of its coefficient times that of the utility, exactly', () => {
    const [c, r] = [decimal('0.1000000000000000000000000000001'), decimal('3')];
    expect(exponentialMechanismEpsilon(c, { range: r })).toEqual(decimal('0.3000000000000000000000000000003'));
  });

  it('has losses no further apart than that', () => {
    fc.assert(
      fc.property(pair(fc.double({ min: -1, max: 1, noNaN: true })), (drawn) => {
        expect(spread(drawn)).toBeLessThanOrEqual(2 + 1e-9);
      }),
    );
    fc.assert(
      fc.property(pair(fc.double({ min: 0, max: 1, noNaN: true })), (drawn) => {
        expect(spread(drawn)).toBeLessThanOrEqual(1 + 1e-9);
      }),
    );
    expect(
      spread([
        [0, 1],
        [0, -1],
      ]),
    ).toBeCloseTo(2, 12);
    expect(
      spread([
        [0, 1],
        [0, 0],
      ]),
    ).toBeCloseTo(1, 12);
  });
});
