import type { AskedQuestion } from '../../composition/solve/solve.ts';
import type { Layout } from '../kit/columns.ts';
import { pageText, paragraph } from '../kit/page.ts';
import { table } from '../kit/table.ts';
import { nodeText } from '../plan/words.ts';
import { solutionOf, solveStatement, type Diagnostics } from './statement.ts';

/** The solution for a person: its certificate in a few sentences, and the nodes that vary with it. */
export const solveTable = (outcome: Diagnostics, asked: AskedQuestion, layout: Layout): string =>
  pageText(
    [
      paragraph(solveStatement(outcome, asked)),
      table(solutionOf(outcome)?.nodes ?? [], [
        ['place', ({ path }) => path],
        ['mechanism', ({ node }) => nodeText(node)],
      ]),
    ],
    layout,
  );
