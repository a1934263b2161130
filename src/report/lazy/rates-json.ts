import type { RateTable, RatesQuestion } from '../../lazy/rates/rate-table.ts';
import { jsonDecimal, jsonNumber, type Json } from '../kit/json-value.ts';
import { lazyDocument } from './json.ts';

function jsonQuestion(question: RatesQuestion): Json {
  const at = question.at.map(jsonDecimal);
  if (question.kind === 'exponents') {
    const { value, text } = question.gamma;
    const gamma = { gamma: jsonNumber(value), exact: { gamma: text } };
    return { kind: 'exponents', problem: question.problem, ...gamma, alpha: at };
  }
  return { kind: 'rates', problem: question.problem, rounds: question.rounds, size: question.size, epsilon: at };
}

/** Regret rates as `dpcompose.lazy/1`; `values` in the order of alpha or epsilon. */
export const lazyRatesJson = ({ question, rows }: RateTable, version: string): string =>
  lazyDocument('rates', version, {
    input: jsonQuestion(question),
    rows: rows.map(({ rate, values, freeUntil }) => ({
      id: rate.id,
      status: rate.status,
      formula: rate.formula,
      source: rate.source,
      values: values.map(jsonNumber),
      freeUntil: freeUntil === null ? null : jsonNumber(freeUntil),
    })),
  });
