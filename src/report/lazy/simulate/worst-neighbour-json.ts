import type { L2pSetting } from '../../../lazy/core/setting.ts';
import { REPLACEMENTS } from '../../../lazy/simulate/neighbour-candidates.ts';
import { CONFIDENCE } from '../../../lazy/simulate/tested-epsilon.ts';
import type { WorstNeighbour } from '../../../lazy/simulate/worst-neighbour.ts';
import { always, choice, described, list, object, orNull } from '../../kit/codec.ts';
import { COUNT, NEAREST_GIVEN, NUMBER, TEXT } from '../../kit/codecs.ts';
import { GUARANTEED, lazyText, printedSetting, RESAMPLING, SETTING } from '../kit/json.ts';

/** What was searched. */
export interface Searched {
  readonly setting: L2pSetting;
  readonly name: string;
  readonly rounds: readonly Float64Array[];
  readonly runs: number;
  readonly seed: number;
}

/** The neighbour that is told apart most of those that were tried. */
export const WORST_NEIGHBOUR = object({
  result: always('worst-neighbour'),
  input: object({ losses: TEXT, experts: COUNT, ...SETTING, runs: COUNT, seed: COUNT }),
  tried: COUNT,
  neighbour: object({
    round: described('from 1 on', COUNT),
    replacement: choice(...REPLACEMENTS, 'listed'),
    losses: described('those of that round', list(NUMBER)),
  }),
  kind: described(
    'exact: epsilon of this pair, in doubles; tested: an epsilon below which no claim holds, with confidence',
    choice('exact', 'tested'),
  ),
  confidence: described('null where epsilon is exact', orNull(NUMBER)),
  epsilon: NUMBER,
  accounting: object({ status: GUARANTEED, epsilon: NUMBER, delta: NEAREST_GIVEN, resampling: RESAMPLING }),
});

/** A search for the worst neighbour as `dpcompose.lazy/1`. */
export function lazyWorstNeighbourJson(found: WorstNeighbour, searched: Searched, version: string): string {
  const { setting, name, rounds, runs, seed } = searched;
  const { round, replacement, losses } = found.candidate;
  const value = {
    ...found,
    input: { ...printedSetting(setting), losses: name, experts: rounds[0]?.length ?? 0, runs, seed },
    neighbour: { round: round + 1, replacement, losses: [...losses] },
    confidence: found.kind === 'tested' ? CONFIDENCE : null,
  };
  return lazyText(WORST_NEIGHBOUR, value, version);
}
