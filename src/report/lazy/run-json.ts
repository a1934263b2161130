import { besideRun } from '../../lazy/alternatives/all.ts';
import { chanceBeyond, regretOfRun } from '../../lazy/run/run-guarantee.ts';
import type { RunState } from '../../lazy/run/run-state.ts';
import { always, described, list, object, orNull } from '../kit/codec.ts';
import { BUDGET, COUNT, ENCLOSURE, FLAG, GIVEN, TEXT, TEXT_OR_NULL } from '../kit/codecs.ts';
import { GUARANTEED, lazyText, printedSetting, SAFE, SETTING } from './kit/json.ts';

/** A run of L2P, without what experts have lost. */
export const RUN = object({
  result: always('run'),
  input: object({
    ...SETTING,
    experts: COUNT,
    names: orNull(list(TEXT)),
    cap: described('so often experts are sampled anew at most; null for any number', orNull(COUNT)),
  }),
  id: TEXT,
  simulated: described('whether the random numbers come from a seed: then nothing is private', FLAG),
  guarantee: described(
    'for replacing the losses of one round; null for a simulation',
    orNull(object({ status: GUARANTEED, epsilon: GIVEN, delta: GIVEN })),
  ),
  budget: BUDGET,
  beyondCap: described(
    'the chance that more new samples are asked for than the cap allows; null without one',
    orNull(ENCLOSURE),
  ),
  regret: object({ safe: described('of a run with its cap, if there is one', SAFE) }),
  instead: described(
    'a learner that is as private, with a smaller proved regret; lazy run cannot play it; null where none is known',
    orNull(object({ id: TEXT, regret: SAFE })),
  ),
  ledger: orNull(object({ name: TEXT, store: TEXT_OR_NULL })),
  round: described('the round that is next; null before the ledger has granted the run', orNull(COUNT)),
  expert: described('of that round, from 1; null when the run is over', orNull(COUNT)),
  name: TEXT_OR_NULL,
  resampled: described('how often experts were sampled anew', COUNT),
});

/** A run as `dpcompose.lazy/1`. */
export function lazyRunJson({ header, progress, simulated }: RunState, version: string): string {
  const { setting, experts, names, cap, id, epsilon, delta, ledger } = header;
  const regret = regretOfRun(setting, experts, cap);
  const { instead } = besideRun(header, regret);
  const action = progress === null || progress.round > setting.rounds ? null : progress.x;
  return lazyText(
    RUN,
    {
      input: { ...printedSetting(setting), experts, names, cap },
      id,
      simulated: simulated !== null,
      guarantee: simulated === null ? { epsilon, delta } : null,
      budget: { epsilon, delta },
      beyondCap: cap === null ? null : chanceBeyond(setting, cap),
      regret: { safe: { upper: regret } },
      instead: instead && { id: instead.id, regret: { upper: instead.regret } },
      ledger,
      round: progress?.round ?? null,
      expert: action === null ? null : action + 1,
      name: action === null ? null : (names?.[action] ?? null),
      resampled: progress?.resampled ?? 0,
    },
    version,
  );
}
