import { isWithoutY } from '../../../lazy/core/setting.ts';
import type { NeighbourCandidate } from '../../../lazy/simulate/neighbour-candidates.ts';
import { CONFIDENCE } from '../../../lazy/simulate/tested-epsilon.ts';
import type { WorstNeighbour } from '../../../lazy/simulate/worst-neighbour.ts';
import type { Layout } from '../../kit/columns.ts';
import { givenText } from '../../kit/number.ts';
import { pageText, paragraph } from '../../kit/page.ts';
import { counted, grouped } from '../../kit/prose.ts';
import { table } from '../../kit/table.ts';
import { lazyHeading } from '../kit/heading.ts';
import { GUARANTEE_TEXT } from '../kit/messages.ts';
import { aboutText, leastText, mostText } from '../kit/number.ts';
import { settingText } from '../kit/setting-text.ts';
import type { Searched } from './worst-neighbour-json.ts';

const REPLACEMENT_TEXT: Readonly<Record<Exclude<NeighbourCandidate['replacement'], 'listed'>, string>> = {
  opposite: 'every loss l is 1 - l',
  zero: 'no expert loses anything',
  one: 'every expert loses 1',
  likeliest: 'the likeliest expert loses 1 and all others nothing',
  others: 'the likeliest expert loses nothing and all others 1',
  alternate: 'the even experts lose 1 and the odd ones nothing',
};

const replacementText = ({ replacement, losses }: NeighbourCandidate): string =>
  replacement === 'listed' ? `the losses are ${losses.join(', ')}` : REPLACEMENT_TEXT[replacement];

/** The neighbour that is told apart most of those tried, beside what accounting guarantees for all, for a person. */
export function lazyWorstNeighbourTable(found: WorstNeighbour, searched: Searched, layout: Layout): string {
  const { candidate, tried, kind, epsilon, accounting } = found;
  const { setting, name, rounds, runs, seed } = searched;
  const seen = isWithoutY(setting) ? 'x and its flag' : 'x, y and both flags';
  const percent = `${CONFIDENCE * 100}%`;
  const rows = [
    kind === 'exact'
      ? { what: `exact: ${seen}, this pair`, epsilon: aboutText(epsilon) }
      : { what: `at least, with ${percent} confidence`, epsilon: leastText(epsilon) },
    { what: `bound: ${GUARANTEE_TEXT[accounting.resampling]}, any pair`, epsilon: mostText(accounting.epsilon) },
  ];
  const share =
    accounting.epsilon > 0 && accounting.epsilon < Infinity
      ? ` The pair reaches ${Math.floor((100 * epsilon) / accounting.epsilon)}% of the bound.`
      : '';
  const how =
    kind === 'exact'
      ? `The exact epsilon is that of this pair with ${seen} of every batch seen, by listing all that can happen.`
      : `An event was chosen on ${grouped(runs)} runs for each order of the pair, and tested on ${grouped(runs)} others: with ${percent} confidence no smaller epsilon holds at this delta for whoever sees ${seen}.`;
  return pageText(
    [
      lazyHeading(settingText(setting, { type: 'multiplicative-weights' })),
      paragraph(
        `${grouped(tried)} neighbours of ${counted(rounds.length, 'round')} of ${grouped(rounds[0]?.length ?? 0)} experts, losses ${name}, seed ${seed}`,
      ),
      paragraph(
        `The one that is told apart most differs in round ${grouped(candidate.round + 1)}, where ${replacementText(candidate)}. There may be others that are told apart more.`,
      ),
      table(rows, [
        [`at delta ${givenText(accounting.delta)}`, ({ what }) => what, { titled: true }],
        ['epsilon', (row) => row.epsilon],
      ]),
      paragraph(`${how}${share}`),
    ],
    layout,
  );
}
