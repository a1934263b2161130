import type { AnswerExplanation } from '../../composition/compose/explain-answer.ts';
import { blocks, columns, type Layout, type Line } from '../kit/columns.ts';
import { claimSentence, claimText, excessText, fateText, winnerSentences, type FactsById } from './words.ts';
import { printable, wrapped } from '../kit/prose.ts';

const table = (head: readonly string[], lines: readonly Line[], layout: Layout): string[] =>
  lines.length === 0 ? [] : [columns(head, lines, layout) ?? blocks(head, lines, layout)];

/** Why an answer is what it is, and how every other bound fared, for a person. */
export function explainTable(explained: AnswerExplanation, facts: FactsById, layout: Layout): string {
  const { others, solveFor } = explained;
  const line = (cells: readonly string[]): Line => ({ cells: cells.map(printable), best: false });
  const larger = others.flatMap(({ id, fate }) =>
    fate.kind === 'does-not-apply'
      ? []
      : [line([id, claimText('upper' in fate ? fate.upper : Infinity), excessText(fate), fateText(id, fate, facts)])],
  );
  const inapplicable = others.flatMap(({ id, fate }) =>
    fate.kind === 'does-not-apply' ? [line([id, fateText(id, fate, facts)])] : [],
  );
  return `${[
    layout.style.heading(wrapped(claimSentence(explained), layout.width)),
    wrapped(winnerSentences(explained, facts).join(' '), layout.width),
    ...table(['larger', solveFor, 'by', 'what it gives away'], larger, layout),
    ...table(['does not apply', 'because it'], inapplicable, layout),
  ].join('\n\n')}\n`;
}
