import type { AskedQuestion } from '../../composition/solve/asked.ts';
import type { Layout } from '../kit/columns.ts';
import { pageText, paragraph } from '../kit/page.ts';
import { table } from '../kit/table.ts';
import { nodeText } from '../plan/words.ts';
import { solutionOf, solveStatement, type Diagnostics } from './statement.ts';

/** What was found for a person: what varies with it, and what certifies it in a few sentences. */
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
