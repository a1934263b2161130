import { Command } from 'commander';
import type { GapAnswer } from '../../composition/gap/gap.ts';
import { grouped } from '../../report/kit/prose.ts';
import { EFFORT, effortOf } from '../kit/effort-options.ts';
import { inGroup, PRINTED, type ValuesOf } from '../kit/option.ts';
import { STRICT } from '../kit/shared-options.ts';
import { GAP, readGapQuestion } from './question.ts';
import { commandOf } from '../kit/command.ts';
import { formsOf } from '../kit/forms.ts';

const EXAMPLES = `
One of --each, --count, --delta and --epsilon may have several values: a range
FROM:TO or FROM:TO:STEP (the step is 1 if left out; deltas step by factors of
10), or a list with commas, which may hold ranges too.

Examples:
  dpcompose gap --each 0.1 --count 10:100:10 --delta 1e-6    epsilon over count
  dpcompose gap --each 0.1 --count 2:30 --epsilon 1          delta over count
  dpcompose gap --each 0.1 --count 30 --epsilon 0:3:0.25     delta over epsilon
  dpcompose gap --each 0.1 --count 30 --delta 1e-2:1e-8      epsilon over delta
  dpcompose gap --each 0.05,0.1,0.5,1 --count 30 --delta 1e-6 --format csv`;

const OPTIONS = { ...GAP, ...EFFORT, ...inGroup(PRINTED, STRICT) };

/** `dpcompose gap`: what adaptivity costs equal bounded-range mechanisms. */
export const gapCommand = commandOf<GapAnswer, ValuesOf<typeof OPTIONS>>({
  command: () =>
    new Command('gap').description(
      'Compares equal bounded-range (exponential) mechanisms that are chosen adaptively with those that are fixed in advance: the smallest epsilon at a delta, or the smallest delta at an epsilon, of both, and certified bounds on the gap between them.',
    ),
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(async (answer) => (await import('../../report/gap.ts')).gapOutput(answer), 'table', 'json', 'csv'),
  async read({ flags, errors }) {
    const effort = effortOf(flags);
    const question = readGapQuestion(flags, errors);
    const { gap } = await import('../../composition/gap/gap.ts');
    const total = question.each.length * question.count.length * question.given.length;
    return (report) => {
      const result = gap(question, {
        ...effort,
        ...(report && {
          progress: (row, share) => {
            report(`row ${grouped(row + 1)} of ${grouped(total)}`, share);
          },
        }),
      });
      return { result, warnings: result.warnings };
    };
  },
});
