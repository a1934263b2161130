import { encloseDecimal, type Decimal } from '../../numeric/decimal.ts';
import { add, divide, expm1, exponential, multiply, negate, exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { withoutFake, type Measure, type RegularisedWeights } from '../core/setting.ts';
import type { KeepProbability } from './first-flag.ts';

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

/** The known guarantee of one resampling of x or y, for replacing one loss. */
export type ResamplingGuarantee =
  | { readonly kind: 'randomized-response'; readonly epsilon: Decimal }
  | { readonly kind: 'bounded-range'; readonly epsilon: Decimal }
  | { readonly kind: 'gaussian'; readonly muSquared: Enclosure };

export type GuaranteeKind = ResamplingGuarantee['kind'];

/**
 * mu^2 = 2 beta L^2 / lambda: exponents that are 2 beta lambda-strongly convex on a convex set and differ by a
 * 2 beta L-Lipschitz function give mu-Gaussian differential privacy with mu = 2 beta L / sqrt(2 beta lambda).
 *
 * Source: Gopi, Lee, Liu (2022), Theorem 4.1.
 */
export function gaussianSquared({ beta, lambda, lipschitz }: RegularisedWeights): Enclosure {
  const l = encloseDecimal(lipschitz);
  return divide(multiply(multiply(exactly(2), encloseDecimal(beta)), multiply(l, l)), encloseDecimal(lambda));
}

/**
 * The guarantees that every resampling of a measure is known to have.
 *
 * Multiplicative weights are exponential mechanisms: replacing a loss moves the exponent by a function of range 2 eta at
 * most, so they are of 2 eta-bounded range, and (2 eta, 0)-DP. Any measure of Assumption 3.1 with delta0 = 0 is
 * (2 eta, 0)-DP (Asi, Koren, Liu, Talwar 2024, Lemma 3.6). Regularised weights: see {@link gaussianSquared}.
 */
export function guaranteesOf(measure: Measure, eta: Decimal): readonly ResamplingGuarantee[] {
  const epsilon = eta.times(2);
  switch (measure.type) {
    case 'multiplicative-weights':
      return [
        { kind: 'randomized-response', epsilon },
        { kind: 'bounded-range', epsilon },
      ];
    case 'any':
      return [{ kind: 'randomized-response', epsilon }];
    case 'regularised-multiplicative-weights':
      return [{ kind: 'gaussian', muSquared: gaussianSquared(measure) }];
  }
}
