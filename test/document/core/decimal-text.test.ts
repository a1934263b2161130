import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { readDecimal } from '../../../src/document/core/decimal-text.ts';

const codeOf = (text: string): string => {
  const number = readDecimal(text);
  return Decimal.isDecimal(number) ? number.toString() : number.code;
};

describe('the text of a number', () => {
  it('keeps every digit', () => {
    expect(codeOf('0.1000000000000000055511151231257827')).toBe('0.1000000000000000055511151231257827');
    expect(codeOf(`0.${'3'.repeat(1000)}`)).toBe(`0.${'3'.repeat(1000)}`);
  });

  it.each([
    ['1e6', '1000000'],
    ['+1E-2', '0.01'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['-0', '0'],
    ['0e999999999999', '0'],
    ['0001.500', '1.5'],
    ['1e300', '1e+300'],
    ['0.001e303', '1e+300'],
    ['1e-300', '1e-300'],
  ])('%s is a number', (text, value) => {
    expect(codeOf(text)).toBe(value);
  });

  it.each([
    ['', 'not-a-number'],
    [' ', 'not-a-number'],
    ['.', 'not-a-number'],
    ['e5', 'not-a-number'],
    ['0.1abc', 'not-a-number'],
    [' 0.1', 'not-a-number'],
    ['0x10', 'not-a-number'],
    ['1_000', 'not-a-number'],
    ['1,5', 'not-a-number'],
    ['5%', 'not-a-number'],
    ['1/3', 'not-a-number'],
    ['--1', 'not-a-number'],
    ['NaN', 'not-finite'],
    ['-Infinity', 'not-finite'],
    ['inf', 'not-finite'],
    ['1.1e300', 'out-of-range'],
    ['9.9e-301', 'out-of-range'],
    ['1e-99999999999999999999', 'out-of-range'],
  ])('%j is none', (text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  it('may be long, but not without end', () => {
    expect(codeOf(`${'0'.repeat(5000)}1${'0'.repeat(250)}`)).toBe('1e+250');
    expect(codeOf('1'.repeat(1001))).toBe('too-many-digits');
    expect(codeOf('1'.repeat(5_000_000))).toBe('too-many-digits');
  });

  it('is read exactly, however it is written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 60n }), fc.integer({ min: -200, max: 200 }), (digits, exponent) => {
        const number = readDecimal(`${String(digits)}e${String(exponent)}`);
        expect(number).toEqual(new Decimal(String(digits)).times(new Decimal(10).pow(exponent)));
      }),
    );
  });
});
