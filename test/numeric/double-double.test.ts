import { fc } from '../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { Decimal, decimalFromDouble } from '../../src/numeric/decimal.ts';
import {
  DOUBLE_DOUBLE_ERROR,
  difference,
  fromDecimal,
  quotient,
  scaled,
  type DoubleDouble,
} from '../../src/numeric/double-double.ts';

const valueOf = ({ high, low }: DoubleDouble): Decimal => decimalFromDouble(high).plus(decimalFromDouble(low));

const decimals = fc
  .tuple(fc.stringMatching(/^[1-9][0-9]{0,39}$/), fc.integer({ min: -120, max: 60 }), fc.boolean())
  .map(([text, exponent, negative]) => new Decimal(`${negative ? '-' : ''}${text}e${exponent}`));
const wholes = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

/** |got - truth| <= DOUBLE_DOUBLE_ERROR size. */
function expectClose(got: DoubleDouble, truth: Decimal, size: Decimal): void {
  const error = valueOf(got).minus(truth).abs();
  expect(error.lte(size.abs().times(DOUBLE_DOUBLE_ERROR)), `${valueOf(got).toString()} for ${truth.toString()}`).toBe(
    true,
  );
}

describe('double-double arithmetic keeps to its error bound', () => {
  it('in conversion', () => {
    fc.assert(
      fc.property(decimals, (x) => {
        expectClose(fromDecimal(x), x, x);
      }),
      { numRuns: 400 },
    );
  });
  it('in differences, relative to the sizes of both', () => {
    fc.assert(
      fc.property(decimals, decimals, (x, y) => {
        const [a, b] = [fromDecimal(x), fromDecimal(y)];
        expectClose(difference(a, b), valueOf(a).minus(valueOf(b)), x.abs().plus(y.abs()));
      }),
      { numRuns: 400 },
    );
  });
  it('in differences that cancel', () => {
    fc.assert(
      fc.property(decimals, fc.integer({ min: 1, max: 60 }), (x, n) => {
        const near = x.times(new Decimal(1).plus(new Decimal(10).pow(-n)));
        const [a, b] = [fromDecimal(x), fromDecimal(near)];
        expectClose(difference(a, b), valueOf(a).minus(valueOf(b)), x.abs().times(2));
      }),
      { numRuns: 400 },
    );
  });
  it('in multiples and fractions', () => {
    fc.assert(
      fc.property(decimals, wholes, (x, n) => {
        const a = fromDecimal(x);
        expectClose(scaled(a, n), valueOf(a).times(n), valueOf(a).times(n));
        const share = valueOf(a).div(n);
        expectClose(quotient(a, n), share, share);
      }),
      { numRuns: 400 },
    );
  });
});
