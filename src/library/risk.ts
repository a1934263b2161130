import type { Problem } from '../composition/compose/compose.ts';
import type { Divergence } from '../composition/risk/divergence.ts';
import { FIT_RATE } from '../composition/risk/fit-rate.ts';
import { risk as riskOf, type RiskOptions, type RiskOutcome, type RiskQuestion } from '../composition/risk/risk.ts';
import type { FinitePairMechanism, TradeOffPoint } from '../privacy/mechanism.ts';
import { numbersFrom, ORDER, PROPER_FRACTION } from '../privacy/mechanisms/parameters.ts';
import { isPair, tradeOffPair as pairOf } from '../privacy/trade-off.ts';
import { tradeOffTrouble } from '../document/mechanism/trade-off-faults.ts';
import { Arguments, callback, decimal, kinds, listOf, optional, orNull, record, refined } from './arguments.ts';
import { COMPOSE_OPTIONS } from './read-problem.ts';
import { tradeOffPointList } from './read-mechanism.ts';
import * as read from './read-problem.ts';

const divergence = kinds<Divergence, 'kind'>('kind', 'a divergence', {
  kl: ['a divergence', {}],
  'total-variation': ['a divergence', {}],
  renyi: ['a divergence', { order: decimal(ORDER) }],
});

const chances = listOf(decimal({ ...PROPER_FRACTION, example: '0.1' }), 'decimals', 0);

const readQuestion = record<RiskQuestion>('a question about risks', {
  priors: chances,
  falsePositiveRates: chances,
  baselines: chances,
  divergences: listOf(divergence, 'divergences', 0),
  gaussianRate: optional(orNull(decimal({ ...numbersFrom(FIT_RATE.least, FIT_RATE.most), example: '1e-6' }))),
});

const readOptions = record<RiskOptions>(
  'options',
  { ...COMPOSE_OPTIONS, answered: optional(callback) },
  '{ tolerance: 1e-6 }',
);

/**
 * What can be done with the results of mechanisms, for the worst neighbouring data: membership advantage, success of a
 * guess, true-positive rates, success in guessing an attribute or reconstructing a record, bits that are told, divergences, and
 * with a `gaussianRate` the Gaussian mechanisms between which they lie.
 *
 * Upper ends hold against everybody, lower ends are what some mechanisms of the declared classes risk. Refused as compose
 * refuses.
 *
 * @example
 * ```js
 * import { Decimal, readSpecification, risk } from 'dpcompose';
 *
 * const { specification } = readSpecification('{"dpcompose": 1, "mechanisms": [{"type": "gaussian", "sigma": 1}]}');
 * const falsePositiveRates = [new Decimal('0.01')];
 * const outcome = risk(specification, { priors: [], falsePositiveRates, baselines: [], divergences: [] });
 * const [{ truePositiveRate }] = outcome.risk.tests;
 * console.log(Math.ceil(truePositiveRate.upper * 1e6) / 1e6); // 0.092363
 * ```
 *
 * @throws TypeError or RangeError where an argument is not what it must be
 */
export function risk(problem: Problem, question: RiskQuestion, options: RiskOptions = {}): RiskOutcome {
  const args = new Arguments('risk');
  return riskOf(
    args.read('problem', problem, read.problem),
    args.read('question', question, readQuestion),
    read.optionsOf(args, options, readOptions),
  );
}

const readPoints = refined(tradeOffPointList, (points: readonly TradeOffPoint[], at) => {
  const pair = pairOf(points);
  if (isPair(pair)) return;
  const { problem, index, key } = tradeOffTrouble(pair[0]!, points);
  throw (index === undefined ? at : at.item(index).key(key)).inDocument(problem);
});

/**
 * The finite pair that dominates every mechanism with a trade-off function of at least f, in both orders of neighbours: f is
 * straight between these points, to which (0, 1) and (1, 0) are added where they are missing. Exact for what f-DP promises,
 * but for corners of max(f, f^-1) that are no decimals; such are rounded so that the pair promises less, by less than 1e-38
 * of its probabilities and losses.
 *
 * Points of a smooth curve promise more than the curve, as the lines between them are above it: write the crossings of
 * lines below it.
 *
 * Source: Dong, Roth, Su (2022), Definition 2.3 and Propositions 2.4, 2.12.
 *
 * @param points - alpha ascending from 0 to 1, beta from 0 to 1 - alpha and convex; at most 200
 * @throws RangeError for points that lie on no trade-off function
 *
 * @example
 * ```js
 * import { Decimal, tradeOffPair } from 'dpcompose';
 *
 * const pair = tradeOffPair([{ alpha: new Decimal('0.25'), beta: new Decimal('0.25') }]);
 * console.log(pair.p.join(), pair.q.join()); // 0.75,0.25 0.25,0.75
 * ```
 */
export function tradeOffPair(points: readonly TradeOffPoint[]): FinitePairMechanism {
  const pair = pairOf(new Arguments('tradeOffPair').read('points', points, readPoints));
  if (!isPair(pair)) throw new Error('Points that were read have a fault.');
  return pair;
}
