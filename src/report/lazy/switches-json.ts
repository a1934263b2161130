import type { Switches } from '../../lazy/accounting/switches.ts';
import { always, choice, described, list, object, orNull } from '../kit/codec.ts';
import { BUDGET, COUNT, ENCLOSURE, GIVEN, NUMBER, TEXT } from '../kit/codecs.ts';
import { CLAIMED, GUARANTEED, lazyText, MEASURE, printedSetting, RESAMPLING, SETTING } from './kit/json.ts';

/** The number of switches. */
export const SWITCHES = object({
  result: always('switches'),
  input: object({
    ...SETTING,
    measure: MEASURE,
    beyond: list(GIVEN),
    delta1: orNull(GIVEN),
    budget: orNull(BUDGET),
  }),
  transitions: COUNT,
  counts: list(
    object({
      kind: choice('fake', 'real', 'ofX', 'ofY', 'all'),
      mean: NUMBER,
      deviation: NUMBER,
      quantiles: described('in the order of input.beyond', list(COUNT)),
    }),
  ),
  paper: orNull(object({ status: CLAIMED, fake: ENCLOSURE, composed: ENCLOSURE })),
  caps: list(
    object({
      status: GUARANTEED,
      resampling: RESAMPLING,
      rule: TEXT,
      most: orNull(COUNT),
      beyond: orNull(NUMBER),
    }),
  ),
});

/** The number of switches as `dpcompose.lazy/1`. */
export const lazySwitchesJson = (switches: Switches, version: string): string =>
  lazyText(
    SWITCHES,
    { ...switches, input: { ...switches.question, ...printedSetting(switches.question.setting) } },
    version,
  );
