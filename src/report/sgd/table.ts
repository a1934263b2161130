import type { Milestone, SgdAnswer } from '../../composition/sgd/sgd.ts';
import type { Layout } from '../kit/columns.ts';
import { lowerText, upperText } from '../kit/number.ts';
import { heading, label, list, NOTHING, pageText, paragraph, stack, type Block } from '../kit/page.ts';
import { grouped } from '../kit/prose.ts';
import { table, type Column } from '../kit/table.ts';
import { assumptionsOf, epochsText, questionHeading, runHeading, searchText, sgdStatement } from './words.ts';

function least({ cost }: Milestone): string {
  const lower = cost?.lower ?? null;
  return lower === null ? '' : lowerText(lower);
}

/** The cost along the training; nothing where it is told at the end only. */
function costs({ trained, milestones }: SgdAnswer): Block {
  if (trained === null || milestones.length < 2) return NOTHING;
  const columns: readonly Column<Milestone>[] = [
    ['epochs', epochsText, { inBlock: 'epochs' }],
    ['steps', ({ steps }) => grouped(steps)],
    [trained.answer.query.solveFor, ({ cost }) => (cost === null ? '-' : upperText(cost))],
    ...(milestones.some((each) => least(each) !== '') ? [['at least', least] as const] : []),
  ];
  return table(milestones, columns);
}

/** An answer about training for a person: what was found, the cost along the way, a sentence for a paper, what it takes for granted. */
export function sgdTable(answer: SgdAnswer, layout: Layout): string {
  const { trained, question } = answer;
  return pageText(
    [
      heading(trained === null ? questionHeading(answer) : runHeading(trained.run)),
      paragraph(searchText(answer)),
      costs(answer),
      paragraph(trained && sgdStatement(trained)),
      ...(trained === null ? [] : [stack([label('Assumptions'), list(assumptionsOf(question.training), 2)])]),
    ],
    layout,
  );
}
