import { Argument, Command } from 'commander';
import type { TheoremFacts } from '../report/theorem-facts.ts';
import { quote } from '../spec/quote.ts';
import type { InputError } from '../spec/specification.ts';
import { didYouMean } from '../spec/suggest.ts';
import type { Context } from './context.ts';
import { layoutFor, openDestination } from './destination.ts';
import { EXIT } from './exit.ts';
import { readFormat } from './format.ts';
import type { Io } from './io.ts';
import { offering } from './offered-values.ts';
import type { PrintFlags } from './shared-options.ts';
import { nothingToRead, readGiven, type Given, type SourceHints } from './source.ts';
import { UsageError } from './usage-error.ts';
import { printOptions } from './print-options.ts';

const FORMATS = ['table', 'json', 'markdown'] as const;
type ExplainFormat = (typeof FORMATS)[number];

const EXAMPLES = `
Examples:
  dpcompose explain br-adaptive
  dpcompose explain parallel-delta-cap --format markdown
  dpcompose compose privacy.json --json > answer.json
  dpcompose explain answer.json
  dpcompose compose privacy.json --json | dpcompose explain`;

const ANSWER: SourceHints = {
  directory: 'Give a file with an answer.',
  large: 'Give the output of compose --json.',
};

const LOOKS_LIKE_FILE = /^-$|[./\\]/;

/** `dpcompose explain`: what a theorem says; or why an answer is what it is. */
export function explainCommand(context: Context): Command {
  return printOptions(
    new Command('explain')
      .description(
        'Says what a theorem states, needs and gives, and where the program departs from what is printed; or, of an answer that compose --json printed, why it is what it is and why every other bound is larger or does not apply.',
      )
      .addArgument(
        offering(
          new Argument(
            '[WHAT]',
            'the id of a bound or theorem; or a file with an answer, - or nothing for what is piped in',
          ),
          async () => (await import('../report/theorem-facts.ts')).theoremFacts().map(({ id }) => id),
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

async function theoremShown(facts: TheoremFacts, { format, flags, io, version }: Shown): Promise<string> {
  switch (format) {
    case 'json':
      return (await import('../report/theorem-json.ts')).theoremJsonDocument(facts, version);
    case 'markdown':
      return (await import('../report/theorem-markdown.ts')).theoremMarkdown(facts);
    case 'table':
      return (await import('../report/theorem-text.ts')).theoremText(facts, await layoutFor(flags, io));
  }
}

async function answerShown({ input, source }: Given, all: readonly TheoremFacts[], shown: Shown): Promise<string> {
  const { readAnswer } = await import('../spec/read-answer.ts');
  const reading = readAnswer(input);
  if ('error' in reading) throw new UsageError([reading.error], { source });
  const { explainAnswer } = await import('../composition/explain-answer.ts');
  const explained = explainAnswer(reading.answer);
  const facts = new Map(all.map((each) => [each.id, each]));
  const { format, flags, io, version } = shown;
  switch (format) {
    case 'json':
      return (await import('../report/explain-json.ts')).explainJson(explained, facts, version);
    case 'markdown':
      return (await import('../report/explain-markdown.ts')).explainMarkdown(explained, facts);
    case 'table':
      return (await import('../report/explain-table.ts')).explainTable(explained, facts, await layoutFor(flags, io));
  }
}

function nothingKnown(what: string, all: readonly TheoremFacts[]): InputError {
  const ids = all.map(({ id }) => id);
  const message = `${quote(what)} is neither a bound nor a theorem`;
  const hint = `${didYouMean(what, ids)}dpcompose theorems lists all of them; an answer is given as a file or as -.`;
  return { code: 'unknown-theorem', path: 'WHAT', message, hint };
}

async function explain(what: string | undefined, flags: PrintFlags, { io, version }: Context): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  const { theoremFacts } = await import('../report/theorem-facts.ts');
  const all = theoremFacts();
  const found = all.find(({ id }) => id === what);
  if (what !== undefined && found === undefined && !LOOKS_LIKE_FILE.test(what)) errors.push(nothingKnown(what, all));
  const given = found === undefined && errors.length === 0 ? await readGiven(what, io, ANSWER) : null;
  if (found === undefined && given === null && errors.length === 0) {
    const hint = 'Give the id of a bound, such as br-adaptive, or pipe in the output of compose --json.';
    errors.push(nothingToRead(what, 'WHAT', 'explain', hint));
  }
  if (errors.length > 0) throw new UsageError(errors);
  const shown = { format, flags, io, version };
  const text = given === null ? await theoremShown(found!, shown) : await answerShown(given, all, shown);
  const put = await openDestination(flags, io);
  if (put !== null) await put(text);
  return EXIT.done;
}
