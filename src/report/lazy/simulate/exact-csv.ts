import type { NeighbourComparison } from '../../../lazy/simulate/compare-neighbours.ts';
import { csvText } from '../../kit/csv.ts';

/** The law of what is played on both sequences: one record for each outcome. */
export const lazyExactCsv = ({ played }: NeighbourComparison): string =>
  csvText(played, ['played', 'probability', 'neighbour']);
