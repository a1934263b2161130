import { Command } from 'commander';
import type { GapAnswer } from '../../composition/gap/gap.ts';
import { grouped } from '../../report/kit/prose.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { layoutFor, openDestination } from '../kit/destination.ts';
import { readEffortOptions, type EffortFlags } from '../kit/effort-options.ts';
import { EXIT } from '../kit/exit.ts';
import { readFormat } from '../kit/format.ts';
import { readGapQuestion, type GapFlags } from './question.ts';
import type { Io } from '../kit/io.ts';
import { withProgress } from '../kit/progress.ts';
import { SHARED, type PrintFlags } from '../kit/shared-options.ts';
import { tellWarnings } from '../kit/warnings.ts';
import { printOptions } from '../kit/print-options.ts';

type Flags = GapFlags & EffortFlags & PrintFlags & { readonly strict?: boolean };

const FORMATS = ['table', 'json', 'csv'] as const;

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

/** `dpcompose gap`: what adaptivity costs equal bounded-range mechanisms. */
export function gapCommand(context: Context): Command {
  return printOptions(
    new Command('gap')
      .description(
        'Compares equal bounded-range (exponential) mechanisms that are chosen adaptively with those that are fixed in advance: the smallest epsilon at a delta, or the smallest delta at an epsilon, of both, and certified bounds on the gap between them.',
      )
      .optionsGroup('What is compared:')
      .option('--each <E>', 'the epsilon (bounded range) of each mechanism')
      .option('--count <K>', 'how many mechanisms there are')
      .option('--delta <D>', 'the smallest epsilons at this delta')
      .option('--epsilon <E>', 'the smallest deltas at this epsilon')
      .optionsGroup('How it is computed:')
      .addOption(SHARED.tolerance())
      .addOption(SHARED.maxSeconds()),
    FORMATS,
    [SHARED.strict()],
  )
    .addHelpText('after', EXAMPLES)
    .action(async (flags: Flags) => {
      context.ends(await gap(flags, context));
    });
}

async function gap(flags: Flags, { io, version }: Context): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  const effort = readEffortOptions(flags, errors);
  const question = readGapQuestion(flags, errors);
  const put = await openDestination(flags, io);
  const { gap } = await import('../../composition/gap/gap.ts');
  const total = question.each.length * question.count.length * question.given.length;
  const answer = withProgress(flags, io, (report) =>
    gap(question, {
      ...effort,
      ...(report && {
        progress: (row, share) => {
          report(`row ${grouped(row + 1)} of ${grouped(total)}`, share);
        },
      }),
    }),
  );
  if (flags.quiet !== true) await tellWarnings(answer.warnings, { color: flags.color, io });
  if (put !== null) await put(await text(answer, format, version, flags, io));
  return flags.strict === true && answer.warnings.length > 0 ? EXIT.no : EXIT.done;
}

async function text(
  answer: GapAnswer,
  format: (typeof FORMATS)[number],
  version: string,
  flags: Flags,
  io: Io,
): Promise<string> {
  switch (format) {
    case 'json': {
      const { gapJson } = await import('../../report/gap/json.ts');
      return gapJson(answer, version);
    }
    case 'csv': {
      const { gapCsv } = await import('../../report/gap/csv.ts');
      return gapCsv(answer);
    }
    case 'table': {
      const { gapTable } = await import('../../report/gap/table.ts');
      return gapTable(answer, await layoutFor(flags, io));
    }
  }
}
