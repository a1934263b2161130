import type { GuaranteeAt } from '../../../lazy/accounting/guarantee-at.ts';
import { safeRegretOfConvex } from '../../../lazy/planning/regret.ts';
import { LOSS_KINDS } from '../../../lazy/simulate/losses.ts';
import type { ConvexSimulation, ConvexSimulationTask } from '../../../lazy/simulate/simulate-convex.ts';
import { always, choice, object } from '../../kit/codec.ts';
import { COUNT, NEAREST_GIVEN, NUMBER } from '../../kit/codecs.ts';
import { GUARANTEED, lazyText, MEASURE, printedSetting, RESAMPLING, SAFE, SETTING } from '../kit/json.ts';

/** Runs on linear losses, with their privacy. */
export interface ConvexRuns {
  readonly question: ConvexSimulationTask;
  readonly found: ConvexSimulation;
  readonly privacy: GuaranteeAt;
}

const ESTIMATE = object({ mean: NUMBER, lower: NUMBER, upper: NUMBER });

/** Runs of L2P on linear losses on a ball. */
export const SIMULATE_CONVEX = object({
  result: always('simulate-convex'),
  input: object({
    losses: choice(...LOSS_KINDS),
    dimension: COUNT,
    ...SETTING,
    measure: MEASURE,
    runs: COUNT,
    seed: COUNT,
  }),
  regret: object({ estimate: ESTIMATE, safe: SAFE }),
  bestLoss: NUMBER,
  switches: object({ real: ESTIMATE, fake: ESTIMATE, ofX: ESTIMATE, ofY: ESTIMATE }),
  privacy: object({ status: GUARANTEED, epsilon: NUMBER, delta: NEAREST_GIVEN, resampling: RESAMPLING }),
});

/** Runs of L2P on linear losses as `dpcompose.lazy/1`. */
export function lazySimulateConvexJson({ question, found, privacy }: ConvexRuns, version: string): string {
  const { setting, measure, dimension, kind, runs, seed } = question;
  const value = {
    ...found,
    input: { ...printedSetting(setting), losses: kind, dimension, measure, runs, seed },
    regret: { estimate: found.regret, safe: { upper: safeRegretOfConvex(setting, measure, dimension) } },
    privacy,
  };
  return lazyText(SIMULATE_CONVEX, value, version);
}
