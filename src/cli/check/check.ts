import { Command, Option } from 'commander';
import { statusOf, type CheckReport, type CheckStatus } from '../../report/check/results.ts';
import type { Layout } from '../../report/kit/columns.ts';
import { grouped } from '../../report/kit/prose.ts';
import type { ErrorCode } from '../../document/core/error-codes.ts';
import { either, quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { didYouMean } from '../../document/core/suggest.ts';
import type { CheckFlags } from './sources.ts';
import { allowanceOf } from './allowance.ts';
import type { Context } from '../kit/context.ts';
import { fileLayout, layoutFor, openDestination } from '../kit/destination.ts';
import { composedOptions } from '../kit/document-options.ts';
import { readEffortOptions, type EffortFlags } from '../kit/effort-options.ts';
import { EXIT } from '../kit/exit.ts';
import { readFormat } from '../kit/format.ts';
import type { Destination, Io } from '../kit/io.ts';
import { readNumberOption, type NumberRange } from '../kit/number-option.ts';
import { offering } from '../kit/offered-values.ts';
import { openFile } from '../kit/output-file.ts';
import { withProgress } from '../kit/progress.ts';
import { repeatable } from '../kit/repeatable.ts';
import { RISK_OPTIONS } from '../kit/risk-flags.ts';
import { SHARED, type PrintFlags } from '../kit/shared-options.ts';
import { printOptions } from '../kit/print-options.ts';

interface Flags extends CheckFlags, EffortFlags, PrintFlags {
  readonly changes?: string;
  readonly report?: readonly string[];
}

const FORMATS = ['text', 'json', 'github', 'junit', 'sarif', 'markdown'] as const;
type CheckFormat = (typeof FORMATS)[number];

const EXAMPLES = `
A policy is a JSON or YAML file of budgets, with paths and patterns relative to it:
  {"dpcompose": 1, "scopes": [
    {"name": "dashboards", "specs": ["dashboards/*.json", "!dashboards/old.json"],
     "budget": {"epsilon": "2", "delta": "1e-6"}},
    {"name": "all releases of 2026", "specs": ["releases/2026-*.json"],
     "budget": {"epsilon": "8", "delta": "1e-6"}, "together": true,
     "risk": {"max-advantage": 0.5, "max-tpr": {"at": 0.01, "most": 0.1}}}]}

-m and --set add to each specification and change it; with --together, what -m
adds counts once. Without specifications, those of -m are checked, or what is
piped in.

--epsilon or --delta may be left out where the targets of the specifications say
it; neither is needed where a risk is limited. A result is within its budget only
if that is certain; a claim that is too large fails, also where a smaller one
might be right. --max-tpr 0.05@0.01: an attack with at most 1% false alarms finds
at most 5%.

Exit codes: 2 if anything cannot be read; else 1 if anything is not shown to be
within its budget; else 3 if anything is refused; else 0.

Examples:
  dpcompose check privacy.json --epsilon 4.5 --delta 1e-6
  dpcompose check 'specs/**/*.json' --epsilon 2
  dpcompose check privacy.json --max-advantage 0.3 --max-tpr 0.05@0.01
  dpcompose check a.json b.json --together --epsilon 3 --delta 1e-6
  dpcompose check --policy privacy-policy.json --format github
  dpcompose check --policy privacy-policy.json --format junit -o budget.xml
  dpcompose check --policy privacy-policy.json --report sarif=budget.sarif \\
    --report junit=budget.xml
  dpcompose check privacy.json --set mechanisms[0].count=50 --epsilon 2`;

const MOST_CHANGES = 5;

/** How long changes are looked for, in seconds, of all specifications together. */
const CHANGES_SECONDS = 15;

/** `dpcompose check`: whether specifications are within their privacy budgets. */
export function checkCommand(context: Context): Command {
  return printOptions(
    composedOptions(
      new Command('check')
        .description(
          'Compares specifications with privacy budgets: within, if that is certain, or by how much they are over and which change of one mechanism would be enough.',
        )
        .argument(
          '[SPEC...]',
          'JSON, YAML or CSV files or glob patterns (!PATTERN takes files away); - or nothing for what is piped in',
        ),
    )
      .optionsGroup('What is checked:')
      .option('--policy <FILE>', 'the specifications and budgets of this file')
      .option('--epsilon <E>', 'the budget: at most this epsilon')
      .option('--delta <D>', 'the budget: at most this delta')
      .addOption(RISK_OPTIONS.advantage())
      .addOption(RISK_OPTIONS.rate())
      .option('--together', 'all specifications together (on the same data), not each of them')
      .optionsGroup('How it is computed:')
      .addOption(SHARED.tolerance())
      .addOption(SHARED.maxSeconds())
      .option(
        '--changes <N>',
        `look for changes of the N mechanisms that cost most (default ${MOST_CHANGES}), for ${CHANGES_SECONDS} seconds in all at most`,
      ),
    FORMATS,
    [
      offering(
        repeatable(new Option('--report <FORMAT=FILE>', 'also write the result to a file, in that form (repeatable)')),
        () => FORMATS.map((format) => `${format}=`),
      ),
    ],
  )
    .addHelpText('after', EXAMPLES)
    .action(async (patterns: readonly string[], flags: Flags) => {
      context.ends(await check(patterns, flags, context));
    });
}

/** A further form in which the result is written, and its file. */
interface Report {
  readonly format: CheckFormat;
  readonly file: string;
}

/** Reads --report; what is wrong goes to `errors`. */
function readReports({ report = [] }: Flags, errors: InputError[]): Report[] {
  const fail = (code: ErrorCode, message: string, hint: string): void => {
    errors.push({ code, path: '--report', message, hint });
  };
  return report.flatMap((text): Report[] => {
    const equals = text.indexOf('=');
    const [name, file] = [text.slice(0, Math.max(0, equals)), text.slice(equals + 1)];
    const format = FORMATS.find((each) => each === name);
    if (equals < 0 || format === undefined || file === '') {
      const hint = `${equals < 0 ? '' : didYouMean(name, FORMATS)}For example: --report sarif=budget.sarif`;
      fail('malformed-flag', `must be FORMAT=FILE, where FORMAT is ${either(FORMATS)}, got ${quote(text)}`, hint);
      return [];
    }
    if (file === '-') {
      fail('conflicting-options', 'standard output has the result already', `Name a file, or use --format ${format}.`);
      return [];
    }
    return [{ format, file }];
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
  const changes = readNumberOption(flags.changes, CHANGES, errors);
  const reports = readReports(flags, errors);
  const { findSources } = await import('./sources.ts');
  const sources = await findSources(patterns, flags, errors, io);
  const { loadSources, runCheck } = await import('./run.ts');
  // Before it is known where the result goes: it never goes into what was read.
  const loaded = await loadSources(sources, io);
  const put = await openDestination(flags, io);
  const further: { readonly format: CheckFormat; readonly put: Destination }[] = [];
  for (const { format: form, file } of reports) {
    const written = { flag: '--report', force: flags.force === true };
    further.push({ format: form, put: await openFile(file, written, io) });
  }
  const { check } = await import('../../composition/check/check.ts');
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
  if (put !== null) await put(await text(report, format, version, async () => await layoutFor(flags, io), io));
  for (const each of further) {
    await each.put(await text(report, each.format, version, () => Promise.resolve(fileLayout(io)), io));
  }
  if (format === 'github') {
    const { addStepSummary } = await import('./step-summary.ts');
    const { checkMarkdown } = await import('../../report/check/markdown.ts');
    await addStepSummary(checkMarkdown(report), io);
  }
  return CODES[statusOf(report)];
}

async function text(
  report: CheckReport,
  format: CheckFormat,
  version: string,
  layout: () => Promise<Layout>,
  io: Io,
): Promise<string> {
  switch (format) {
    case 'json': {
      const { checkJson } = await import('../../report/check/json.ts');
      return checkJson(report, version);
    }
    case 'github': {
      const { checkGithub } = await import('../../report/check/github.ts');
      const { fromWorkspace } = await import('./step-summary.ts');
      return checkGithub(fromWorkspace(report, io));
    }
    case 'junit': {
      const { checkJunit } = await import('../../report/check/junit.ts');
      return checkJunit(report);
    }
    case 'sarif': {
      const { checkSarif } = await import('../../report/check/sarif.ts');
      const { fromWorkspace } = await import('./step-summary.ts');
      return checkSarif(fromWorkspace(report, io), version);
    }
    case 'markdown': {
      const { checkMarkdown } = await import('../../report/check/markdown.ts');
      return checkMarkdown(report);
    }
    case 'text': {
      const { checkText } = await import('../../report/check/text.ts');
      return checkText(report, await layout());
    }
  }
}
