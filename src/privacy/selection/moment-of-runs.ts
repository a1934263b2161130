import { exactly, type Enclosure } from '../../numeric/enclosure.ts';
import {
  add,
  divide,
  exponential,
  logarithm,
  logSum,
  log1p,
  minimum,
  multiply,
  negate,
  subtract,
} from '../../numeric/enclosure-arithmetic.ts';
import type { Directions } from '../curve.ts';
import { logConversionFactor, type LogMoment } from '../log-moment.ts';
import type { RunLaw } from '../mechanism.ts';
import { logOfAllRuns, runCount, type RunCount } from './run-law.ts';

/** Orders that are looked at, less 1: from 1/256 to 4096, eight to each doubling where it counts. */
const ORDERS = Array.from({ length: 8 * 20 + 1 }, (_, i) => 2 ** (i / 8 - 8));

/** A log-moment at the orders that are looked at. */
type Table = readonly { readonly kappa: number; readonly moment: Enclosure }[];

const tableOf = (moment: LogMoment): Table => ORDERS.map((kappa) => ({ kappa, moment: moment(kappa) }));

/** The least upper end of a bound over those orders, each of which is sound. */
const leastOver = (table: Table, bound: (moment: Enclosure, kappa: number) => Enclosure): Enclosure =>
  exactly(
    table.reduce((least, { kappa, moment }) => {
      const { upper } = bound(moment, kappa);
      return upper < least ? upper : least;
    }, Infinity),
  );

/**
 * (1 + shape) min over h of (M^(h - 1) + ln(1 / gamma)) / h: the rise of f' between the masses of one test under the two
 * neighbors, by Hoelder's inequality. M^: the log-moment of the neighbors exchanged.
 */
const hoelder = ({ power, logInverse }: NonNullable<RunCount['truncated']>, exchanged: Table): Enclosure =>
  multiply(
    power,
    minimum(
      logInverse,
      leastOver(exchanged, (moment, kappa) => divide(add(moment, logInverse), add(exactly(1), exactly(kappa)))),
    ),
  );

/** ln of the smallest delta at an epsilon that moments prove: the least over kappa of M(kappa) + factor - kappa epsilon. */
const logDeltaBy = (table: Table, epsilon: Enclosure): Enclosure =>
  leastOver(table, (moment, kappa) =>
    subtract(add(moment, logConversionFactor(kappa)), multiply(exactly(kappa), epsilon)),
  );

/** One order of the neighbors: its own log-moment, and that of the exchanged order. */
function inOneDirection(runs: RunLaw, own: LogMoment, exchanged: LogMoment): LogMoment {
  const count = runCount(runs);
  const logMean = logarithm(count.mean);
  let known: { readonly table: Table; readonly rise: Enclosure | null } | null = null;
  const ofExchanged = () => {
    if (known !== null) return known;
    const table = tableOf(exchanged);
    known = { table, rise: count.truncated && hoelder(count.truncated, table) };
    return known;
  };
  return (lambda) => {
    const [t, moment] = [exactly(lambda), own(lambda)];
    if (runs.law === 'negative-binomial') return add(add(moment, multiply(t, ofExchanged().rise!)), logMean);
    const ofAll = logOfAllRuns(runs, moment)!;
    if (runs.law !== 'poisson') return ofAll;
    // ln(l / (l - 1)) of the order l.
    const epsilon = log1p(divide(exactly(1), t));
    const delta = minimum(exactly(1), exponential(logDeltaBy(ofExchanged().table, epsilon)));
    const ofBest = add(add(moment, multiply(t, multiply(count.mean, delta))), logMean);
    return minimum(ofAll, logSum(negate(count.mean), ofBest));
  };
}

/**
 * The log-moments of a selection, lambda = l - 1 times its Renyi divergence of order l, from those of one run (M; M^ with the
 * neighbors exchanged), m being the mean of the number of runs:
 *
 * - negative binomial: M(lambda) + lambda (1 + shape) min over h >= 1 of (M^(h - 1) + ln(1 / gamma)) / h + ln m;
 * - Poisson: ln(e^-m + m exp(M(lambda) + lambda m d)), d the delta of the exchanged neighbors at epsilon ln(l / (l - 1)); the term
 *   e^-m is of no run at all, and is not in print, where the formula is false for m < 1;
 * - all but negative binomial: ln E[e^(K M(lambda))], of who sees all runs.
 *
 * Upper ends hold; lower ends say nothing.
 *
 * Source: Papernot, Steinke (2022), Theorems 2 and 6; that the second order is of the exchanged neighbors alone, and the
 * term e^-m, are derived.
 */
export const momentsOfRuns = (
  runs: RunLaw,
  { remove, add: addition }: Directions<LogMoment>,
): Directions<LogMoment> => ({
  remove: inOneDirection(runs, remove, addition),
  add: inOneDirection(runs, addition, remove),
});
