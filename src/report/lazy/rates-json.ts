import type { RateTable, RatesQuestion } from '../../lazy/rates/rate-table.ts';
import { always, choice, described, is, list, object, oneOf, orNull, type ValueOf } from '../kit/codec.ts';
import { COUNT, FINITE, GIVEN, NUMBER, TEXT } from '../kit/codecs.ts';
import { lazyText } from './kit/json.ts';

const PROBLEM = choice('ope', 'oco');

const QUESTION = oneOf(
  object({
    kind: is('exponents'),
    problem: PROBLEM,
    gamma: FINITE,
    exact: described('gamma as a decimal or a quotient', object({ gamma: TEXT })),
    alpha: list(GIVEN),
  }),
  object({ kind: is('rates'), problem: PROBLEM, rounds: COUNT, size: COUNT, epsilon: list(GIVEN) }),
);

/** Regret rates; `values` in the order of alpha or epsilon. */
export const RATES = object({
  result: always('rates'),
  input: QUESTION,
  rows: list(
    object({
      id: TEXT,
      status: choice('claimed', 'derived', 'other'),
      formula: TEXT,
      source: TEXT,
      values: list(NUMBER),
      freeUntil: orNull(NUMBER),
    }),
  ),
});

function questionOf(question: RatesQuestion): ValueOf<typeof QUESTION> {
  if (question.kind === 'rates') return { ...question, epsilon: question.at };
  const { value, text } = question.gamma;
  return { ...question, gamma: value, exact: { gamma: text }, alpha: question.at };
}

/** Regret rates as `dpcompose.lazy/1`. */
export const lazyRatesJson = ({ question, rows }: RateTable, version: string): string =>
  lazyText(RATES, { input: questionOf(question), rows: rows.map((row) => ({ ...row.rate, ...row })) }, version);
