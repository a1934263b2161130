import type { LowerBound42 } from '../../lazy/theorems/theorem-4-2.ts';
import { always, list, object } from '../kit/codec.ts';
import { COUNT, FLAG, GIVEN, NUMBER, TEXT } from '../kit/codecs.ts';
import { CLAIMED, lazyText } from './kit/json.ts';

/** The lower bound on regret. */
export const LOWER_BOUND = object({
  result: always('lower-bound'),
  input: object({ rounds: COUNT, experts: COUNT, epsilon: GIVEN }),
  status: CLAIMED,
  conditions: list(object({ id: TEXT, stated: FLAG, value: NUMBER, least: NUMBER, holds: FLAG })),
  construction: object({
    switches: NUMBER,
    epochs: NUMBER,
    epoch: NUMBER,
    epochLoss: NUMBER,
    logInverseDelta: NUMBER,
  }),
  terms: object({ free: NUMBER, privacy: NUMBER }),
  explicit: NUMBER,
});

/** The lower bound as `dpcompose.lazy/1`. */
export const lazyLowerBoundJson = (bound: LowerBound42, version: string): string =>
  lazyText(LOWER_BOUND, { ...bound, input: bound.problem, construction: bound }, version);
