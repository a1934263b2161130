import { Command, Option } from 'commander';
import type { AskedQuestion } from '../../composition/solve/asked.ts';
import { MOST_STEP_DIGITS } from '../../composition/solve/decimal-steps.ts';
import {
  solve as solveWithin,
  solveTotal,
  type SolveOptions,
  type SolveOutcome,
} from '../../composition/solve/solve.ts';
import { solveJson } from '../../report/solve/json.ts';
import { answerIn } from '../../report/solve/statement.ts';
import { solveTable } from '../../report/solve/table.ts';
import { exactForm } from '../../document/structure/normal-form.ts';
import { grouped } from '../../report/kit/prose.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { composedFlags, composedOptions, specArgument, type ComposedFlags } from '../kit/document-options.ts';
import { layoutFor, openDestination } from '../kit/destination.ts';
import { readEffortOptions, type EffortFlags } from '../kit/effort-options.ts';
import { EXIT } from '../kit/exit.ts';
import { readFormat } from '../kit/format.ts';
import { loadSpecification } from '../kit/load-specification.ts';
import { readNumberOption, type NumberRange } from '../kit/number-option.ts';
import { withProgress, type Report } from '../kit/progress.ts';
import { tellRefusal } from '../kit/refusal.ts';
import { repeatable } from '../kit/repeatable.ts';
import { SHARED, type PrintFlags } from '../kit/shared-options.ts';
import { askedOf, readEnds, readFind, UNKNOWNS, type SolveFlags } from './question.ts';
import { UsageError } from '../kit/usage-error.ts';
import { tellWarnings } from '../kit/warnings.ts';
import { printOptions } from '../kit/print-options.ts';

interface Flags extends SolveFlags, ComposedFlags, PrintFlags, EffortFlags {
  readonly digits?: string;
}

const FORMATS = ['table', 'json'] as const;

const EXAMPLES = `
What --find asks for:
  count          the largest count; of several mechanisms the largest whole
                 multiple of their counts
  parameter      the largest epsilon, rho or mu, the smallest scale or sigma;
                 of several mechanisms the largest factor of all of them, by
                 which noise is divided
  epsilon, scale, sigma, rho, mu
                 the same, where it is the parameter of all that vary
  instances, sparsity, users, differing
                 the largest such number of a part that has it
  total-epsilon, total-delta
                 what all cost together; where one of --epsilon and --delta is
                 given, the other is asked for without --find
What does not vary is held. The answer is certified to be within the budget. The
next larger one (of noise: the next smaller) exceeds it, where that is certain;
else it says from where on the budget is exceeded, and what is open.

Exit codes: 0 if it is found; 1 if nothing fits, or everything, or if time was
up before (then it says between which two values the answer lies).

Examples:
  dpcompose solve -m dp:epsilon=0.1 --find count --epsilon 1 --delta 1e-6
  dpcompose solve -m gaussian:sigma=1,count=30 --find sigma --epsilon 2 --delta 1e-6
  dpcompose solve release.json --find epsilon --vary counts --epsilon 3 --delta 1e-6
  dpcompose solve release.json --find sparsity --vary alarms --epsilon 3
  dpcompose solve release.json --find parameter --epsilon 1 --json | jq .solution.value`;

/** `dpcompose solve`: the one number that is not known, within a budget. */
export function solveCommand(context: Context): Command {
  return printOptions(
    composedOptions(
      new Command('solve')
        .description(
          'Finds what fits into a budget: the largest count, the largest parameter (of noise the smallest), or the total that is needed.',
        )
        .addArgument(specArgument()),
    )
      .optionsGroup('What is asked:')
      .option('--find <WHAT>', UNKNOWNS.join(', '))
      .addOption(
        repeatable(
          new Option(
            '--vary <NAME>',
            'a label, a place such as mechanisms[0], or #1 for the first (repeatable; default: all)',
          ),
        ),
      )
      .option('--delta <D>', 'the delta of the budget')
      .option('--epsilon <E>', 'the epsilon of the budget')
      .optionsGroup('How it is computed:')
      .option('--digits <N>', 'significant digits of a parameter, 1 to 12 (default 6)')
      .addOption(SHARED.tolerance())
      .addOption(SHARED.maxSeconds()),
    FORMATS,
  )
    .addHelpText('after', EXAMPLES)
    .action(async (source: string | undefined, flags: Flags) => {
      context.ends(await solve(source, flags, context));
    });
}

const DIGITS: NumberRange = {
  flag: '--digits',
  allowed: 'a whole number from 1 to 12',
  example: '12',
  contains: (value) => value.isInteger() && value.gte(1) && value.lte(MOST_STEP_DIGITS),
};

function solved(asked: AskedQuestion, options: SolveOptions, report: Report | undefined): SolveOutcome {
  if (report === undefined) {
    return asked.kind === 'total'
      ? solveTotal(asked.problem, asked.query, options)
      : solveWithin(asked.question, options);
  }
  if (asked.kind === 'total') return solveTotal(asked.problem, asked.query, { ...options, progress: report });
  let tried = 0;
  return solveWithin(asked.question, {
    ...options,
    attempted: (values) => {
      tried = values;
    },
    progress: (what, share) => {
      report(`attempt ${grouped(tried + 1)}, ${what}`, share);
    },
  });
}

async function solve(source: string | undefined, flags: Flags, { io, version }: Context): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  const effort = readEffortOptions(flags, errors);
  const digits = flags.digits === undefined ? undefined : readNumberOption(flags.digits, DIGITS, errors);
  const given = { ...readEnds(flags, errors), find: readFind(flags, errors) };
  const loaded = await loadSpecification({ command: 'solve', source, flags: composedFlags(flags), errors }, io);
  if (loaded.kind === 'refusal') return await tellRefusal(loaded.refusal, { format, color: flags.color, io });
  const { specification } = loaded;
  const mistakes: InputError[] = [];
  const asked = askedOf(specification, flags, given, mistakes);
  if (asked === null) throw new UsageError(mistakes);
  const put = await openDestination(flags, io);
  const options = { ...effort, ...(digits === undefined ? {} : { digits: digits.toNumber() }) };
  const outcome = withProgress(flags, io, (report) => solved(asked, options, report));
  if (outcome.kind === 'refused') return await tellRefusal(outcome.refusal, { format, color: flags.color, io });
  const answer = answerIn(outcome);
  if (flags.quiet !== true && answer !== null) await tellWarnings(answer.warnings, { color: flags.color, io });
  if (put !== null) {
    await put(
      format === 'json'
        ? solveJson(outcome, asked, exactForm(specification), version)
        : solveTable(outcome, asked, await layoutFor(flags, io)),
    );
  }
  return outcome.kind === 'solved' ? EXIT.done : EXIT.no;
}
