import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { Decimal, decimalFromDouble } from '../../../src/numeric/decimal.ts';
import { asLower, asUpper, enclosure } from '../../../src/numeric/enclosure.ts';
import {
  bracketText,
  givenText,
  lowerText,
  shortRangeText,
  shortText,
  upperText,
} from '../../../src/output/kit/number.ts';

const positive = fc.double({ min: 1e-300, max: 1e300, noNaN: true });

describe('shown numbers', () => {
  it('are rounded up when they are upper bounds and down when they are lower bounds', () => {
    fc.assert(
      fc.property(positive, (x) => {
        const value = decimalFromDouble(x);
        const above = new Decimal(upperText({ lower: null, upper: asUpper(x) }));
        const below = new Decimal(lowerText(asLower(x)));
        expect(above.gte(value)).toBe(true);
        expect(below.lte(value)).toBe(true);
        expect(above.minus(below).lte(value.times('1.0000001e-9'))).toBe(true);
      }),
    );
  });

  it('are rounded to their side below zero too', () => {
    expect(upperText({ lower: null, upper: asUpper(-0.12345678912) })).toBe('-0.1234567891');
    expect(lowerText(asLower(-0.12345678912))).toBe('-0.1234567892');
  });

  it('prefer the exact decimal to the double above it', () => {
    expect(upperText({ lower: null, upper: asUpper(0.30000000000000004), exact: '0.3' })).toBe('0.3');
    expect(upperText({ lower: null, upper: asUpper(0.30000000000000004) })).toBe('0.3000000001');
  });

  it('are one number where both ends are the same to a reader, else two', () => {
    const text = (lower: number | null, upper: number): string =>
      bracketText({ lower: lower === null ? null : asLower(lower), upper: asUpper(upper) });
    expect(text(2.25, 2.25 + 2 ** -20)).toBe('2.250000954');
    expect(text(2.25, 2.5)).toBe('2.25 to 2.5');
    expect(text(null, 2.5)).toBe('2.5');
    expect(text(0, Infinity)).toBe('0 to infinity');
  });

  it('are rounded outward where four digits do', () => {
    fc.assert(
      fc.property(positive, (x) => {
        const [below, above] = [new Decimal(shortText(x, 'down', 100)), new Decimal(shortText(x, 'up', 100))];
        const value = decimalFromDouble(x).times(100);
        expect(below.lte(value) && above.gte(value)).toBe(true);
        expect(above.minus(below).lte(value.times('1.001e-3'))).toBe(true);
      }),
    );
    expect(shortRangeText(enclosure(0.125, 0.25))).toBe('0.125 to 0.25');
    expect(shortRangeText(enclosure(0.125, 0.125), 100)).toBe('12.5');
    expect(shortRangeText(enclosure(0, Infinity))).toBe('0 to infinity');
  });

  it('use an exponent where digits would be zeros', () => {
    const text = (x: string): string => givenText(new Decimal(x));
    expect(['0', '1e-6', '0.0001', '123456', '1e15', '2.5e-30', '-0.5'].map(text)).toEqual([
      '0',
      '1e-6',
      '0.0001',
      '123456',
      '1e15',
      '2.5e-30',
      '-0.5',
    ]);
  });
});
