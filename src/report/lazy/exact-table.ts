import type { NeighbourComparison } from '../../lazy/simulate/compare-neighbours.ts';
import type { View } from '../../lazy/simulate/output-distribution.ts';
import type { Layout } from '../kit/columns.ts';
import { GUARANTEE_TEXT } from './messages.ts';
import { aboutText, mostText } from './number.ts';
import { paragraphs, plainLine, section } from './sections.ts';
import { settingText } from './setting-text.ts';
import { givenText } from '../kit/number.ts';
import { grouped } from '../kit/prose.ts';

const SEEN: Readonly<Record<View, string>> = {
  played: 'what is played',
  states: 'x, y and zeta',
  flags: 'x, y and both flags',
};

/** What two neighbouring loss sequences can be told apart by, and what exact accounting bounds that by. */
export function lazyExactTable(found: NeighbourComparison, layout: Layout): string {
  const { setting, experts, epsilons, views, accounting } = found;
  const lines = [
    ...views.map(({ view, deltas }) => plainLine(`exact: ${SEEN[view]}`, ...deltas.map(aboutText))),
    ...accounting.map(({ resampling, deltas }) =>
      plainLine(`bound: ${GUARANTEE_TEXT[resampling]}`, ...deltas.map(mostText)),
    ),
  ];
  const outcomes = views.map(({ view, outcomes: count }) => `${grouped(count)} of ${SEEN[view]}`);
  return paragraphs(
    [
      layout.style.heading(settingText(setting, { type: 'multiplicative-weights' })),
      `Two loss sequences of ${grouped(experts)} experts that differ in one round; outcomes listed: ${outcomes.join(', ')}.`,
      section(['delta at epsilon', ...epsilons.map(givenText)], lines, layout),
      'The exact deltas are those of these two sequences, with everything listed; the bounds hold for any two neighbours, with x, y and both flags seen.',
    ],
    layout,
  );
}
