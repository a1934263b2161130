import { Argument, Command } from 'commander';
import type { Named } from '../report/theorems/named.ts';
import { quote } from '../document/core/quote.ts';
import type { InputError } from '../document/core/specification.ts';
import { didYouMean } from '../document/core/suggest.ts';
import type { Context } from './kit/context.ts';
import { layoutFor, openDestination } from './kit/destination.ts';
import { EXIT } from './kit/exit.ts';
import { readFormat } from './kit/format.ts';
import type { Io } from './kit/io.ts';
import { offering } from './kit/offered-values.ts';
import type { PrintFlags } from './kit/shared-options.ts';
import { nothingToRead, readGiven, type Given, type SourceHints } from './kit/source.ts';
import { UsageError } from './kit/usage-error.ts';
import { printOptions } from './kit/print-options.ts';

const FORMATS = ['table', 'json', 'markdown'] as const;
type ExplainFormat = (typeof FORMATS)[number];

const EXAMPLES = `
Examples:
  dpcompose explain br-adaptive
  dpcompose explain parallel-delta-cap --format markdown
  dpcompose explain zcdp-optimal
  dpcompose explain insufficient-budget
  dpcompose compose privacy.json --json > answer.json
  dpcompose explain answer.json
  dpcompose compose privacy.json --json | dpcompose explain`;

const ANSWER: SourceHints = {
  directory: 'Give a file with an answer.',
  large: 'Give the output of compose --json.',
};

const LOOKS_LIKE_FILE = /^-$|[./\\]/;

/** `dpcompose explain`: what a theorem, a rule or a code says; or why an answer is what it is. */
export function explainCommand(context: Context): Command {
  return printOptions(
    new Command('explain')
      .description(
        'Says what a theorem or a rule of ledgers states, needs and gives, and where the program departs from what is printed; what a code of a warning, a refusal or an error means, and what to do about it; or, of an answer that compose --json printed, why it is what it is and why every other bound is larger or does not apply.',
      )
      .addArgument(
        offering(
          new Argument(
            '[WHAT]',
            'the name of a bound, theorem, rule or code; or a file with an answer, - or nothing for what is piped in',
          ),
          async () => (await import('../report/theorems/named.ts')).allNames(),
        ),
      ),
    FORMATS,
  )
    .addHelpText('after', EXAMPLES)
    .action(async (what: string | undefined, flags: PrintFlags) => {
      context.ends(await explain(what, flags, context));
    });
}

/** How an explanation is shown. */
interface Shown {
  readonly format: ExplainFormat;
  readonly flags: PrintFlags;
  readonly io: Io;
  readonly version: string;
}

async function nameShown(found: Named, { format, flags, io, version }: Shown): Promise<string> {
  switch (format) {
    case 'json':
      return (await import('../report/explain/json.ts')).namedJson(found, version);
    case 'markdown':
      return (await import('../report/theorems/named-page.ts')).namedMarkdown(found);
    case 'table':
      return (await import('../report/theorems/named-page.ts')).namedText(found, await layoutFor(flags, io));
  }
}

async function answerShown({ input, source }: Given, shown: Shown): Promise<string> {
  const { readAnswer } = await import('../document/read-answer.ts');
  const reading = readAnswer(input);
  if ('error' in reading) throw new UsageError([reading.error], { source });
  const { explainAnswer } = await import('../composition/compose/explain-answer.ts');
  const explained = explainAnswer(reading.answer);
  const { theoremFacts } = await import('../report/theorems/theorem-facts.ts');
  const facts = new Map(theoremFacts().map((each) => [each.id, each]));
  const { format, flags, io, version } = shown;
  switch (format) {
    case 'json':
      return (await import('../report/explain/json.ts')).explainJson(explained, facts, version);
    case 'markdown':
      return (await import('../report/explain/page.ts')).explainMarkdown(explained, facts);
    case 'table':
      return (await import('../report/explain/page.ts')).explainTable(explained, facts, await layoutFor(flags, io));
  }
}

async function nothingKnown(what: string): Promise<InputError> {
  const { allNames } = await import('../report/theorems/named.ts');
  const message = `${quote(what)} is no bound, theorem, rule of ledgers or code`;
  const hint = `${didYouMean(what, allNames())}dpcompose theorems lists the theorems; codes are those that --json prints; an answer is given as a file or as -.`;
  return { code: 'unknown-theorem', path: 'WHAT', message, hint };
}

async function explain(what: string | undefined, flags: PrintFlags, { io, version }: Context): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  const { named } = await import('../report/theorems/named.ts');
  const found = what === undefined ? null : named(what);
  if (what !== undefined && found === null && !LOOKS_LIKE_FILE.test(what)) errors.push(await nothingKnown(what));
  const given = found === null && errors.length === 0 ? await readGiven(what, io, ANSWER) : null;
  if (found === null && given === null && errors.length === 0) {
    const hint =
      'Give the name of a bound or a code, such as br-adaptive or delta-infeasible, or pipe in the output of compose --json.';
    errors.push(nothingToRead(what, 'WHAT', 'explain', hint));
  }
  if (errors.length > 0) throw new UsageError(errors);
  const shown = { format, flags, io, version };
  const text = given === null ? await nameShown(found!, shown) : await answerShown(given, shown);
  const put = await openDestination(flags, io);
  if (put !== null) await put(text);
  return EXIT.done;
}
