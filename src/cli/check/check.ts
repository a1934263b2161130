import { appendFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { Argument } from 'commander';
import type { Allowance } from '../../composition/check/changes.ts';
import type { ErrorCode } from '../../document/core/error-codes.ts';
import { either, quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { didYouMean } from '../../document/core/suggest.ts';
import { isFile, statusOf, type CheckItem, type CheckReport, type CheckStatus } from '../../output/check/words.ts';
import { grouped } from '../../output/kit/prose.ts';
import { commandOf, type Forms } from '../kit/command.ts';
import { EXIT, OutputError, systemReason, type Destination, type Io } from '../kit/io.ts';
import { fileLayout } from '../kit/destination.ts';
import { inGroup, PRINTED, repeatedOption, wholeOption } from '../kit/option.ts';
import { openFile } from '../kit/output-file.ts';
import { EFFORT, effortOf } from '../kit/shared-options.ts';
import { CHECK, findSources } from './sources.ts';

/** Seconds that may be spent, in several goes. */
function allowanceOf(seconds: number): Allowance {
  let spent = 0;
  let since: number | null = null;
  const current = (): number => (since === null ? 0 : performance.now() - since);
  return {
    begin() {
      since = performance.now();
    },
    end() {
      spent += current();
      since = null;
    },
    isSpent: () => spent + current() >= seconds * 1000,
  };
}

/** Adds a Markdown document to the summary of the running step of GitHub Actions; elsewhere there is none. */
async function addStepSummary(markdown: string, io: Io): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = io.env;
  if (file === undefined || file === '') return;
  try {
    await appendFile(resolve(io.cwd(), file), markdown);
  } catch (error) {
    throw new OutputError(`the step summary ${file} cannot be written: ${systemReason(error)}`, { cause: error });
  }
}

/** A report with the places of files as seen from the root of the repository, where a runner says which that is. */
function fromWorkspace(report: CheckReport, io: Io): CheckReport {
  const { GITHUB_WORKSPACE: root } = io.env;
  if (root === undefined || root === '') return report;
  const moved = (file: string): string => (isFile(file) ? relative(root, resolve(io.cwd(), file)) : file);
  const placed = (item: CheckItem): CheckItem => {
    const { place, outcome } = item;
    return {
      ...item,
      place: place && { ...place, file: moved(place.file) },
      outcome:
        outcome.kind === 'unreadable'
          ? { ...outcome, unreadable: outcome.unreadable.map((file) => ({ ...file, file: moved(file.file) })) }
          : outcome,
    };
  };
  return {
    ...report,
    scopes: report.scopes.map((scope) => ({ ...scope, items: scope.items.map(placed) })),
  };
}

const FORMATS = ['text', 'json', 'github', 'junit', 'sarif', 'markdown'] as const;
type CheckFormat = (typeof FORMATS)[number];

const EXAMPLES = `
A policy is a JSON or YAML file of budgets. Its paths are relative to the file:
  {"dpcompose": 1, "scopes": [
    {"name": "dashboards", "specs": ["dashboards/*.json", "!dashboards/old.json"],
     "budget": {"epsilon": "2", "delta": "1e-6"}},
    {"name": "all releases of 2026", "specs": ["releases/2026-*.json"],
     "budget": {"epsilon": "8", "delta": "1e-6"}, "together": true,
     "risk": {"max-advantage": 0.5, "max-tpr": {"at": 0.01, "most": 0.1}}}]}

-m and --set change each specification; with --together, -m counts once. Without
specifications, check reads those of -m or standard input.

You can omit --epsilon or --delta if the target of the specification has it. A
specification passes only if its upper bound is within the budget. --max-tpr
0.05@0.01 limits the true-positive rate to 5% at a false-positive rate of 1%.

Exit codes: 2 if anything cannot be read; else 1 if anything is not shown to be
within its budget; else 3 if anything is refused; else 0.

Examples:
  dpcompose check 'specs/**/*.json' --epsilon 4.5 --delta 1e-6
  dpcompose check a.json b.json --together --max-tpr 0.05@0.01
  dpcompose check --policy privacy-policy.json --format github`;

const MOST_CHANGES = 5;

/** How long changes are looked for, in seconds, of all specifications together. */
const CHANGES_SECONDS = 15;

/** A further form in which the result is written, and its file. */
interface Report {
  readonly format: CheckFormat;
  readonly file: string;
}

function readReport(text: string, errors: InputError[]): Report | null {
  const fail = (code: ErrorCode, message: string, hint: string): null => {
    errors.push({ code, path: '--report', message, hint });
    return null;
  };
  const equals = text.indexOf('=');
  const [name, file] = [text.slice(0, Math.max(0, equals)), text.slice(equals + 1)];
  const format = FORMATS.find((candidate) => candidate === name);
  if (equals < 0 || format === undefined || file === '') {
    const hint = `${equals < 0 ? '' : didYouMean(name, FORMATS)}For example: --report sarif=budget.sarif`;
    return fail('malformed-flag', `must be FORMAT=FILE, where FORMAT is ${either(FORMATS)}, got ${quote(text)}`, hint);
  }
  if (file !== '-') return { format, file };
  return fail(
    'conflicting-options',
    'standard output has the result already',
    `Name a file, or use --format ${format}.`,
  );
}

const OPTIONS = {
  ...CHECK,
  ...EFFORT,
  ...inGroup('Computation:', {
    changes: wholeOption(
      '--changes <N>',
      `suggest fixes for the N mechanisms with the largest privacy loss (default: ${MOST_CHANGES}; at most ${CHANGES_SECONDS} seconds)`,
      '5',
      0,
    ),
  }),
  ...inGroup(PRINTED, {
    report: {
      ...repeatedOption(
        '--report <FORMAT=FILE>',
        'also write the result to a file in this format (repeatable)',
        readReport,
      ),
      values: () => FORMATS.map((format) => `${format}=`),
    },
  }),
};

const CODES: Readonly<Record<CheckStatus, number>> = {
  within: EXIT.done,
  exceeds: EXIT.no,
  undecided: EXIT.no,
  unreadable: EXIT.usage,
  refused: EXIT.refused,
};

/** What was checked, and where. */
interface Checked {
  readonly report: CheckReport;
  readonly io: Io;
}

const FORMS: Required<Pick<Forms<Checked>, CheckFormat>> = {
  text: async ({ report }, { layout }) =>
    (await import('../../output/check/check.ts')).checkText(report, await layout()),
  json: async ({ report }, { version }) => (await import('../../output/check/check.ts')).checkJson(report, version),
  github: async ({ report, io }) => (await import('../../output/check/ci.ts')).checkGithub(fromWorkspace(report, io)),
  junit: async ({ report }) => (await import('../../output/check/ci.ts')).checkJunit(report),
  sarif: async ({ report, io }, { version }) =>
    (await import('../../output/check/ci.ts')).checkSarif(fromWorkspace(report, io), version),
  markdown: async ({ report }) => (await import('../../output/check/check.ts')).checkMarkdown(report),
};

/** `dpcompose check`: whether specifications are within their privacy budgets. */
export const checkCommand = commandOf<Checked, typeof OPTIONS, readonly [patterns: readonly string[]]>({
  name: 'check',
  about:
    'Enforces privacy budgets, in CI for example. Reports whether each specification is within its budget, the excess if not, and a change of one mechanism that fixes it.',
  operands: [
    new Argument(
      '[SPEC...]',
      'JSON, YAML or CSV files or glob patterns; !PATTERN excludes files (default: standard input)',
    ),
  ],
  options: OPTIONS,
  examples: EXAMPLES,
  forms: FORMS,
  async read(invocation) {
    const { flags, io } = invocation;
    const sources = await findSources(invocation);
    const { loadSources, runCheck } = await import('./run.ts');
    // Before it is known where the result goes: it never goes into what was read.
    const loaded = await loadSources(sources, io);
    const { check } = await import('../../composition/check/check.ts');
    const { changes: limit = MOST_CHANGES } = flags;
    const options = { ...effortOf(flags), most: limit, allowance: allowanceOf(CHANGES_SECONDS) };
    return async (tell) => {
      const further: { readonly format: CheckFormat; readonly put: Destination }[] = [];
      for (const { format, file } of flags.report) {
        further.push({ format, put: await openFile(file, { flag: '--report', force: flags.force === true }, io) });
      }
      const report = runCheck(
        sources,
        loaded,
        options,
        check,
        tell &&
          ((done, of, what, share) => {
            tell(`specification ${grouped(done + 1)} of ${grouped(of)}, ${what}`, share);
          }),
      );
      const result = { report, io };
      return {
        result,
        exit: CODES[statusOf(report)],
        also: async ({ version }) => {
          const page = { version, layout: () => Promise.resolve(fileLayout(io)) };
          for (const { format, put } of further) await put(await FORMS[format](result, page));
          if (flags.format !== 'github') return;
          await addStepSummary(await FORMS.markdown(result, page), io);
        },
      };
    };
  },
});
