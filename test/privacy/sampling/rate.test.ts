import { expect, it } from 'vitest';
import { rationalOf, ratesOf } from '../../../src/privacy/sampling/rate.ts';
import { decimal } from '../../mechanisms.ts';

const fraction = (numerator: string, denominator: string) => ({
  numerator: decimal(numerator),
  denominator: decimal(denominator),
});

it('a rate is the fraction that was written, reduced', () => {
  expect(rationalOf(fraction('256', '60000')).toString()).toBe(rationalOf(fraction('8', '1875')).toString());
  expect(rationalOf(fraction('0.1', '1')).toString()).toBe(rationalOf(fraction('1', '10')).toString());
});

it('what is not drawn keeps its digits where nearly all is', () => {
  expect(ratesOf(rationalOf(fraction('0.9999999999999999999', '1')))).toEqual({ rate: 1, rest: 1e-19 });
  expect(ratesOf(rationalOf(fraction('1e-30', '1')))).toEqual({ rate: 1e-30, rest: 1 });
});
