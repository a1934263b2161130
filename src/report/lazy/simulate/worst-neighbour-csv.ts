import type { WorstNeighbour } from '../../../lazy/simulate/worst-neighbour.ts';
import { csvText } from '../../kit/csv.ts';

/** One record: what was found, and what accounting guarantees. */
export const lazyWorstNeighbourCsv = ({ candidate, tried, kind, epsilon, accounting }: WorstNeighbour): string =>
  csvText(
    [
      {
        round: candidate.round + 1,
        replacement: candidate.replacement,
        tried,
        kind,
        epsilon,
        accounting: accounting.epsilon,
        delta: accounting.delta.toNumber(),
      },
    ],
    ['round', 'replacement', 'tried', 'kind', 'epsilon', 'accounting', 'delta'],
  );
