import type { NeighbourComparison } from '../../../lazy/simulate/compare-neighbours.ts';
import { isWithoutY } from '../../../lazy/core/setting.ts';
import type { View } from '../../../lazy/simulate/output-distribution.ts';
import type { Layout } from '../../kit/columns.ts';
import { lazyHeading } from '../kit/heading.ts';
import { GUARANTEE_TEXT } from '../kit/messages.ts';
import { aboutText, mostText } from '../kit/number.ts';
import { settingText } from '../kit/setting-text.ts';
import { givenText } from '../../kit/number.ts';
import { pageText, paragraph } from '../../kit/page.ts';
import { grouped } from '../../kit/prose.ts';
import { table, type Column } from '../../kit/table.ts';

const SEEN: Readonly<Record<View, string>> = {
  played: 'what is played',
  states: 'x, y and zeta',
  flags: 'x, y and both flags',
};

const SEEN_WITHOUT_Y: Readonly<Record<View, string>> = { ...SEEN, flags: 'x and its flag' };

/** By how much two neighbouring loss sequences can be told apart, and what exact accounting bounds that by. */
export function lazyExactTable(found: NeighbourComparison, layout: Layout): string {
  const { setting, experts, epsilons, views, accounting } = found;
  const seen = isWithoutY(setting) ? SEEN_WITHOUT_Y : SEEN;
  const rows = [
    ...views.map(({ view, deltas }) => ({ name: `exact: ${seen[view]}`, deltas: deltas.map(aboutText) })),
    ...accounting.map(({ resampling, deltas }) => ({
      name: `bound: ${GUARANTEE_TEXT[resampling]}`,
      deltas: deltas.map(mostText),
    })),
  ];
  const outcomes = views.map(({ view, outcomes: count }) => `${grouped(count)} of ${seen[view]}`);
  return pageText(
    [
      lazyHeading(settingText(setting, { type: 'multiplicative-weights' })),
      paragraph(
        `Two loss sequences of ${grouped(experts)} experts that differ in one round; outcomes listed: ${outcomes.join(', ')}.`,
      ),
      table(rows, [
        ['delta at epsilon', ({ name }) => name, { titled: true }],
        ...epsilons.map((epsilon, at): Column<(typeof rows)[number]> => [
          givenText(epsilon),
          ({ deltas }) => deltas[at] ?? '',
        ]),
      ]),
      paragraph(
        `The exact deltas are those of these two sequences, with everything listed; the bounds hold for any two neighbours, with ${seen.flags} seen.`,
      ),
    ],
    layout,
  );
}
