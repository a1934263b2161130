import { ONE, ZERO } from '../../numeric/decimal.ts';
import { exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { multiply } from '../../numeric/enclosure-arithmetic.ts';
import type { Rational } from '../../numeric/rational.ts';
import { muSquaredOfNoise } from '../gaussian.ts';
import type { Gaussian, Sampled } from '../mechanism.ts';
import { ratesOf } from './rate.ts';
import type { Ratio } from './ratio.ts';
import { recordFactors, type RecordFactors } from './record-factors.ts';

/** A Poisson sample for neighbours that differ in several records, or in one that is replaced. */
export interface OfSeveralRecords extends Sampled {
  readonly scheme: 'poisson';
  readonly of: Gaussian;
}

/** How many records only the one data set has, and only the other. */
export interface RecordCounts {
  readonly gained: number;
  readonly lost: number;
}

export function recordsOf({ records = ONE, opposite = ZERO, neighbours }: Sampled): RecordCounts {
  const all = records.toNumber();
  const lost = opposite.toNumber();
  return neighbours === 'replace-one' ? { gained: all, lost: all } : { gained: all - lost, lost };
}

/** Whether neighbours differ in more than one record under a Poisson sample, or are said to under another. */
export const isSeveral = ({ scheme, neighbours, records = ONE }: Sampled): boolean =>
  !records.eq(1) || (scheme === 'poisson' && neighbours === 'replace-one');

/** Whether the theorem of {@link severalRatio} covers it. */
export const isSeveralCovered = (mechanism: Sampled): mechanism is OfSeveralRecords =>
  mechanism.scheme === 'poisson' && mechanism.of.type === 'gaussian';

/** At most how many of the records may be drawn, of pairs of which one replaces the other one. */
export function mostDrawn(mechanism: Sampled): number {
  const { gained, lost } = recordsOf(mechanism);
  return Math.max(gained, lost);
}

/** How many times as far as under the mechanism's own neighbours its sum may move. */
export function reachOfRecords(mechanism: Sampled): number {
  if (!isSeveral(mechanism)) return 1;
  const { gained, lost } = recordsOf(mechanism);
  return gained + lost;
}

/** At least the mu^2 of the Gaussian noise on all data: all of g's records against all of the others. */
export const muSquaredOfAll = (mechanism: OfSeveralRecords): Enclosure =>
  multiply(exactly(reachOfRecords(mechanism) ** 2), muSquaredOfNoise(mechanism.of));

/** The factors where a record is always or never in the sample, too. */
function factorsOf(rate: Rational, mu: number, records: number): RecordFactors | null {
  const rates = ratesOf(rate);
  if (rates.rate > 0 && rates.rest > 0 && records > 1) return recordFactors(rate, mu, records);
  // One record, or all together: e^(K l) with l of K times the shift.
  const logWeights = Array.from({ length: records + 1 }, (_, m) =>
    m === 0 ? records * Math.log(rates.rest) : m === records ? records * Math.log(rates.rate) : -Infinity,
  );
  return { factors: Array.from({ length: records }, () => rates), shift: (-records * (mu * mu)) / 2, logWeights };
}

/** Factors of a smaller share than this are out of the range of doubles. */
const LEAST = 1e-290;

const inRange = ({ factors }: RecordFactors): boolean =>
  factors.every(({ rate, rest }) => (rate === 0 || rate > LEAST) && (rest === 0 || rest > LEAST));

/**
 * The likelihood ratio of a step with Gaussian noise, and its shift, for neighbours of which `gained` records are only in the first and
 * `lost` only in the second data set, each of them in the sample with probability q: with mu the noise's, (sum_m Bin(m; gained, q) N(m mu, 1),
 * sum_m Bin(m; lost, q) N(-m mu, 1)), densities over N(0, 1); of lost 0 the pair (P, N(0, 1)), and exchanged for the addition. null where it
 * is out of the range of doubles.
 *
 * Every record adds a vector of at most the sensitivity to the sum. The pair dominates for any vectors, chosen adaptively, and is attained
 * where the gained ones are all v and the lost ones -v.
 *
 * Source: derived, by Kahane's comparison (1986): the densities over N(0, I) are sums of l_S e^(X_S - Var X_S / 2), X centred Gaussian,
 * and a convex function of a P-sum less e^eps times a Q-sum has second derivatives >= 0 within each and <= 0 across. Products <c_S, c_T> of the
 * shifts are at most c(S) c(T), those across at least -c(S) c(T), c the numbers of records: going to these raises the expectation, step by
 * step from the last one to the first.
 */
export function severalRatio(
  rate: Rational,
  mu: number,
  { gained, lost }: RecordCounts,
): { readonly ratio: Ratio; readonly shift: number } | null {
  const own = factorsOf(rate, mu, gained);
  const other = lost === 0 ? { factors: [], shift: 0 } : factorsOf(rate, mu, lost);
  if (own === null || other === null || !inRange(own) || !inRange({ ...own, ...other })) return null;
  return {
    ratio: { own: own.factors, other: other.factors, otherShift: other.shift, logWeights: own.logWeights },
    shift: own.shift,
  };
}
