import { expect, it } from 'vitest';
import { isRate, logOfRest, rationalOf, ratesOf } from '../../../src/privacy/sampling/rate.ts';
import { decimal } from '../../mechanisms.ts';
import { ONE, precise } from '../../reference/precise.ts';

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

it('ln of what is not drawn is right to a few roundings', () => {
  for (const text of ['1e-18', '0.007', '0.3', '0.7', '0.99999999999999999999']) {
    const truth = ONE.minus(text).ln();
    const off = precise(logOfRest(ratesOf(rationalOf(fraction(text, '1')))))
      .minus(truth)
      .div(truth)
      .abs();
    expect(off.toNumber()).toBeLessThan(4 * 2 ** -53);
  }
});

it('a rate is 0, or from 1e-100 to 1', () => {
  const isAllowed = (numerator: string, denominator: string): boolean =>
    isRate(rationalOf(fraction(numerator, denominator)));
  expect([isAllowed('0', '1'), isAllowed('1e-100', '1'), isAllowed('1', '1')]).toEqual([true, true, true]);
  expect([isAllowed('9e-101', '1'), isAllowed('3', '2'), isAllowed('-1', '2')]).toEqual([false, false, false]);
});
