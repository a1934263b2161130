import type { L2pSetting } from '../../../learning/core/setting.ts';
import { always, choice, described, is, object, oneOf, orNull, type Codec, type Members } from '../../kit/codec.ts';
import { COUNT, GIVEN, UPPER } from '../../kit/codecs.ts';
import { jsonDocument, type JsonMembers } from '../../kit/json-value.ts';

/** The status of a number that is printed in a paper, and that this program does not guarantee. */
export const CLAIMED = always('claimed');
/** The status of a number that is certain. */
export const GUARANTEED = always('guaranteed');

export const SAFE = object({ status: GUARANTEED, upper: UPPER });

/** The parameters of L2P, with all their digits. */
export const SETTING = {
  rounds: COUNT,
  batch: COUNT,
  eta: GIVEN,
  p: described('the chance of a fake switch; null without y', orNull(GIVEN)),
  c: described('x is kept with probability e^(-c - eta loss); null with y', orNull(GIVEN)),
};

/** A setting under the names of its printed parameters. */
export const printedSetting = ({
  rounds,
  batch,
  eta,
  fakeSwitch,
  switchRate,
}: L2pSetting): Members<typeof SETTING> => ({
  rounds,
  batch,
  eta,
  p: fakeSwitch ?? null,
  c: switchRate ?? null,
});

export const MEASURE = oneOf(
  object({ type: choice('multiplicative-weights', 'any') }),
  object({
    type: is('regularised-multiplicative-weights'),
    beta: GIVEN,
    lambda: GIVEN,
    lipschitz: GIVEN,
    diameter: GIVEN,
  }),
);

export const RESAMPLING = choice('randomized-response', 'bounded-range', 'gaussian');

/** A result of a lazy command as `dpcompose.lazy/1`. */
export const lazyText = <Value>(result: Codec<Value, unknown>, value: NoInfer<Value>, version: string): string =>
  jsonDocument({ schema: 'dpcompose.lazy/1', version, ...(result.encode(value) as JsonMembers) });
