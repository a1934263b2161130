import type { AnswerExplanation } from '../../composition/compose/explain-answer.ts';
import { claimSentence, claimText, excessText, fateText, winnerSentences, type FactsById } from './words.ts';
import { escaped } from '../plan/markdown.ts';

/** Why an answer is what it is, and how every other bound fared, as Markdown. */
export function explainMarkdown(explained: AnswerExplanation, facts: FactsById): string {
  const { others, solveFor } = explained;
  const rows = others.map(({ id, fate }) => {
    const value = fate.kind === 'does-not-apply' ? '' : claimText('upper' in fate ? fate.upper : Infinity);
    const why = fate.kind === 'does-not-apply' ? `does not apply: it ${fate.reason}` : fateText(id, fate, facts);
    return `| \`${id}\` | ${value} | ${excessText(fate)} | ${escaped(why)} |`;
  });
  return [
    `# ${escaped(claimSentence(explained))}`,
    '',
    escaped(winnerSentences(explained, facts).join(' ')),
    '',
    ...(rows.length === 0
      ? []
      : [`| bound | ${solveFor} | larger by | what it gives away |`, '| --- | --- | --- | --- |', ...rows, '']),
  ].join('\n');
}
