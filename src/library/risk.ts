import type { Divergence } from '../composition/risk/divergence.ts';
import { FIT_RATE } from '../composition/risk/fit-rate.ts';
import { risk as riskOf, type RiskOptions, type RiskOutcome, type RiskQuestion } from '../composition/risk/risk.ts';
import type { Problem } from '../composition/compose/compose.ts';
import {
  Arguments,
  byWord,
  callback,
  decimal,
  listOf,
  oneOf,
  optional,
  orNull,
  record,
  type Range,
} from './arguments.ts';
import { COMPOSE_OPTIONS } from './read-options.ts';
import * as read from './read-problem.ts';

const CHANCE: Range = {
  rule: 'a Decimal above 0 and below 1',
  example: '0.1',
  contains: (value) => value.gt(0) && value.lt(1),
};

const ORDER: Range = { rule: 'a Decimal above 1', example: '2', contains: (value) => value.gt(1) };

const RATE: Range = {
  rule: 'a Decimal from 1e-12 to 0.01',
  example: '1e-6',
  contains: (value) => value.gte(FIT_RATE.least) && value.lte(FIT_RATE.most),
};

const plainDivergence = (kind: 'kl' | 'total-variation') =>
  record<{ kind: string }>('a divergence', { kind: oneOf([kind]) }, `{ kind: '${kind}' }`);

const divergence = byWord(
  'kind',
  {
    kl: plainDivergence('kl'),
    'total-variation': plainDivergence('total-variation'),
    renyi: record<Extract<Divergence, { kind: 'renyi' }>>(
      'a divergence',
      { kind: oneOf(['renyi']), order: decimal(ORDER) },
      "{ kind: 'renyi', order: new Decimal(2) }",
    ),
  },
  'a divergence',
  "{ kind: 'kl' }",
);

const chances = listOf(decimal(CHANCE), 'decimals', 0);

const readQuestion = record<RiskQuestion>(
  'a question about risks',
  {
    priors: chances,
    falsePositiveRates: chances,
    baselines: chances,
    divergences: listOf(divergence, 'divergences', 0),
    gaussianRate: optional(orNull(decimal(RATE))),
  },
  "{ priors: [new Decimal('0.5')], falsePositiveRates: [new Decimal('0.01')], baselines: [], divergences: [] }",
);

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
  const given = new Arguments('risk');
  return riskOf(
    given.read('problem', problem, read.problem),
    given.read('question', question, readQuestion),
    given.read('options', options, readOptions),
  );
}
