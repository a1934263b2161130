import { fc } from '../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { Decimal, decimalFromDouble, encloseDecimal, toLower, toUpper } from '../../src/numeric/decimal.ts';

const digits = fc.stringMatching(/^[1-9][0-9]{0,39}$/);
const decimals = fc
  .tuple(digits, fc.integer({ min: -340, max: 260 }), fc.boolean())
  .map(([text, exponent, negative]) => new Decimal(`${negative ? '-' : ''}${text}e${exponent}`));

describe('doubles around a decimal', () => {
  it('are its neighbours', () => {
    fc.assert(
      fc.property(decimals, (value) => {
        const [lower, upper] = [toLower(value), toUpper(value)];
        expect(decimalFromDouble(lower).lte(value)).toBe(true);
        expect(decimalFromDouble(upper).gte(value)).toBe(true);
        const between = lower / 2 + upper / 2;
        expect([lower, upper] as number[]).toContain(between);
      }),
      { numRuns: 500 },
    );
  });
  it('are one where the decimal is a double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        const { lower, upper } = encloseDecimal(decimalFromDouble(x));
        expect(lower + 0).toBe(x + 0);
        expect(upper + 0).toBe(x + 0);
      }),
    );
  });
  it('reach beyond the largest and the smallest double', () => {
    expect(encloseDecimal(new Decimal('1e400'))).toEqual({ lower: Number.MAX_VALUE, upper: Infinity });
    expect(encloseDecimal(new Decimal('1e-400'))).toEqual({ lower: 0, upper: Number.MIN_VALUE });
    expect(encloseDecimal(new Decimal('-1e-400'))).toEqual({ lower: -Number.MIN_VALUE, upper: -0 });
  });
  it('tell 0.1 + 0.2 from 0.3 in doubles', () => {
    expect(toUpper(new Decimal('0.1').plus('0.2'))).toBe(0.30000000000000004);
    expect(toLower(new Decimal('0.1').plus('0.2'))).toBe(0.3);
  });
});
