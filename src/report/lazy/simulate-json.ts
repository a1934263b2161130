import type { Simulation, SimulationTask } from '../../lazy/simulate/simulate.ts';
import { claimedRegretOfExperts, isBatchingClaimed, safeRegretOfExperts } from '../../lazy/planning/regret.ts';
import { always, described, object, orNull } from '../kit/codec.ts';
import { COUNT, NUMBER, TEXT } from '../kit/codecs.ts';
import { CLAIM, lazyText, printedSetting, SAFE, SETTING } from './json.ts';

const ESTIMATED = { mean: NUMBER, lower: NUMBER, upper: NUMBER };
const ESTIMATE = object(ESTIMATED);

/** Runs of L2P. */
export const SIMULATE = object({
  result: always('simulate'),
  input: object({ losses: TEXT, experts: COUNT, ...SETTING, runs: COUNT, seed: COUNT }),
  regret: object({
    estimate: ESTIMATE,
    expected: NUMBER,
    unbatched: NUMBER,
    safe: SAFE,
    claimed: described('null where Proposition 3.3 is not about these parameters', orNull(CLAIM)),
  }),
  bestLoss: NUMBER,
  switches: object({
    real: ESTIMATE,
    fake: ESTIMATE,
    ofX: object({ ...ESTIMATED, expected: NUMBER }),
    ofY: ESTIMATE,
  }),
});

/** Runs of L2P as `dpcompose.lazy/1`. */
export function lazySimulateJson(found: Simulation, task: SimulationTask, version: string): string {
  const { setting, losses, name } = task;
  const { switches } = found;
  const value = {
    ...found,
    input: { ...task, ...printedSetting(setting), losses: name, experts: losses.experts },
    regret: {
      estimate: found.regret,
      expected: found.expectedRegret,
      unbatched: found.unbatchedRegret,
      safe: { upper: safeRegretOfExperts(setting, losses.experts) },
      claimed: isBatchingClaimed(setting) ? { value: claimedRegretOfExperts(setting, losses.experts) } : null,
    },
    switches: { ...switches, ofX: { ...switches.ofX, expected: found.expectedOfX } },
  };
  return lazyText(SIMULATE, value, version);
}
