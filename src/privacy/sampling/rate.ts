import { Rational, encloseRational } from '../../numeric/rational.ts';
import { midpoint } from '../../numeric/enclosure.ts';
import type { Fraction, Neighbours, Sampled, SamplingScheme } from '../mechanism.ts';

/** A rate and 1 less it, each with a relative error of one rounding. */
export interface RateInDoubles {
  readonly rate: number;
  readonly rest: number;
}

/** A factor rest + rate e^l of a likelihood ratio, to a power above 0. */
export interface Factor extends RateInDoubles {
  readonly power: number;
}

export const rationalOf = ({ numerator, denominator }: Fraction): Rational =>
  Rational.ofDecimal(numerator).over(Rational.ofDecimal(denominator));

export const ratesOf = (rate: Rational): RateInDoubles => ({
  rate: midpoint(encloseRational(rate)),
  rest: midpoint(encloseRational(Rational.ONE.minus(rate))),
});

/** How often a record is drawn; where each has a rate of its own also all of those, the largest first. */
export interface RecordRates {
  readonly rate: Rational;
  readonly own?: readonly Rational[];
}

export const recordRates = ({ rate, rates }: Sampled): RecordRates => ({
  rate: rationalOf(rate),
  ...(rates && { own: rates.map(rationalOf) }),
});

/** The least rate above 0: powers of it, and products with moments, are doubles. */
const LEAST = Rational.of(1n, 10n ** 100n);

/** Whether a number is a rate of samples: from 0 to 1, and 0 or at least 1e-100. */
export const isRate = (value: Rational): boolean =>
  value.isZero() || (value.compare(LEAST) >= 0 && value.compare(Rational.ONE) <= 0);

/** ln of what is not drawn, to a few roundings of itself, also where nearly nothing is drawn. */
export const logOfRest = ({ rate, rest }: RateInDoubles): number => (rate < 0.5 ? Math.log1p(-rate) : Math.log(rest));

/** The relation of neighbours for which something is known of a scheme: a theorem, or of shuffled batches a lower bound. */
export const NEIGHBOURS_OF: Readonly<Record<SamplingScheme, Neighbours>> = {
  poisson: 'add-remove',
  'without-replacement': 'replace-one',
  'with-replacement': 'add-remove',
  'random-allocation': 'add-remove',
  shuffled: 'add-remove',
};

/** So many mechanisms on samples of a rate. */
export interface SampleGroup {
  readonly rates: RateInDoubles;
  readonly count: number;
}

/** Above every rounding of the sum and its exponential. */
const MARGIN = 1 + 1e-12;

/**
 * At least ln delta at any epsilon >= 0 of mechanisms on samples: delta is at most the total variation, which is at most the
 * chance 1 - prod (1 - q_i)^n_i that a record is in a sample at all. The losses of a record that never is are 0.
 *
 * Source: derived; by a coupling, in which the two runs are the same unless the record is drawn.
 */
export function logEverSampled(samples: readonly SampleGroup[]): number {
  const never = samples.reduce(
    (sum, { rates, count }) => sum + count * Math.log1p(-Math.min(1, rates.rate * MARGIN)),
    0,
  );
  return Math.log(-Math.expm1(never * MARGIN)) + 1e-12;
}
