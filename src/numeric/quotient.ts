import { Decimal } from './decimal.ts';

const Up = Decimal.clone({ precision: 60, rounding: 0 });

/** dividend / divisor, both at least 0, rounded up at 60 digits. */
export const quotientUp = (dividend: Decimal, divisor: Decimal): Decimal =>
  new Decimal(new Up(dividend).div(new Up(divisor)));
