import { code } from '../kit/inline.ts';
import { heading, label, list, onTerminal, paragraph, stack, verbatim, type Block } from '../kit/page.ts';
import type { TheoremFacts } from './theorem-facts.ts';

const titledList = (title: string, items: readonly string[]): Block =>
  stack(items.length === 0 ? [] : [label(title), list(items)]);

/** One theorem in full, from its statement to its sources, under a heading of that level. */
export function theoremBlocks(facts: TheoremFacts, level = 1): Block[] {
  const { id, name, statement, formula, preconditions, departures, slack, sources, reference } = facts;
  return [
    heading([code(id), `: ${name}`], level, 'best'),
    paragraph(statement),
    stack([onTerminal(label('Formula').text), verbatim(formula)]),
    titledList('Holds for', preconditions),
    titledList('Gives away', slack === null ? [] : [slack]),
    titledList('Departs from print', departures),
    titledList('Source', [reference, ...sources]),
  ];
}
