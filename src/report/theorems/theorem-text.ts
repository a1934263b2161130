import type { Layout } from '../kit/columns.ts';
import { wrapped } from '../kit/prose.ts';
import type { TheoremFacts } from './theorem-facts.ts';

const MOST_COLUMNS = 100;

/** What one theorem states, needs and gives, for a person. */
export function theoremText(facts: TheoremFacts, { style, width }: Layout): string {
  const room = Math.min(width, MOST_COLUMNS);
  const list = (heading: string, items: readonly string[]): string[] =>
    items.length === 0
      ? []
      : [
          [
            style.heading(heading),
            ...items.map((item) => `- ${wrapped(item, room - 2).replaceAll('\n', '\n  ')}`),
          ].join('\n'),
        ];
  const { id, name, statement, formula, preconditions, departures, slack, sources, reference } = facts;
  return `${[
    style.best(wrapped(`${id}: ${name}`, room)),
    wrapped(statement, room),
    [style.heading('Formula'), ...formula.map((line) => `  ${line}`)].join('\n'),
    ...list('Holds for', preconditions),
    ...list('Gives away', slack === null ? [] : [slack]),
    ...list('Departs from print', departures),
    ...list('Source', [reference, ...sources]),
  ].join('\n\n')}\n`;
}
