import { Decimal } from './decimal.ts';

/** Decimals whose sums and products are exact up to 2,500 digits and rounded away from 0 beyond. */
export const RoundUp = Decimal.clone({ precision: 2500, rounding: 0 });

/** Decimals whose sums, differences and products are exact up to 2,500 digits and rounded towards 0 beyond. */
export const RoundDown = Decimal.clone({ precision: 2500, rounding: 1 });
