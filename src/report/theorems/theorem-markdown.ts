import { escaped } from '../plan/markdown.ts';
import type { TheoremFacts } from './theorem-facts.ts';

const list = (heading: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [`**${heading}**`, '', ...items.map((item) => `- ${escaped(item)}`), ''];

/** What one theorem states, needs and gives, as Markdown under a heading of that level. */
export function theoremMarkdown(facts: TheoremFacts, level = 1): string {
  const { id, name, statement, formula, preconditions, departures, slack, sources, reference } = facts;
  return [
    `${'#'.repeat(level)} \`${id}\`: ${escaped(name)}`,
    '',
    escaped(statement),
    '',
    '```text',
    ...formula,
    '```',
    '',
    ...list('Holds for', preconditions),
    ...list('Gives away', slack === null ? [] : [slack]),
    ...list('Departs from print', departures),
    ...list('Source', [reference, ...sources]),
  ].join('\n');
}

/** Every theorem as a Markdown document. */
export const theoremsMarkdown = (facts: readonly TheoremFacts[]): string =>
  ['# Theorems', '', ...facts.map((each) => theoremMarkdown(each, 2))].join('\n');
