import type { NeighbourComparison } from '../../lazy/simulate/compare-neighbours.ts';
import { jsonDecimal, jsonNumber } from '../kit/json-value.ts';
import { jsonSetting, lazyDocument } from './json.ts';

/** The exact laws on two neighbouring sequences as `dpcompose.lazy/1`. */
export function lazyExactJson(found: NeighbourComparison, version: string): string {
  const { setting, experts, epsilons, views, accounting, played } = found;
  return lazyDocument('exact', version, {
    input: { experts, ...jsonSetting(setting), epsilon: epsilons.map(jsonDecimal) },
    views: views.map(({ view, outcomes, deltas, largestLoss }) => ({
      view,
      outcomes,
      deltas: deltas.map(jsonNumber),
      largestLoss: jsonNumber(largestLoss),
    })),
    accounting: accounting.map(({ resampling, deltas }) => ({
      status: 'guaranteed',
      resampling,
      deltas: deltas.map(jsonNumber),
    })),
    played: played.map((outcome) => ({
      played: outcome.played,
      probability: jsonNumber(outcome.probability),
      neighbour: jsonNumber(outcome.neighbour),
    })),
  });
}
