import type { Decimal } from '../../numeric/decimal.ts';
import type { UpperBound } from '../../numeric/enclosure.ts';
import type { Rate } from '../rates/rates.ts';

/** A learner other than L2P. */
export type AlternativeId =
  | 'guessing'
  | 'perturbed-leader-tree'
  | 'perturbed-leader-square-root'
  | 'regularised-leader-tree'
  | 'regularised-leader-square-root'
  | 'no-privacy';

/** How private a learner is: at every epsilon, as the target asks, or not at all, so that it is only a yardstick. */
export type AlternativePrivacy = 'reads-nothing' | 'target' | 'none';

/** A learner of which everything is proved, constants included. */
export interface ProvedAlternative {
  readonly kind: 'proved';
  readonly id: AlternativeId;
  readonly privacy: AlternativePrivacy;
  /** An upper bound on the expected regret against losses that are fixed in advance. */
  readonly regret: UpperBound;
  /** What it adds to the sums it reads; null where it reads none, or adds nothing. */
  readonly noise: LeaderNoise | null;
}

/** Noisy sums of batches. */
export interface LeaderNoise {
  /** B, the rounds of one batch. */
  readonly batch: number;
  /** The largest standard deviation of the noise of a sum in each coordinate, enough for the target; null where nothing is read. */
  readonly deviation: Decimal | null;
}

/** A learner whose regret is published as a rate, up to a constant that is not known: never a bound. */
export interface RateAlternative {
  readonly kind: 'rate';
  readonly id: Rate['id'];
  readonly rate: Rate;
  /** The rate with constant 1, without factors that are logarithmic in T or 1/delta. */
  readonly value: number;
}

/** A learner beside L2P. */
export type Alternative = ProvedAlternative | RateAlternative;
