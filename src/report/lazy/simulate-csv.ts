import type { Simulation } from '../../lazy/simulate/simulate.ts';
import { csvText } from '../kit/csv.ts';

/** One record for each quantity that was seen, with its exact mean where that is known. */
export function lazySimulateCsv({ regret, expectedRegret, switches, expectedOfX }: Simulation): string {
  const rows = [
    { quantity: 'regret', ...regret, expected: expectedRegret },
    { quantity: 'real', ...switches.real, expected: null },
    { quantity: 'fake', ...switches.fake, expected: null },
    { quantity: 'ofX', ...switches.ofX, expected: expectedOfX },
    { quantity: 'ofY', ...switches.ofY, expected: null },
  ];
  return csvText(rows, ['quantity', 'mean', 'lower', 'upper', 'expected']);
}
