import type { LowerBound42 } from '../../lazy/theorems/theorem-4-2.ts';
import { jsonDecimal, jsonNumber } from '../kit/json-value.ts';
import { lazyDocument } from './json.ts';

/** The lower bound as `dpcompose.lazy/1`. */
export function lazyLowerBoundJson(bound: LowerBound42, version: string): string {
  const { problem, conditions, switches, epochs, epoch, logInverseDelta, terms, explicit, epochLoss } = bound;
  return lazyDocument('lower-bound', version, {
    input: { rounds: problem.rounds, experts: problem.experts, epsilon: jsonDecimal(problem.epsilon) },
    status: 'claimed',
    conditions: conditions.map(({ id, stated, value, least, holds }) => ({
      id,
      stated,
      value: jsonNumber(value),
      least: jsonNumber(least),
      holds,
    })),
    construction: {
      switches: jsonNumber(switches),
      epochs: jsonNumber(epochs),
      epoch: jsonNumber(epoch),
      epochLoss: jsonNumber(epochLoss),
      logInverseDelta: jsonNumber(logInverseDelta),
    },
    terms: { free: jsonNumber(terms.free), privacy: jsonNumber(terms.privacy) },
    explicit: jsonNumber(explicit),
  });
}
