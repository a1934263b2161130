import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/numeric/decimal.ts';
import { largestLossOf, oneWay, swapped, symmetrised } from '../../src/privacy/finite-pair.ts';

const decimals = (...texts: string[]): Decimal[] => texts.map((text) => new Decimal(text));

describe('a finite pair', () => {
  it('has the largest ratio as its largest loss', () => {
    const pair = { p: decimals('0.6', '0.4'), q: decimals('0.3', '0.7') };
    expect(largestLossOf(pair).toNumber()).toBeCloseTo(Math.log(2), 14);
    expect(largestLossOf(swapped(pair)).toNumber()).toBeCloseTo(Math.log(1.75), 14);
    expect(oneWay(pair).largest.gte('0.69314718055994530941723212145817656')).toBe(true);
  });

  it('is not remembered where its list was changed in between, or stands beside another', () => {
    const pair = { p: decimals('0.6', '0.4'), q: decimals('0.3', '0.7') };
    const before = [largestLossOf(pair), oneWay(pair).largest, symmetrised(pair).largest];
    pair.p.splice(0, 2, ...decimals('0.9', '0.1'));
    const after = [largestLossOf(pair), oneWay(pair).largest, symmetrised(pair).largest];
    for (const each of before) expect(each.toNumber()).toBeCloseTo(Math.log(2), 14);
    expect(after.map((each) => each.toNumber().toFixed(12))).toEqual(
      [Math.log(3), Math.log(3), Math.log(7)].map((each) => each.toFixed(12)),
    );
    const other = { p: pair.p, q: decimals('0.1', '0.9') };
    expect(largestLossOf(other).toNumber()).toBeCloseTo(Math.log(9), 14);
    expect(largestLossOf(pair).toNumber()).toBeCloseTo(Math.log(3), 14);
  });
});
