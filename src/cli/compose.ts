import { Command } from 'commander';
import { BOUND_IDS } from '../bounds/bound.ts';
import type { Answer, Refusal } from '../composition/outcome.ts';
import { composeJson } from '../report/json.ts';
import { PLAIN } from '../report/style.ts';
import { normalForm } from '../spec/normal-form.ts';
import type { InputError, Specification } from '../spec/specification.ts';
import { styleFor } from './color.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit.ts';
import { readFormat, type FormatFlags } from './format.ts';
import { columnsOf, print, type Destination, type Io } from './io.ts';
import { loadQuestion, type SpecificationFlags } from './load-specification.ts';
import { tellRefusal } from './refusal.ts';
import { tellWarnings } from './warnings.ts';
import { readWorkOptions, type WorkFlags } from './work-options.ts';

interface ComposeFlags extends SpecificationFlags, FormatFlags, WorkFlags {
  readonly output?: string;
  readonly all?: boolean;
  readonly quiet?: boolean;
  readonly strict?: boolean;
  readonly color: boolean;
}

const EXAMPLES = `
A mechanism is TYPE:key=value,key=value with one of these types:
  dp:epsilon=E[,delta=D]            (E, D)-differential privacy
  bounded-range:epsilon=E           exponential mechanism; also exponential:...
  laplace:scale=B[,sensitivity=S]   Laplace noise; or laplace:epsilon=E
  gaussian:sigma=B[,sensitivity=S]  Gaussian noise
  discrete-laplace:scale=B          the same on whole numbers,
  discrete-gaussian:sigma=B           with [,sensitivity=N] a whole number
  finite-pair:p=P;P;...,q=Q;Q;...   probabilities of outcomes for neighbours,
                                      [,direction=either|fixed]
  zcdp:rho=R                        zero-concentrated differential privacy
  rdp:alpha=A,epsilon=E             Renyi differential privacy; or
                                      rdp:orders=A:E;A:E;...
  gdp:mu=M                          Gaussian differential privacy
and count=N, label=TEXT, kind=noninteractive (default)|interactive|continual.
For the shell, semicolons need quotes: -m 'finite-pair:p=0.9;0.1,q=0.1;0.9'.

Examples:
  dpcompose compose -m dp:epsilon=0.1,count=100 --delta 1e-6
  dpcompose compose -m exponential:epsilon=0.1,count=100 --delta 1e-6 --nonadaptive
  dpcompose compose -m dp:epsilon=0.5,delta=1e-7 -m dp:epsilon=0.2,count=30 --epsilon 3
  dpcompose compose privacy.json --json | jq .answer.epsilon.upper`;

const collect = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value];

/** `dpcompose compose`: from mechanisms to the certified cost of all of them together. */
export function composeCommand(context: Context): Command {
  return new Command('compose')
    .summary('what mechanisms cost together')
    .description(
      'The smallest epsilon at a delta, or the smallest delta at an epsilon, that holds for all mechanisms together, by every theorem that applies.',
    )
    .argument('[SPEC]', 'JSON file that lists the mechanisms; - for standard input')
    .optionsGroup('What is composed:')
    .option('-m, --mechanism <TYPE:key=value,...>', 'a mechanism (repeatable)', collect)
    .option('--nonadaptive', 'all mechanisms are fixed in advance')
    .optionsGroup('What is asked:')
    .option('--delta <D>', 'the smallest epsilon at this delta')
    .option('--epsilon <E>', 'the smallest delta at this epsilon')
    .optionsGroup('How it is computed:')
    .option('--bounds <ID,...>', `only these bounds: ${BOUND_IDS.join(', ')}`)
    .option('--tolerance <T>', 'relative width of enclosures')
    .option('--max-seconds <S>', 'start no refinement after this time')
    .option('--precision <N>', 'compute again in decimals of N digits (20 to 200), where possible')
    .optionsGroup('What is printed:')
    .option('--json', 'one JSON document; the same as --format json')
    .option('--format <FORMAT>', 'table (default) or json')
    .option('-o, --output <FILE>', 'write the result to a file; - for standard output')
    .option('--all', 'also show the bounds that do not apply, and why')
    .option('-q, --quiet', 'print nothing but errors')
    .option('--strict', 'exit with 1 if there are warnings')
    .option('--no-color', 'no colour')
    .optionsGroup('Other:')
    .option('--debug', 'say more about internal errors')
    .addHelpText('after', EXAMPLES)
    .action(async (source: string | undefined, flags: ComposeFlags) => {
      context.ends(await compose(source, flags, context));
    });
}

async function compose(source: string | undefined, flags: ComposeFlags, { io, version }: Context): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, errors);
  const work = readWorkOptions(flags, errors);
  const loaded = await loadQuestion({ command: 'compose', source, flags, errors }, io);
  const refuse = (refusal: Refusal): Promise<number> => tellRefusal(refusal, { format, color: flags.color, io });
  if (loaded.kind === 'refusal') return await refuse(loaded.refusal);
  const { specification, target } = loaded;
  const put = await destination(flags, io);
  const { compose } = await import('../composition/compose.ts');
  const outcome = compose(specification, target, work);
  if (outcome.kind === 'refusal') return await refuse(outcome.refusal);
  let { answer } = outcome;
  if (work.precision !== undefined) {
    const { secondOpinion } = await import('../composition/second-opinion.ts');
    answer = secondOpinion(specification, answer, work.precision, work);
  }
  if (flags.quiet !== true) await tellWarnings(answer.warnings, { color: flags.color, io });
  if (put !== null) {
    const asked = { ...specification, target };
    await put(
      format === 'json' ? composeJson(answer, normalForm(asked), version) : await table(answer, asked, flags, io),
    );
  }
  return flags.strict === true && answer.warnings.length > 0 ? EXIT.no : EXIT.done;
}

const toFile = ({ output }: ComposeFlags): boolean => output !== undefined && output !== '-';

/** Where the result goes; null for nowhere. */
async function destination(flags: ComposeFlags, io: Io): Promise<Destination | null> {
  if (flags.output !== undefined && toFile(flags)) {
    const { openFile } = await import('./output-file.ts');
    return await openFile(flags.output, io);
  }
  return flags.quiet === true ? null : (text) => print(io, text);
}

async function table(answer: Answer, specification: Specification, flags: ComposeFlags, io: Io): Promise<string> {
  const { tableReport } = await import('../report/table.ts');
  const all = flags.all === true;
  if (toFile(flags)) return tableReport(answer, specification, { width: Infinity, all, style: PLAIN });
  const style = await styleFor({ flag: flags.color, env: io.env, output: io.stdout });
  return tableReport(answer, specification, { width: columnsOf(io.stdout) ?? Infinity, all, style });
}
