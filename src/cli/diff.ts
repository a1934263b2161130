import { Command, Option } from 'commander';
import { compare, isIncrease, type Comparison } from '../composition/diff/compare.ts';
import type { Query } from '../privacy/query.ts';
import { diffJson } from '../report/diff-json.ts';
import { diffMarkdown } from '../report/diff-markdown.ts';
import { diffTable } from '../report/diff-table.ts';
import { exactForm } from '../spec/normal-form.ts';
import { requireTarget } from '../spec/require-target.ts';
import type { InputError, Specification } from '../spec/specification.ts';
import type { Context } from './context.ts';
import { layoutFor, openDestination } from './destination.ts';
import { readEffortOptions, type EffortFlags } from './effort-options.ts';
import { EXIT } from './exit.ts';
import { readFormat } from './format.ts';
import { loadSpecification, type SpecificationFlags } from './load-specification.ts';
import { tellRefusal } from './refusal.ts';
import { SHARED, type PrintFlags } from './shared-options.ts';
import { UsageError } from './usage-error.ts';
import { tellWarnings } from './warnings.ts';
import { printOptions } from './print-options.ts';

interface Flags extends Pick<SpecificationFlags, 'delta' | 'epsilon' | 'nonadaptive'>, PrintFlags, EffortFlags {
  readonly failOnIncrease?: boolean;
}

const FORMATS = ['table', 'json', 'markdown'] as const;

const EXAMPLES = `
Mechanisms and what holds others are matched by label, then by type and
parameters. Each change is told with what the first specification costs with
that change alone, and how much more or less that is.

Examples:
  dpcompose diff before.json after.json --delta 1e-6
  git show main:privacy.json | dpcompose diff - privacy.json --fail-on-increase
  dpcompose diff before.json after.json --format markdown >> summary.md
  dpcompose diff before.json after.json --json | jq '.changes[] | [.description, .difference]'`;

/** `dpcompose diff`: what a change of specification costs. */
export function diffCommand(context: Context): Command {
  return printOptions(
    new Command('diff')
      .description('Compares what two specifications cost, and tells what each difference between them costs alone.')
      .argument('<BEFORE>', 'JSON file that lists the mechanisms; - for standard input')
      .argument('<AFTER>', 'the same after the change')
      .optionsGroup('What is composed:')
      .option('--nonadaptive', 'in both, all mechanisms are fixed in advance')
      .optionsGroup('What is asked:')
      .option('--delta <D>', 'the smallest epsilons at this delta')
      .option('--epsilon <E>', 'the smallest deltas at this epsilon')
      .optionsGroup('How it is computed:')
      .addOption(SHARED.tolerance())
      .addOption(SHARED.maxSeconds()),
    FORMATS,
    [new Option('--fail-on-increase', 'exit with 1 if more is claimed after than before')],
  )
    .addHelpText('after', EXAMPLES)
    .action(async (before: string, after: string, flags: Flags) => {
      context.ends(await diff([before, after], flags, context));
    });
}

/** What is asked: by the first specification, or else by the second. */
function queryOf(before: Specification, after: Specification): Query {
  const target = before.target ?? requireTarget(after);
  if ('message' in target) throw new UsageError([target]);
  return target;
}

async function diff(
  [first, second]: readonly [string, string],
  flags: Flags,
  { io, version }: Context,
): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  const effort = readEffortOptions(flags, errors);
  if (first === '-' && second === '-') {
    const message = 'standard input can be read once only';
    errors.push({ code: 'conflicting-options', path: 'AFTER', message, hint: 'Give a file for one of the two.' });
  }
  const { delta, epsilon, nonadaptive } = flags;
  const asked = {
    ...(delta === undefined ? {} : { delta }),
    ...(epsilon === undefined ? {} : { epsilon }),
    ...(nonadaptive === undefined ? {} : { nonadaptive }),
  };
  const load = (source: string) => loadSpecification({ command: 'diff', source, flags: asked, errors }, io);
  const before = await load(first);
  const about = { format, color: flags.color, io };
  if (before.kind === 'refusal') return await tellRefusal(before.refusal, about);
  const after = await load(second);
  if (after.kind === 'refusal') return await tellRefusal(after.refusal, about);
  const sides = { before: before.specification, after: after.specification };
  const query = queryOf(sides.before, sides.after);
  const put = await openDestination(flags, io);
  const comparison = compare(sides.before, sides.after, query, effort);
  if ('refusal' in comparison) return await tellRefusal(comparison.refusal, about);
  if (flags.quiet !== true) {
    await tellWarnings(comparison.after.warnings, { color: flags.color, io });
  }
  if (put !== null) {
    await put(await text(comparison, sides, format, async () => await layoutFor(flags, io), version));
  }
  const { solveFor } = query;
  const increased = isIncrease(comparison.before[solveFor], comparison.after[solveFor]);
  return flags.failOnIncrease === true && increased ? EXIT.no : EXIT.done;
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
