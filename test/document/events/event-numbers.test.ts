import { describe, expect, it } from 'vitest';
import { NumberText } from '../../../src/document/core/number-text.ts';
import { decimalIn, quotientIn, quotientText, reciprocal, twice } from '../../../src/document/events/conversion.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { Rational } from '../../../src/numeric/rational.ts';
import { fc } from '../../reference/properties.ts';

const valueOf = (text: string): Rational => {
  const [above = '', below = '1'] = text.split('/');
  return Rational.ofDecimal(new Decimal(above)).over(Rational.ofDecimal(new Decimal(below)));
};

const decimal = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 40n }), fc.integer({ min: -40, max: 20 }))
  .map(([digits, exponent]) => new Decimal(`${String(digits)}e${String(exponent)}`));

describe('numbers of events', () => {
  it('are decimals or quotients of decimals above 0', () => {
    expect(decimalIn(new NumberText('1.10'))?.toString()).toBe('1.1');
    expect(decimalIn('x')).toBeNull();
    expect(quotientIn('256/60000')?.below.toString()).toBe('60000');
    for (const none of ['1', '1/0', '1/-2', '1/2/3', '/', 'a/b', new NumberText('1'), null, undefined]) {
      expect(quotientIn(none)).toBeNull();
    }
  });

  it('are written exactly as quotients', () => {
    expect(quotientText(new Decimal(256), new Decimal(60000))).toBe('256/60000');
    expect(quotientText(new Decimal(84), new Decimal(20))).toBe('4.2');
    fc.assert(
      fc.property(decimal, decimal, (above, below) => {
        const exact = Rational.ofDecimal(above).over(Rational.ofDecimal(below));
        expect(valueOf(quotientText(above, below)).equals(exact)).toBe(true);
      }),
    );
  });

  it('have reciprocals that are exact, or less', () => {
    expect(reciprocal('1/3')).toBe('3');
    expect(reciprocal(new NumberText('0'))).toEqual(new NumberText('0'));
    expect(reciprocal('x')).toBe('x');
    fc.assert(
      fc.property(decimal, decimal, (above, below) => {
        const product = valueOf(reciprocal(`${above.toString()}/${below.toString()}`) as string).times(
          Rational.ofDecimal(above).over(Rational.ofDecimal(below)),
        );
        expect(product.compare(Rational.ONE)).toBeLessThanOrEqual(0);
        expect(product.compare(Rational.of(10n ** 48n - 1n, 10n ** 48n))).toBe(1);
      }),
    );
  });

  it('are doubled exactly', () => {
    expect(twice('0.15')).toEqual(new NumberText('0.3'));
    expect(twice('x')).toBe('x');
  });
});
