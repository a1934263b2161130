import type { NeighbourComparison } from '../../lazy/simulate/compare-neighbours.ts';
import { csvText } from '../kit/csv.ts';

/** The law of what is played on both sequences: one record for each outcome. */
export const lazyExactCsv = ({ played }: NeighbourComparison): string =>
  csvText(
    ['played', 'probability', 'neighbour'],
    played.map((outcome) => [outcome.played, outcome.probability, outcome.neighbour]),
  );
