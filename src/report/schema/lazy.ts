import { ENCLOSURE, GIVEN, list, NUMBER, published, record, TEXT, type JsonSchema } from './common.ts';
import {
  ACCOUNTING,
  CLAIMED,
  COUNT,
  FLAG,
  GUARANTEED,
  lazyResult,
  MEASURE,
  NOTES,
  orNull,
  RESAMPLING,
  SETTING,
  THEOREM,
} from './lazy-common.ts';

const AUDIT = lazyResult('audit', {
  input: record({
    setting: orNull(TEXT),
    ...SETTING,
    measure: MEASURE,
    delta1: GIVEN,
    delta0: GIVEN,
    target: orNull(GIVEN),
  }),
  theorem: THEOREM,
  moved: { description: 'Theorem 3.2 at the distance of Lemma 3.11, where that is above eta', ...orNull(THEOREM) },
  delta: { type: 'number', description: 'at which the epsilons of the accounting hold' },
  accounting: ACCOUNTING,
  guarantee: orNull(record({ resampling: RESAMPLING, epsilon: NUMBER })),
  notes: NOTES,
});

const SAFE = record({ status: GUARANTEED, upper: NUMBER });

const REGRET = record({
  claimed: {
    description: 'null where neither a theorem of the paper prints these parameters nor its Theorem 3.2 covers them',
    ...orNull(record({ status: CLAIMED, value: NUMBER })),
  },
  safe: SAFE,
});

const CHOSEN = record({
  limit: { enum: ['privacy', 'regret', 'one-batch'] },
  others: list(record({ parameter: { enum: ['batch', 'p'] }, value: NUMBER, regret: NUMBER })),
  why: TEXT,
});

const TARGET: JsonSchema = { epsilon: GIVEN, delta: GIVEN };

const PLAN = lazyResult('plan', {
  input: {
    oneOf: [
      record({ problem: { const: 'ope' }, rounds: COUNT, experts: COUNT, ...TARGET }),
      record({
        problem: { const: 'oco' },
        rounds: COUNT,
        dimension: COUNT,
        lipschitz: GIVEN,
        diameter: GIVEN,
        ...TARGET,
      }),
    ],
  },
  claimedRate: record({ status: CLAIMED, value: NUMBER }),
  rows: list(
    record({
      id: TEXT,
      ...SETTING,
      measure: MEASURE,
      delta1: GIVEN,
      delta0: GIVEN,
      theorem: THEOREM,
      moved: orNull(THEOREM),
      accounting: ACCOUNTING,
      claimsTarget: FLAG,
      meetsTarget: FLAG,
      regret: REGRET,
      chosen: orNull(CHOSEN),
      notes: NOTES,
    }),
  ),
  best: orNull(TEXT),
  guessing: { description: 'the expected regret of what looks at no loss', ...SAFE },
  missing: list(record({ id: TEXT, code: TEXT, p: NUMBER })),
});

const PROBLEM: JsonSchema = { enum: ['ope', 'oco'] };

const RATES = lazyResult('rates', {
  input: {
    oneOf: [
      record({
        kind: { const: 'exponents' },
        problem: PROBLEM,
        gamma: { type: 'number' },
        exact: { ...record({ gamma: TEXT }), description: 'gamma as a decimal or a quotient' },
        alpha: list(GIVEN),
      }),
      record({ kind: { const: 'rates' }, problem: PROBLEM, rounds: COUNT, size: COUNT, epsilon: list(GIVEN) }),
    ],
  },
  rows: list(
    record({
      id: TEXT,
      status: { enum: ['claimed', 'derived', 'other'] },
      formula: TEXT,
      source: TEXT,
      values: list(NUMBER),
      freeUntil: orNull(NUMBER),
    }),
  ),
});

const LOWER_BOUND = lazyResult('lower-bound', {
  input: record({ rounds: COUNT, experts: COUNT, epsilon: GIVEN }),
  status: CLAIMED,
  conditions: list(record({ id: TEXT, stated: FLAG, value: NUMBER, least: NUMBER, holds: FLAG })),
  construction: record({
    switches: NUMBER,
    epochs: NUMBER,
    epoch: NUMBER,
    epochLoss: NUMBER,
    logInverseDelta: NUMBER,
  }),
  terms: record({ free: NUMBER, privacy: NUMBER }),
  explicit: NUMBER,
});

const SWITCHES = lazyResult('switches', {
  input: record({
    ...SETTING,
    measure: MEASURE,
    beyond: list(GIVEN),
    delta1: orNull(GIVEN),
    budget: orNull(record(TARGET)),
  }),
  transitions: COUNT,
  counts: list(
    record({
      kind: { enum: ['fake', 'real', 'ofX', 'ofY', 'all'] },
      mean: NUMBER,
      deviation: NUMBER,
      quantiles: { description: 'in the order of input.beyond', ...list(COUNT) },
    }),
  ),
  paper: orNull(record({ status: CLAIMED, fake: ENCLOSURE, composed: ENCLOSURE })),
  caps: list(
    record({ status: GUARANTEED, resampling: RESAMPLING, rule: TEXT, most: orNull(COUNT), beyond: orNull(NUMBER) }),
  ),
});

const ESTIMATE: JsonSchema = { mean: NUMBER, lower: NUMBER, upper: NUMBER };

const SIMULATE = lazyResult('simulate', {
  input: record({ losses: TEXT, experts: COUNT, ...SETTING, runs: COUNT, seed: COUNT }),
  regret: record({
    estimate: record(ESTIMATE),
    expected: NUMBER,
    unbatched: NUMBER,
    safe: SAFE,
    claimed: {
      description: 'null where Proposition 3.3 is not about these parameters',
      ...orNull(record({ status: CLAIMED, value: NUMBER })),
    },
  }),
  bestLoss: NUMBER,
  switches: record({
    real: record(ESTIMATE),
    fake: record(ESTIMATE),
    ofX: record({ ...ESTIMATE, expected: NUMBER }),
    ofY: record(ESTIMATE),
  }),
});

const EXACT = lazyResult('exact', {
  input: record({ experts: COUNT, ...SETTING, epsilon: list(GIVEN) }),
  views: list(
    record({
      view: { enum: ['played', 'states', 'flags'] },
      outcomes: COUNT,
      deltas: { description: 'in the order of input.epsilon', ...list(NUMBER) },
      largestLoss: NUMBER,
    }),
  ),
  accounting: list(record({ status: GUARANTEED, resampling: RESAMPLING, deltas: list(NUMBER) })),
  played: list(record({ played: TEXT, probability: NUMBER, neighbour: NUMBER })),
});

/** What the commands under `lazy` print with --json. */
export const LAZY_SCHEMA = published(
  'lazy',
  'What the commands under lazy print with --json; `result` says which. What has the status "claimed" is no guarantee.',
  {
    ...record({ schema: { const: 'dpcompose.lazy/1' }, version: TEXT, result: TEXT }),
    oneOf: [AUDIT, PLAN, RATES, LOWER_BOUND, SWITCHES, SIMULATE, EXACT],
  },
);
