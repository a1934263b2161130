import type { Estimate, Simulation, SimulationTask } from '../../lazy/simulate/simulate.ts';
import { claimedRegretOfExperts, isBatchingClaimed, safeRegretOfExperts } from '../../lazy/planning/regret.ts';
import { jsonNumber, type Json } from '../kit/json-value.ts';
import { jsonSetting, lazyDocument } from './json.ts';

const jsonEstimate = ({ mean, lower, upper }: Estimate): Json => ({
  mean: jsonNumber(mean),
  lower: jsonNumber(lower),
  upper: jsonNumber(upper),
});

/** Runs of L2P as `dpcompose.lazy/1`. */
export function lazySimulateJson(found: Simulation, task: SimulationTask, version: string): string {
  const { setting, losses, name, runs, seed } = task;
  const { regret, expectedRegret, unbatchedRegret, bestLoss, switches, expectedOfX } = found;
  return lazyDocument('simulate', version, {
    input: { losses: name, experts: losses.experts, ...jsonSetting(setting), runs, seed },
    regret: {
      estimate: jsonEstimate(regret),
      expected: jsonNumber(expectedRegret),
      unbatched: jsonNumber(unbatchedRegret),
      safe: { status: 'guaranteed', upper: jsonNumber(safeRegretOfExperts(setting, losses.experts)) },
      claimed: isBatchingClaimed(setting)
        ? { status: 'claimed', value: jsonNumber(claimedRegretOfExperts(setting, losses.experts)) }
        : null,
    },
    bestLoss: jsonNumber(bestLoss),
    switches: {
      real: jsonEstimate(switches.real),
      fake: jsonEstimate(switches.fake),
      ofX: { ...(jsonEstimate(switches.ofX) as object), expected: jsonNumber(expectedOfX) },
      ofY: jsonEstimate(switches.ofY),
    },
  });
}
