import { ofSubmechanisms } from '../../composition/theorems/design.ts';
import { exposureFacts, noiseFacts, taintSentence, trusted, verdictFacts, type Facts } from './facts.ts';
import { designStatement, errorShapeText, type Designed } from './statement.ts';
import { escaped, items } from '../plan/markdown.ts';
import { askedText, totalsText } from '../plan/tree.ts';

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const table = ({ head, rows }: Facts): string =>
  [line(head.map(escaped)), line(head.map(() => '---')), ...rows.map((cells) => line(cells.map(escaped)))].join('\n');

/** A design that has its properties as a Markdown document. */
export function designMarkdown(report: Designed): string {
  const { check, design, plan, specification, errorShape } = report;
  const totals = totalsText(plan);
  const noise = noiseFacts(design);
  return `${[
    `# ${specification.name === null ? 'Design' : escaped(specification.name)}`,
    escaped(designStatement(report)),
    ...(totals === null ? [] : [escaped(totals)]),
    '## Properties',
    table(verdictFacts(check, design)),
    escaped(taintSentence(check)),
    table(exposureFacts(check)),
    escaped(
      `With these properties the mechanism is as private as its sub-mechanisms are together (${ofSubmechanisms.reference}).`,
    ),
    ...(noise.rows.length === 0 ? [] : ['## Noise', table(noise)]),
    '## Price',
    `Each price is the ${escaped(askedText(plan.answer))} of that part alone.`,
    items(plan.tree).join('\n'),
    '## Taken on trust',
    trusted(design, specification.entries)
      .map((text) => `- ${escaped(text)}`)
      .join('\n'),
    ...(errorShape === null ? [] : [escaped(errorShapeText(errorShape))]),
  ].join('\n\n')}\n`;
}
