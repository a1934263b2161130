import { csvText } from '../../kit/csv.ts';
import type { ConvexRuns } from './simulate-convex-json.ts';

/** One record for each quantity that was seen, and the privacy of a run. */
export function lazySimulateConvexCsv({ found: { regret, switches }, privacy }: ConvexRuns): string {
  const known = { mean: null, lower: null };
  const rows = [
    { quantity: 'regret', ...regret },
    { quantity: 'real', ...switches.real },
    { quantity: 'fake', ...switches.fake },
    { quantity: 'ofX', ...switches.ofX },
    { quantity: 'ofY', ...switches.ofY },
    { quantity: 'epsilon', ...known, upper: privacy.epsilon },
    { quantity: 'delta', ...known, upper: privacy.delta.toNumber() },
  ];
  return csvText(rows, ['quantity', 'mean', 'lower', 'upper']);
}
