import { Decimal } from '../../numeric/decimal.ts';

/** The positive decimals of a number of significant digits, counted: step + 1 is the next larger one. */
export interface DecimalSteps {
  readonly valueOf: (step: number) => Decimal;
  /** The largest step of which the value is at most a positive one. */
  readonly atMost: (value: Decimal) => number;
  /** The natural logarithm of a value, about. */
  readonly logOf: (step: number) => number;
  /** The step of a natural logarithm, about. */
  readonly near: (logarithm: number) => number;
}

/** The most digits with which the steps of all magnitudes 1e-300 to 1e300 are safe integers. */
export const MOST_STEP_DIGITS = 12;

/** Decimals of `digits` significant digits (1 to 12). */
export function decimalSteps(digits: number): DecimalSteps {
  const base = 10 ** (digits - 1);
  const decade = 9 * base;
  return {
    valueOf: (step) => {
      const exponent = Math.floor(step / decade);
      return new Decimal(`${step - exponent * decade + base}e${exponent - digits + 1}`);
    },
    atMost: (value) => {
      const rounded = value.toSignificantDigits(digits, Decimal.ROUND_DOWN);
      const mantissa = Number(rounded.times(new Decimal(10).pow(digits - 1 - rounded.e)));
      return rounded.e * decade + mantissa - base;
    },
    logOf: (step) => {
      const exponent = Math.floor(step / decade);
      return Math.log((step - exponent * decade + base) / base) + exponent * Math.LN10;
    },
    near: (logarithm) => {
      const exponent = Math.floor(logarithm / Math.LN10);
      return exponent * decade + Math.round(Math.expm1(logarithm - exponent * Math.LN10) * base);
    },
  };
}
