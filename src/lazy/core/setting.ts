import { Decimal, encloseDecimal } from '../../numeric/decimal.ts';
import type { Enclosure } from '../../numeric/enclosure.ts';

/** How L2P (Asi, Koren, Liu, Talwar 2024, Algorithm 1) is run. */
export interface L2pSetting {
  /** T, the number of rounds: whole, from 1 to 2^53 - 1. */
  readonly rounds: number;
  /** B, the rounds of one batch: whole, from 1 to T. The last batch may be shorter, which only leaves out losses. */
  readonly batch: number;
  /** eta > 0: a switch is skipped with a probability proportional to e^(-2 B eta). */
  readonly eta: Decimal;
  /** p, the probability of a fake switch, from 0 to 1. Theorem 3.2 needs it above 0. */
  readonly fakeSwitch: Decimal;
}

/** How often x and y may be resampled: once before every batch but the first. */
export const transitions = ({ rounds, batch }: Pick<L2pSetting, 'rounds' | 'batch'>): number =>
  (rounds - 1 - ((rounds - 1) % batch)) / batch;

/** 1 - p, without the loss of digits that a difference of doubles has where p is near 1. */
export const withoutFake = ({ fakeSwitch }: Pick<L2pSetting, 'fakeSwitch'>): Enclosure =>
  encloseDecimal(new Decimal(1).minus(fakeSwitch));

/** Laws of the number of switches are listed so far that what is left out is less likely than this. */
export const LEAST_BEYOND = 1e-24;
