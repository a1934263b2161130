import { Command } from 'commander';
import { statusOf, type CheckReport, type CheckStatus } from '../report/check-results.ts';
import { grouped } from '../report/prose.ts';
import type { InputError } from '../spec/specification.ts';
import type { CheckFlags } from './check-sources.ts';
import { allowanceOf } from './allowance.ts';
import type { Context } from './context.ts';
import { layoutFor, openDestination } from './destination.ts';
import { readEffortOptions, type EffortFlags } from './effort-options.ts';
import { EXIT } from './exit.ts';
import { readFormat } from './format.ts';
import type { Io } from './io.ts';
import { readNumberOption, type NumberRange } from './number-option.ts';
import { withProgress } from './progress.ts';
import { SHARED, type PrintFlags } from './shared-options.ts';
import { printOptions } from './print-options.ts';

interface Flags extends CheckFlags, EffortFlags, PrintFlags {
  readonly changes?: string;
}

const FORMATS = ['text', 'json', 'github', 'junit', 'sarif', 'markdown'] as const;

const EXAMPLES = `
A policy is a JSON file of budgets, with paths and patterns relative to it:
  {"dpcompose": 1, "scopes": [
    {"name": "dashboards", "specs": ["dashboards/*.json", "!dashboards/old.json"],
     "budget": {"epsilon": "2", "delta": "1e-6"}},
    {"name": "all releases of 2026", "specs": ["releases/2026-*.json"],
     "budget": {"epsilon": "8", "delta": "1e-6"}, "together": true}]}

--epsilon or --delta may be left out where the targets of the specifications say
it. A result is within its budget only if that is certain; a claim that is too
large fails, also where a smaller one might be right.

Exit codes: 2 if anything cannot be read; else 1 if anything is not shown to be
within its budget; else 3 if anything is refused; else 0.

Examples:
  dpcompose check privacy.json --epsilon 4.5 --delta 1e-6
  dpcompose check 'specs/**/*.json' --epsilon 2
  dpcompose check a.json b.json --together --epsilon 3 --delta 1e-6
  dpcompose check --policy privacy-policy.json --format github
  dpcompose check --policy privacy-policy.json --format junit -o budget.xml`;

const MOST_CHANGES = 5;

/** How long changes are looked for, in seconds, of all specifications together. */
const CHANGES_SECONDS = 15;

/** `dpcompose check`: whether specifications are within their privacy budgets. */
export function checkCommand(context: Context): Command {
  return printOptions(
    new Command('check')
      .description(
        'Compares specifications with privacy budgets: within, if that is certain, or by how much they are over and which change of one mechanism would be enough.',
      )
      .argument('[SPEC...]', 'JSON files or glob patterns (!PATTERN takes files away); - for standard input')
      .optionsGroup('What is checked:')
      .option('--policy <FILE>', 'the specifications and budgets of this file')
      .option('--epsilon <E>', 'the budget: at most this epsilon')
      .option('--delta <D>', 'the budget: at most this delta')
      .option('--together', 'all specifications together (on the same data), not each of them')
      .optionsGroup('How it is computed:')
      .addOption(SHARED.tolerance())
      .addOption(SHARED.maxSeconds())
      .option(
        '--changes <N>',
        `look for changes of the N mechanisms that cost most (default ${MOST_CHANGES}), for ${CHANGES_SECONDS} seconds in all at most`,
      ),
    FORMATS,
  )
    .addHelpText('after', EXAMPLES)
    .action(async (patterns: readonly string[], flags: Flags) => {
      context.ends(await check(patterns, flags, context));
    });
}

const CHANGES: NumberRange = {
  flag: '--changes',
  allowed: 'a whole number of at least 0',
  example: '5',
  contains: (value) => value.isInteger() && value.gte(0),
};

const CODES: Readonly<Record<CheckStatus, number>> = {
  within: EXIT.done,
  exceeds: EXIT.no,
  undecided: EXIT.no,
  unreadable: EXIT.usage,
  refused: EXIT.refused,
};

async function check(patterns: readonly string[], flags: Flags, { io, version }: Context): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  const effort = readEffortOptions(flags, errors);
  const changes = flags.changes === undefined ? undefined : readNumberOption(flags.changes, CHANGES, errors);
  const { findSources } = await import('./check-sources.ts');
  const sources = await findSources(patterns, flags, errors, io);
  const put = await openDestination(flags, io);
  const { loadSources, runCheck } = await import('./check-run.ts');
  const { check } = await import('../composition/check/check.ts');
  const loaded = await loadSources(sources, io);
  const most = changes?.toNumber() ?? MOST_CHANGES;
  const options = { ...effort, most, allowance: allowanceOf(CHANGES_SECONDS) };
  const report = withProgress(flags, io, (tell) =>
    runCheck(
      sources,
      loaded,
      options,
      check,
      tell &&
        ((done, of, what, share) => {
          tell(`specification ${grouped(done + 1)} of ${grouped(of)}, ${what}`, share);
        }),
    ),
  );
  if (put !== null) await put(await text(report, format, version, flags, io));
  if (format === 'github') {
    const { addStepSummary } = await import('./step-summary.ts');
    const { checkMarkdown } = await import('../report/check-markdown.ts');
    await addStepSummary(checkMarkdown(report), io);
  }
  return CODES[statusOf(report)];
}

async function text(
  report: CheckReport,
  format: (typeof FORMATS)[number],
  version: string,
  flags: Flags,
  io: Io,
): Promise<string> {
  switch (format) {
    case 'json': {
      const { checkJson } = await import('../report/check-json.ts');
      return checkJson(report, version);
    }
    case 'github': {
      const { checkGithub } = await import('../report/check-github.ts');
      const { fromWorkspace } = await import('./step-summary.ts');
      return checkGithub(fromWorkspace(report, io));
    }
    case 'junit': {
      const { checkJunit } = await import('../report/check-junit.ts');
      return checkJunit(report);
    }
    case 'sarif': {
      const { checkSarif } = await import('../report/check-sarif.ts');
      const { fromWorkspace } = await import('./step-summary.ts');
      return checkSarif(fromWorkspace(report, io), version);
    }
    case 'markdown': {
      const { checkMarkdown } = await import('../report/check-markdown.ts');
      return checkMarkdown(report);
    }
    case 'text': {
      const { checkText } = await import('../report/check-text.ts');
      return checkText(report, await layoutFor(flags, io));
    }
  }
}
