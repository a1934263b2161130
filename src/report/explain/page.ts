import type { AnswerExplanation } from '../../composition/compose/explain-answer.ts';
import type { Layout } from '../kit/columns.ts';
import { code } from '../kit/inline.ts';
import { heading, pageMarkdown, pageText, paragraph, type Block } from '../kit/page.ts';
import { table } from '../kit/table.ts';
import { claimSentence, claimText, excessText, fateText, winnerSentences, type FactsById } from './words.ts';

type Other = AnswerExplanation['others'][number];

const isInapplicable = ({ fate }: Other): boolean => fate.kind === 'does-not-apply';

const valueText = ({ fate }: Other): string =>
  fate.kind === 'does-not-apply' ? '' : claimText('upper' in fate ? fate : { upper: Infinity });

const beginning = (explained: AnswerExplanation, facts: FactsById): Block[] => [
  heading(claimSentence(explained)),
  paragraph(winnerSentences(explained, facts).join(' ')),
];

/** Why an answer is what it is, and how every other bound fared, for a person. */
export function explainTable(explained: AnswerExplanation, facts: FactsById, layout: Layout): string {
  const { others, solveFor } = explained;
  const why = ({ id, fate }: Other): string => fateText(id, fate, facts);
  return pageText(
    [
      ...beginning(explained, facts),
      table(
        others.filter((other) => !isInapplicable(other)),
        [
          ['larger', ({ id }) => id],
          [solveFor, valueText],
          ['by', ({ fate }) => excessText(fate)],
          ['what it gives away', why],
        ],
      ),
      table(others.filter(isInapplicable), [
        ['does not apply', ({ id }) => id],
        ['because it', why],
      ]),
    ],
    layout,
  );
}

/** The same as Markdown. */
export function explainMarkdown(explained: AnswerExplanation, facts: FactsById): string {
  const why = (other: Other): string =>
    `${isInapplicable(other) ? 'does not apply: it ' : ''}${fateText(other.id, other.fate, facts)}`;
  return pageMarkdown([
    ...beginning(explained, facts),
    table(explained.others, [
      ['bound', ({ id }) => [code(id)]],
      [explained.solveFor, valueText],
      ['larger by', ({ fate }) => excessText(fate)],
      ['what it gives away', why],
    ]),
  ]);
}
