import { Decimal } from '../../numeric/decimal.ts';

/** Digits of a parameter that is not a finite decimal; more would only make documents hard to read. */
const DIGITS = 20;

const Up = Decimal.clone({ precision: DIGITS, rounding: Decimal.ROUND_UP });
const Down = Decimal.clone({ precision: DIGITS, rounding: Decimal.ROUND_DOWN });

/** whole / parts, both above 0; rounded up at 20 digits where it has more. */
export const shareUp = (whole: Decimal, parts: Decimal | number): Decimal => new Decimal(new Up(whole).div(parts));

/** whole / parts, both above 0; rounded down at 20 digits where it has more. */
export const shareDown = (whole: Decimal, parts: Decimal | number): Decimal => new Decimal(new Down(whole).div(parts));
