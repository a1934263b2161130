import type { NeighbourComparison } from '../../../lazy/simulate/compare-neighbours.ts';
import { always, choice, described, list, object } from '../../kit/codec.ts';
import { COUNT, GIVEN, NUMBER, TEXT } from '../../kit/codecs.ts';
import { GUARANTEED, lazyText, printedSetting, RESAMPLING, SETTING } from '../kit/json.ts';

/** The exact laws on two neighbouring sequences. */
export const EXACT = object({
  result: always('exact'),
  input: object({ experts: COUNT, ...SETTING, epsilon: list(GIVEN) }),
  views: list(
    object({
      view: choice('played', 'states', 'flags'),
      outcomes: COUNT,
      deltas: described('in the order of input.epsilon', list(NUMBER)),
      largestLoss: NUMBER,
    }),
  ),
  accounting: list(object({ status: GUARANTEED, resampling: RESAMPLING, deltas: list(NUMBER) })),
  played: list(object({ played: TEXT, probability: NUMBER, neighbour: NUMBER })),
});

/** The exact laws on two neighbouring sequences as `dpcompose.lazy/1`. */
export const lazyExactJson = (found: NeighbourComparison, version: string): string =>
  lazyText(
    EXACT,
    { ...found, input: { ...found, ...printedSetting(found.setting), epsilon: found.epsilons } },
    version,
  );
