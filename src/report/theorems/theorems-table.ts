import { blocks, columns, type Layout, type Line } from '../kit/columns.ts';
import { wrapped } from '../kit/prose.ts';
import type { TheoremFacts } from './theorem-facts.ts';

const HEAD = ['id', 'what it is'];

function group(heading: string, facts: readonly TheoremFacts[], layout: Layout): string {
  const lines = facts.map(({ id, name, reference }): Line => ({ cells: [id, `${name} [${reference}]`], best: false }));
  return `${layout.style.heading(heading)}\n${columns(HEAD, lines, layout) ?? blocks(HEAD, lines, layout)}`;
}

/** Every theorem with what it is and its source, for a person. */
export function theoremsTable(facts: readonly TheoremFacts[], layout: Layout): string {
  const of = (kind: TheoremFacts['kind']): TheoremFacts[] => facts.filter((each) => each.kind === kind);
  const note = 'dpcompose explain ID says what one of them states, needs and gives.';
  return `${[
    group('Bounds on lists of mechanisms', of('bound'), layout),
    group('Theorems of plans', of('plan'), layout),
    group('Rules of ledgers', of('ledger'), layout),
    layout.style.quiet(wrapped(note, layout.width)),
  ].join('\n\n')}\n`;
}
