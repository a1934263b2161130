import { ONE, ZERO } from '../../numeric/decimal.ts';
import { exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { multiply } from '../../numeric/enclosure-arithmetic.ts';
import { muSquaredOfNoise } from '../gaussian.ts';
import type { Gaussian, Sampled } from '../mechanism.ts';
import { ratesOf, type RecordRates } from './rate.ts';
import type { Ratio } from './ratio.ts';
import { recordFactors, type RecordFactors } from './record-factors.ts';

/** A Poisson sample for neighbours that differ in several records, or in one that is replaced; or a sample with replacement. */
export interface OfSeveralRecords extends Sampled {
  readonly scheme: 'poisson' | 'with-replacement';
  readonly of: Gaussian;
}

/** How many records only the one data set has, and only the other; of a sample with replacement, how many draws. */
export interface RecordCounts {
  readonly gained: number;
  readonly lost: number;
}

export function recordsOf({ records = ONE, opposite = ZERO, draws, neighbours }: Sampled): RecordCounts {
  const all = (draws ?? records).toNumber();
  const lost = opposite.toNumber();
  return neighbours === 'replace-one' ? { gained: all, lost: all } : { gained: all - lost, lost };
}

/** Whether what is drawn is of several: of the records of one person, of those of a replacement, or with replacement. */
export const isSeveral = ({ scheme, neighbours, records = ONE }: Sampled): boolean =>
  !records.eq(1) || scheme === 'with-replacement' || (scheme === 'poisson' && neighbours === 'replace-one');

/** Whether the theorem of {@link severalRatio} covers it. */
export const isSeveralCovered = (mechanism: Sampled): mechanism is OfSeveralRecords =>
  mechanism.of.type === 'gaussian' &&
  (mechanism.scheme === 'poisson' ||
    (mechanism.scheme === 'with-replacement' && mechanism.draws !== undefined && mechanism.records === undefined));

/** Whether there are such data sets; of a record that is replaced under draws with replacement the pair is only larger. */
export const isSeveralAttained = ({ scheme, neighbours }: OfSeveralRecords): boolean =>
  scheme === 'poisson' || neighbours === 'add-remove';

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
function factorsOf(drawn: RecordRates, mu: number, records: number): RecordFactors | null {
  const rates = ratesOf(drawn.rate);
  if (rates.rate > 0 && rates.rest > 0 && records > 1) return recordFactors(drawn, mu, records);
  // One record, or all together: e^(K l) with l of K times the shift.
  const logWeights = Array.from({ length: records + 1 }, (_, m) =>
    m === 0 ? records * Math.log(rates.rest) : m === records ? records * Math.log(rates.rate) : -Infinity,
  );
  const factor = { ...rates, power: records };
  return { factors: [factor], shift: (-records * (mu * mu)) / 2, logWeights, isReduced: false };
}

/** Factors of a smaller share than this are out of the range of doubles. */
const LEAST = 1e-290;

const inRange = ({ factors }: Pick<RecordFactors, 'factors'>): boolean =>
  factors.every(({ rate, rest }) => (rate === 0 || rate > LEAST) && (rest === 0 || rest > LEAST));

/**
 * The likelihood ratio of a step with Gaussian noise, and its shift, for neighbours of which `gained` records are only in the first and
 * `lost` only in the second data set, each of them in the sample with probability q, or one of its own: with mu the noise's, (sum_m Bin(m; gained, q) N(m mu, 1),
 * sum_m Bin(m; lost, q) N(-m mu, 1)), densities over N(0, 1); of lost 0 the pair (P, N(0, 1)), and exchanged for the addition. null where it
 * is out of the range of doubles. With rates of their own the numbers m are Poisson binomial.
 *
 * Every record adds a vector of at most the sensitivity to the sum. The pair dominates for any vectors, chosen adaptively, and is attained
 * where the gained ones are all v and the lost ones -v.
 *
 * A sample of B draws with replacement, of N records of which a neighbour lacks one: there the other draws are the same, and each of the B
 * is of that record with probability q = 1 / N. It then moves the sum by the difference of two records, at most the sensitivity, for a
 * record of norm at most C at most 2 C. So it is that of B records; attained where all others are -v, and that one v. Where that record
 * is replaced, draw by draw both move the sum from that of the others, so it is that of B replaced records; not attained.
 *
 * Source: derived, by Kahane's comparison (1986): the densities over N(0, I) are sums of l_S e^(X_S - Var X_S / 2), X centred Gaussian,
 * and a convex function of a P-sum less e^eps times a Q-sum has second derivatives >= 0 within each and <= 0 across. Products <c_S, c_T> of the
 * shifts are at most c(S) c(T), those across at least -c(S) c(T), c the numbers of records: going to these raises the expectation, step by
 * step from the last one to the first.
 */
export function severalRatio(
  rates: RecordRates,
  mu: number,
  { gained, lost }: RecordCounts,
): { readonly ratio: Ratio; readonly shift: number } | null {
  const own = factorsOf(rates, mu, gained);
  const other = lost === 0 ? { factors: [], shift: 0, isReduced: false } : factorsOf(rates, mu, lost);
  if (own === null || other === null || !inRange(own) || !inRange(other)) return null;
  return {
    ratio: {
      own: own.factors,
      other: other.factors,
      otherShift: other.shift,
      logWeights: own.logWeights,
      records: gained + lost,
      isReduced: own.isReduced || other.isReduced,
    },
    shift: own.shift,
  };
}
