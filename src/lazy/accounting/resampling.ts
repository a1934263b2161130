import { encloseDecimal, type Decimal } from '../../numeric/decimal.ts';
import { add, exponential, expm1, multiply, negate } from '../../numeric/enclosure-arithmetic.ts';
import { exactly, type Enclosure } from '../../numeric/enclosure.ts';
import type { KeepProbability } from './keep-probability.ts';
import { withoutFake } from '../core/setting.ts';

/** The chance, in each of `rounds` rounds, that one of x and y is sampled anew. */
export interface Resampling {
  readonly rounds: number;
  readonly probability: Enclosure;
  /** 1 - probability. */
  readonly complement: Enclosure;
}

/** Resampled in every one of `rounds` rounds. */
export const always = (rounds: number): Resampling => ({ rounds, probability: exactly(1), complement: exactly(0) });

/** Below this the chance of keeping would underflow: what is kept is taken to be sampled anew. */
const NEGLIGIBLE = 1e-250;

/** Resampled in each of `rounds` rounds with this chance. */
export const repeated = (rounds: number, probability: Enclosure, complement: Enclosure): Resampling =>
  complement.upper < NEGLIGIBLE ? always(rounds) : { rounds, probability, complement };

/**
 * The resamplings in `rounds` rounds: x, with at most 1 - (1-p) r_min, r_min the least Pr[S_s = 1], and y with p, where
 * that is above 0. A round in which that of x is smaller is a post-processing of one in which it is not, since
 * resampling reveals more than keeping.
 */
export function resamplings({ logLeast }: KeepProbability, fakeSwitch: Decimal, rounds: number): readonly Resampling[] {
  const p = encloseDecimal(fakeSwitch);
  const noFake = withoutFake(fakeSwitch);
  const probability = add(p, multiply(noFake, negate(expm1(logLeast))));
  const complement = multiply(noFake, exponential(logLeast));
  const ofX = repeated(rounds, probability, complement);
  return fakeSwitch.isZero() ? [ofX] : [ofX, repeated(rounds, p, noFake)];
}

/**
 * The resamplings in `rounds` (at least 1) rounds, the first of which has the flag that the neighbours change. That flag
 * tells whether x is sampled anew, so given what was seen its chance is not that of the other rounds: there x is taken
 * to be sampled anew for certain.
 */
export function resamplingsAfterFlag(
  keep: KeepProbability,
  fakeSwitch: Decimal,
  rounds: number,
): readonly Resampling[] {
  const [ofX, ...ofY] = resamplings(keep, fakeSwitch, rounds);
  const later = ofX === undefined || rounds === 1 ? [] : [{ ...ofX, rounds: rounds - 1 }];
  return [always(1), ...later, ...ofY];
}

const width = ({ lower, upper }: Enclosure): number => (upper - lower === 0 ? 0 : (upper - lower) / lower);

/** How far, relatively, the two probabilities may be from their midpoints. */
export const spreadOfChance = ({ probability, complement }: Resampling): number =>
  width(probability) + width(complement);
