import { failureOf } from '../../bounds/core/entries.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { Sampled } from '../../privacy/mechanism.ts';
import { launchedEntry } from './launched-entry.ts';

/** At most the chance of an infinite loss of one mechanism on a sample, rounded up at 40 digits; shorter ones are exact. */
export const failureAbove = (mechanism: Sampled): Decimal =>
  failureOf([launchedEntry(mechanism, 'noninteractive')]).upper.toSignificantDigits(DIGITS, UP);

const DIGITS = 40;
const UP = 0;
