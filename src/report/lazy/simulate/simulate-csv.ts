import type { SimulatedRuns } from '../../../lazy/simulate/simulated-runs.ts';
import { csvText } from '../../kit/csv.ts';

/** One record for each quantity that was seen, with its exact mean where that is known, and the privacy of a run. */
export function lazySimulateCsv({ found, instances, privacy }: SimulatedRuns): string {
  const { regret, expectedRegret, switches, expectedOfX } = found;
  const worst = instances?.worst.found;
  const known = { mean: null, lower: null };
  const rows = [
    { quantity: 'regret', ...regret, expected: expectedRegret },
    ...(worst ? [{ quantity: 'worstRegret', ...worst.regret, expected: worst.expectedRegret }] : []),
    { quantity: 'real', ...switches.real, expected: null },
    { quantity: 'fake', ...switches.fake, expected: null },
    { quantity: 'ofX', ...switches.ofX, expected: expectedOfX },
    { quantity: 'ofY', ...switches.ofY, expected: null },
    { quantity: 'epsilon', ...known, upper: privacy.epsilon, expected: null },
    { quantity: 'delta', ...known, upper: privacy.delta.toNumber(), expected: null },
  ];
  return csvText(rows, ['quantity', 'mean', 'lower', 'upper', 'expected']);
}
