import { Decimal, encloseDecimal } from '../../numeric/decimal.ts';
import type { Enclosure } from '../../numeric/enclosure.ts';

/** The rounds of a lazy learner, and its learning rate. */
interface Batches {
  /** T, the number of rounds: whole, from 1 to 2^53 - 1. */
  readonly rounds: number;
  /** B, the rounds of one batch: whole, from 1 to T. The last batch may be shorter, which only leaves out losses. */
  readonly batch: number;
  /** eta > 0. */
  readonly eta: Decimal;
}

/**
 * L2P as printed (Asi, Koren, Liu, Talwar 2024, Algorithm 1): x is kept with probability (1 - p) e^(-2 B eta) times how the
 * batch changed the weight of x over how it changed that of y, a second sample, which is sampled anew with probability p.
 */
export interface WithY extends Batches {
  /** p, the probability of a fake switch, from 0 to 1. Theorem 3.2 needs it above 0. */
  readonly fakeSwitch: Decimal;
  readonly switchRate?: never;
}

/**
 * L2P for experts without y: x is kept with probability e^(-c - eta L), L its loss in the batch, and sampled from the weights of
 * the round otherwise.
 *
 * Its law is exactly that of the weights: with w those before the batch, Z = sum w e^(-eta L) and w' = w e^(-eta L) / Z those
 * after it, the mass that is kept is e^-c Z w', and the rest, 1 - e^-c Z, is sampled from w'.
 *
 * Source: derived. See docs/lazy-without-y.md.
 */
export interface WithoutY extends Batches {
  /** c >= 0: x is sampled anew with probability 1 - e^-c also where it lost nothing. A fake switch of chance p is c = -ln(1 - p). */
  readonly switchRate: Decimal;
  readonly fakeSwitch?: never;
}

/** How a lazy learner is run. */
export type L2pSetting = WithY | WithoutY;

/** Whether there is no y. */
export const isWithoutY = (setting: L2pSetting): setting is WithoutY => setting.switchRate !== undefined;

const NO_FAKES = new Decimal(0);

/** p; without y, where a fake switch is part of c, 0. */
export const fakeSwitchOf = ({ fakeSwitch }: L2pSetting): Decimal => fakeSwitch ?? NO_FAKES;

/** How often x and y may be resampled: once before every batch but the first. */
export const transitions = ({ rounds, batch }: Pick<L2pSetting, 'rounds' | 'batch'>): number =>
  (rounds - 1 - ((rounds - 1) % batch)) / batch;

/** 1 - p, without the loss of digits that a difference of doubles has where p is near 1. */
export const withoutFake = (fakeSwitch: Decimal): Enclosure => encloseDecimal(new Decimal(1).minus(fakeSwitch));

/** Laws of the number of switches are listed so far that what is left out is less likely than this. */
export const LEAST_BEYOND = 1e-24;
