import type { Simulation } from '../../lazy/simulate/simulate.ts';
import { csvText } from '../kit/csv.ts';

/** One record for each quantity that was seen, with its exact mean where that is known. */
export function lazySimulateCsv({ regret, expectedRegret, switches, expectedOfX }: Simulation): string {
  const rows = [
    ['regret', regret, expectedRegret],
    ['real', switches.real, null],
    ['fake', switches.fake, null],
    ['ofX', switches.ofX, expectedOfX],
    ['ofY', switches.ofY, null],
  ] as const;
  return csvText(
    ['quantity', 'mean', 'lower', 'upper', 'expected'],
    rows.map(([name, { mean, lower, upper }, expected]) => [name, mean, lower, upper, expected]),
  );
}
