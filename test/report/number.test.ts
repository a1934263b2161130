import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, decimalFromDouble } from '../../src/numeric/decimal.ts';
import { asLower, asUpper } from '../../src/numeric/enclosure.ts';
import { givenText, lowerText, upperText } from '../../src/report/number.ts';

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
