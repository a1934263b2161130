import type { SimulatedRuns } from '../../../lazy/simulate/simulated-runs.ts';
import { claimedRegretOfExperts, isBatchingClaimed, safeRegretOfExperts } from '../../../lazy/planning/regret.ts';
import { always, described, object, orNull } from '../../kit/codec.ts';
import { COUNT, NEAREST_GIVEN, NUMBER, TEXT } from '../../kit/codecs.ts';
import { CLAIM, GUARANTEED, lazyText, printedSetting, RESAMPLING, SAFE, SETTING } from '../kit/json.ts';

const ESTIMATED = { mean: NUMBER, lower: NUMBER, upper: NUMBER };
const ESTIMATE = object(ESTIMATED);

/** Runs of L2P. */
export const SIMULATE = object({
  result: always('simulate'),
  input: object({ losses: TEXT, experts: COUNT, ...SETTING, instances: COUNT, runs: COUNT, seed: COUNT }),
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
  instances: described(
    'null of one loss sequence; of several, all other numbers are means over them',
    orNull(
      object({
        expectedRegret: described('exact of each sequence, and estimated over them', ESTIMATE),
        worst: object({
          instance: COUNT,
          seed: described('with this seed it is the only one', COUNT),
          estimate: ESTIMATE,
          expected: NUMBER,
        }),
      }),
    ),
  ),
  privacy: described(
    'of a run with these parameters, by exact accounting',
    object({ status: GUARANTEED, epsilon: NUMBER, delta: NEAREST_GIVEN, resampling: RESAMPLING }),
  ),
});

/** Runs of L2P as `dpcompose.lazy/1`. */
export function lazySimulateJson(simulated: SimulatedRuns, version: string): string {
  const { setting, experts, name, seed, found, instances, privacy } = simulated;
  const { switches, bestLoss, runs } = found;
  const worst = instances?.worst;
  const value = {
    input: {
      ...printedSetting(setting),
      losses: name,
      experts,
      instances: instances?.count ?? 1,
      runs,
      seed,
    },
    regret: {
      estimate: found.regret,
      expected: found.expectedRegret,
      unbatched: found.unbatchedRegret,
      safe: { upper: safeRegretOfExperts(setting, experts) },
      claimed: isBatchingClaimed(setting) ? { value: claimedRegretOfExperts(setting, experts) } : null,
    },
    bestLoss,
    switches: { ...switches, ofX: { ...switches.ofX, expected: found.expectedOfX } },
    instances: worst
      ? {
          expectedRegret: instances.expectedRegret,
          worst: { ...worst, estimate: worst.found.regret, expected: worst.found.expectedRegret },
        }
      : null,
    privacy,
  };
  return lazyText(SIMULATE, value, version);
}
