import { Command, Option } from 'commander';
import { compare, isIncrease, type Comparison } from '../composition/diff/compare.ts';
import type { Query } from '../privacy/query.ts';
import { diffJson } from '../report/diff/json.ts';
import { diffMarkdown, diffTable } from '../report/diff/page.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import { requireTarget } from '../document/require-target.ts';
import type { InputError, Specification } from '../document/core/specification.ts';
import type { Context } from './kit/context.ts';
import { layoutFor, openDestination } from './kit/destination.ts';
import { composedOptions } from './kit/document-options.ts';
import { EXIT } from './kit/exit.ts';
import { readFormat } from './kit/format.ts';
import type { Io } from './kit/io.ts';
import { readDocumentOf, specificationIn, type SpecificationFlags } from './kit/load-specification.ts';
import { printOptions } from './kit/print-options.ts';
import { tellRefusal } from './kit/refusal.ts';
import { SHARED, type PrintFlags } from './kit/shared-options.ts';
import { UsageError } from './kit/usage-error.ts';
import { tellWarnings } from './kit/warnings.ts';
import { readWorkOptions, type WorkFlags } from './kit/work-options.ts';

interface Flags extends SpecificationFlags, PrintFlags, Omit<WorkFlags, 'precision'> {
  readonly failOnIncrease?: boolean;
  readonly strict?: boolean;
}

const FORMATS = ['table', 'json', 'markdown'] as const;

const EXAMPLES = `
Mechanisms and what holds others are matched by label, then by type and
parameters. Each change is told with what the first specification costs with
that change alone, and how much more or less that is.

-m and --set make the second specification, of the first where AFTER is left out;
all other options are for both. With neither, what is left out is piped in.

Examples:
  dpcompose diff before.json after.json --delta 1e-6
  dpcompose diff privacy.json -m dp:epsilon=0.1,count=5
  dpcompose diff privacy.json --set mechanisms[0].count=50 --set mechanisms[2]=null
  git show main:privacy.json | dpcompose diff - privacy.json --fail-on-increase
  dpcompose diff before.json after.json --format markdown >> summary.md
  dpcompose diff before.json after.json --json | jq '.changes[] | [.description, .difference]'`;

/** `dpcompose diff`: what a change of specification costs. */
export function diffCommand(context: Context): Command {
  return printOptions(
    composedOptions(
      new Command('diff')
        .description('Compares what two specifications cost, and tells what each difference between them costs alone.')
        .argument('[BEFORE]', 'JSON, YAML or CSV file that lists the mechanisms; - for standard input')
        .argument('[AFTER]', 'the same after the change'),
    )
      .optionsGroup('What is asked:')
      .option('--delta <D>', 'the smallest epsilons at this delta')
      .option('--epsilon <E>', 'the smallest deltas at this epsilon')
      .optionsGroup('How it is computed:')
      .addOption(SHARED.bounds())
      .addOption(SHARED.tolerance())
      .addOption(SHARED.maxSeconds()),
    FORMATS,
    [new Option('--fail-on-increase', 'exit with 1 if more is claimed after than before'), SHARED.strict()],
  )
    .addHelpText('after', EXAMPLES)
    .action(async (before: string | undefined, after: string | undefined, flags: Flags) => {
      context.ends(await diff([before, after], flags, context));
    });
}

/** What is asked: by the first specification, or else by the second. */
function queryOf(before: Specification, after: Specification): Query {
  const target = before.target ?? requireTarget(after);
  if ('message' in target) throw new UsageError([target]);
  return target;
}

/** Reads both specifications; `errors` are mistakes found so far. */
async function load(
  [before, after]: readonly [string | undefined, string | undefined],
  flags: Flags,
  errors: InputError[],
  io: Io,
) {
  const { mechanism, set, ...both } = flags;
  const changes = mechanism !== undefined || set !== undefined;
  const fromPipe = after === '-' || (after === undefined && !changes);
  if ((before === undefined || before === '-') && fromPipe) {
    const message = before === undefined ? 'nothing is given to compare with' : 'standard input can be read once only';
    const hint = 'Give a file, or change the first specification with -m or --set.';
    errors.push({ code: before === undefined ? 'no-input' : 'conflicting-options', path: 'AFTER', message, hint });
    throw new UsageError(errors);
  }
  const origin = { command: 'diff', errors } as const;
  const first = await readDocumentOf({ ...origin, source: before, flags: both }, io);
  const second =
    after === undefined && changes ? first : await readDocumentOf({ ...origin, source: after, flags: both }, io);
  if (first === null || second === null) throw new Error('without mechanisms of its own a document is read');
  return {
    before: await specificationIn(first, { ...origin, flags: both }),
    after: await specificationIn(second, { ...origin, flags: { ...both, mechanism, set } }),
  };
}

async function diff(
  sources: readonly [string | undefined, string | undefined],
  flags: Flags,
  { io, version }: Context,
): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  const work = readWorkOptions(flags, errors);
  const { before, after } = await load(sources, flags, errors, io);
  const about = { format, color: flags.color, io };
  if (before.kind === 'refusal') return await tellRefusal(before.refusal, about);
  if (after.kind === 'refusal') return await tellRefusal(after.refusal, about);
  const sides = { before: before.specification, after: after.specification };
  const query = queryOf(sides.before, sides.after);
  const put = await openDestination(flags, io);
  const comparison = compare(sides.before, sides.after, query, work);
  if ('refusal' in comparison) return await tellRefusal(comparison.refusal, about);
  const { warnings } = comparison.after;
  if (flags.quiet !== true) await tellWarnings(warnings, { color: flags.color, io });
  if (put !== null) {
    await put(await text(comparison, sides, format, async () => await layoutFor(flags, io), version));
  }
  const { solveFor } = query;
  const increased = isIncrease(comparison.before[solveFor], comparison.after[solveFor]);
  const failed = (flags.failOnIncrease === true && increased) || (flags.strict === true && warnings.length > 0);
  return failed ? EXIT.no : EXIT.done;
}

async function text(
  comparison: Comparison,
  { before, after }: { readonly before: Specification; readonly after: Specification },
  format: (typeof FORMATS)[number],
  layout: () => ReturnType<typeof layoutFor>,
  version: string,
): Promise<string> {
  switch (format) {
    case 'json':
      return diffJson(comparison, { before: exactForm(before), after: exactForm(after) }, version);
    case 'markdown':
      return diffMarkdown(comparison);
    case 'table':
      return diffTable(comparison, await layout());
  }
}
