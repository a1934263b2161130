import type { Layout } from '../kit/columns.ts';
import { heading, label, pageMarkdown, pageText, quiet, stack } from '../kit/page.ts';
import { table } from '../kit/table.ts';
import { theoremBlocks } from './theorem-blocks.ts';
import type { TheoremFacts } from './theorem-facts.ts';

const KINDS: readonly (readonly [TheoremFacts['kind'], string])[] = [
  ['bound', 'Bounds on lists of mechanisms'],
  ['plan', 'Theorems of plans'],
  ['ledger', 'Rules of ledgers'],
];

/** Every theorem with what it is and its source, for a person. */
export const theoremsTable = (facts: readonly TheoremFacts[], layout: Layout): string =>
  pageText(
    [
      ...KINDS.map(([kind, title]) =>
        stack([
          label(title),
          table(
            facts.filter((each) => each.kind === kind),
            ['id', ['what it is', ({ name, reference }) => `${name} [${reference}]`]],
          ),
        ]),
      ),
      quiet('dpcompose explain ID says what one of them states, needs and gives.'),
    ],
    layout,
  );

/** Every theorem in full as a Markdown document. */
export const theoremsMarkdown = (facts: readonly TheoremFacts[]): string =>
  pageMarkdown([heading('Theorems'), ...facts.flatMap((each) => theoremBlocks(each, 2))]);
