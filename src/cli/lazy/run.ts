import { resolve } from 'node:path';
import { Command } from 'commander';
import type { InputError } from '../../document/core/specification.ts';
import { NO_ANSWERS, NOTHING_TAKEN, type Answers, type RunLedger, type RunState } from '../../lazy/run/run-state.ts';
import { grouped } from '../../report/kit/prose.ts';
import type { Context } from '../kit/context.ts';
import { layoutFor } from '../kit/destination.ts';
import { EXIT } from '../kit/exit.ts';
import { print, tell } from '../kit/io.ts';
import { SHARED, type PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { readWait } from '../ledger/kit/write-options.ts';
import { NumberReader, withNumbers } from './options.ts';
import type { OpenRun, RunManner } from './run-file.ts';
import type { TermsFlags } from './run-terms.ts';

interface Flags extends TermsFlags, PrintFlags {
  readonly init?: boolean;
  readonly status?: boolean;
  readonly again?: boolean;
  readonly adopt?: boolean;
  readonly simulate?: boolean;
  readonly ledger?: string;
  readonly store?: string;
  readonly neighbours?: string;
  readonly losses?: string;
  readonly resume?: boolean;
  readonly wait?: string;
  readonly assumeLocks?: boolean;
}

const EXAMPLES = `
RUN is a file that keeps the run, made by --init; it has the sums of all losses,
which are not private: only its owner may read it. The expert of the first round
is shown by --init; then each line of losses, on standard input or in a file, is
answered with the expert of the next round: its number from 1, or its name. A
line is numbers in [0, 1] with commas between the experts, a JSON array of them,
or a JSON object by the names of the experts.

An answer is printed when the state that it comes from is durable. Losses that
are wrong leave the run as it was before their line. Randomness is that of the
system, unless --simulate says otherwise. Without --batch, --eta and --c
the parameters of L2P with the least proved regret of lazy plan are used; where
another learner has less, which is not run here, --init and --status say so.

Examples:
  dpcompose lazy run ads.run --init --rounds 1000 --names a,b,c \\
    --epsilon 1 --delta 1e-6 --ledger budget.jsonl
  echo 0,1,0.5 | dpcompose lazy run ads.run
  losses-of-today | dpcompose lazy run ads.run --json
  dpcompose lazy run ads.run --losses all.csv --round 1 --resume
  dpcompose lazy run ads.run --status`;

/** `dpcompose lazy run`: a private learner that goes on from round to round. */
export function lazyRunCommand(context: Context): Command {
  const command = new Command('run')
    .summary('a learner that runs: losses in, the next expert out')
    .description(
      'Runs L2P for experts: each line of losses is answered with the expert of the next round, and the run is differentially private as a whole.',
    )
    .argument('<RUN>', 'the file of the run')
    .optionsGroup('What is done, in place of taking losses:')
    .option('--init', 'begin a run, and make its file')
    .option('--status', 'show how far it is, and what is certain of it')
    .option('--again', 'print all answers to the last input again, or those from --round on');
  const run = 'What is run (--init):';
  withNumbers(command, run, ['rounds', 'the number of rounds; there may be fewer'], 'experts').option(
    '--names <NAMES>',
    'the experts by names, with commas between them',
  );
  const budget = ['epsilon', 'the budget for which parameters, or a cap, are found'] as const;
  const delta = ['delta', 'the delta of the guarantee'] as const;
  withNumbers(command, run, budget, delta, 'batch', ['eta', 'the learning rate'], 'c', 'cap')
    .option('--measure <M>', 'experts, the only one that can be run')
    .optionsGroup('Who pays for it (--init):')
    .option('--ledger <FILE>', 'a ledger, which is charged before the first round')
    .option('--store <ADDRESS>', 'where the ledger is kept (the current folder)')
    .option('--neighbours <TEXT>', 'how its terms say that a round is replaced (replace-one)')
    .optionsGroup('A simulation (--init):')
    .option('--simulate', 'random numbers from a seed: nothing is private')
    .option('--seed <S>', 'the seed (1)')
    .optionsGroup('What is taken:')
    .option('--losses <FILE>', 'the losses; - for standard input (default)')
    .option('--round <N>', 'the round of the first line, or of the first answer (the next one)')
    .option('--resume', 'with --round: compare lines of rounds that were taken, and pass over them')
    .optionsGroup('How the file is used:')
    .option('--wait <SECONDS>', 'how long to wait for another process (10)')
    .option('--adopt', 'go on with a copy, the original being gone')
    .option('--assume-locks', 'use a file system whose locks other machines need not see')
    .optionsGroup('What is printed:')
    .option('--json', 'a line of JSON for each answer; one document for --init and --status')
    .addOption(SHARED.quiet())
    .addOption(SHARED.noColor())
    .optionsGroup('Other:')
    .addOption(SHARED.debug())
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: Flags) => {
      context.ends(await runOrTell(file, flags, context));
    });
  return command;
}

const TERMS = [
  ...(['rounds', 'experts', 'names', 'epsilon', 'delta', 'batch', 'eta', 'c', 'cap', 'measure'] as const),
  ...(['ledger', 'store', 'neighbours', 'simulate', 'seed'] as const),
];
const TAKING = ['losses', 'round', 'resume'] as const;
const MODES = ['init', 'status', 'again'] as const;

/** Options that mean nothing here. */
function refuse(
  flags: Flags,
  names: readonly (keyof Flags)[],
  message: string,
  hint: string,
  errors: InputError[],
): void {
  for (const name of names) {
    if (flags[name] === undefined) continue;
    errors.push({ code: 'conflicting-options', path: `--${name}`, message, hint });
  }
}

/** What is to be done; mistakes in how options stand together go to `errors`. */
function modeOf(flags: Flags, errors: InputError[]): (typeof MODES)[number] | 'take' {
  const [mode, ...more] = MODES.filter((name) => flags[name] === true);
  refuse(flags, more, `contradicts --${mode}`, 'Give one of them.', errors);
  if (mode !== 'init') refuse(flags, TERMS, 'says what is run, which is settled', 'Give it with --init.', errors);
  const others = TAKING.filter((name) => mode !== 'again' || name !== 'round');
  if (mode !== undefined) refuse(flags, others, `is about losses, and --${mode} takes none`, 'Leave it out.', errors);
  else if (flags.resume === true && flags.round === undefined) {
    errors.push({
      code: 'missing-option',
      path: '--round',
      message: 'of which round the first line is is not given',
      hint: 'For example: --round 1 --resume',
    });
  }
  return mode ?? 'take';
}

function readLedger(flags: Flags, errors: InputError[]): RunLedger | null {
  const { ledger, store = null, neighbours = 'replace-one' } = flags;
  if (ledger !== undefined) {
    refuse(flags, ['simulate'], 'a simulation is not paid for', 'Leave out --ledger.', errors);
    return { name: ledger, store, neighbours };
  }
  refuse(flags, ['store', 'neighbours'], 'belongs to --ledger', 'Give --ledger too, or leave it out.', errors);
  return null;
}

const seedOf = (flags: Flags, errors: InputError[]): number => {
  const seed = new NumberReader(flags, errors).optional('seed')?.toNumber() ?? 1;
  const hint = 'Give --simulate too, or leave it out: a run that is private has no seed.';
  if (flags.simulate !== true) refuse(flags, ['seed'], `belongs to --simulate`, hint, errors);
  return seed;
};

async function show(state: RunState, flags: Flags, { io, version }: Context): Promise<number> {
  const text =
    flags.json === true
      ? (await import('../../report/lazy/run.ts')).lazyRunJson(state, version)
      : (await import('../../report/lazy/run.ts')).lazyRunTable(state, await layoutFor(flags, io));
  if (flags.quiet !== true) await print(io, text);
  return EXIT.done;
}

/** Tells answers in lines; false where nobody listens any more. */
async function tellAnswers(answers: Answers, { names }: RunState['header'], flags: Flags, context: Context) {
  const { answerJson, answerText } = await import('../../report/lazy/run.ts');
  if (flags.quiet === true) return true;
  const lines = flags.json === true ? answerJson(answers, names, context.version) : answerText(answers, names);
  let text = '';
  for (const line of lines) {
    text += line;
    if (text.length < 2 ** 16) continue;
    if (!(await print(context.io, text))) return false;
    text = '';
  }
  return text === '' || (await print(context.io, text));
}

/** Draws the first expert, once the ledger has granted the run; the exit code of a refusal, which was printed. */
async function begin(
  open: OpenRun,
  path: string,
  manner: RunManner,
  flags: Flags,
  context: Context,
): Promise<RunState | number> {
  const { header, simulated } = open.state;
  const { Learner } = await import('../../lazy/run/learner.ts');
  if (header.ledger !== null) {
    const { launchRun } = await import('./run-launch.ts');
    const at = context
      .now()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z');
    const asked = { ...header, ledger: header.ledger };
    const refused = await launchRun(asked, { patience: manner.patience, at, flags }, context);
    if (refused !== null) {
      (await import('./run-file.ts')).removeRun(path);
      return refused;
    }
  }
  const { SecureWords } = await import('../../lazy/run/secure-words.ts');
  const { Xoshiro } = await import('../../numeric/random.ts');
  const source = simulated === null ? new SecureWords() : new Xoshiro(simulated);
  const progress = Learner.begin(header, source);
  const state: RunState = {
    header,
    progress,
    answered: { first: 1, last: 1, changes: [[1, progress.x]] },
    taken: NOTHING_TAKEN,
    simulated: source instanceof Xoshiro ? source.state : null,
  };
  await open.keep(state);
  return state;
}

/** After these the ledger may have granted the run: its file stays, and asking again is not charged twice. */
const MAY_BE_PAID: ReadonlySet<string | undefined> = new Set(['outcome-unknown', 'replaced']);

async function initialise(path: string, manner: RunManner, flags: Flags, errors: InputError[], context: Context) {
  const ledger = readLedger(flags, errors);
  const seed = seedOf(flags, errors);
  const { readTerms } = await import('./run-terms.ts');
  const { makeRun, openRun, removeRun } = await import('./run-file.ts');
  const header = { ...readTerms(flags, errors), ledger };
  const { Xoshiro } = await import('../../numeric/random.ts');
  const simulated = flags.simulate === true ? new Xoshiro(seed).state : null;
  makeRun(path, { header, progress: null, answered: NO_ANSWERS, taken: NOTHING_TAKEN, simulated }, manner);
  using open = await openRun(path, { ...manner, adopt: false });
  try {
    const state = open.state.progress === null ? await begin(open, path, manner, flags, context) : open.state;
    return typeof state === 'number' ? state : await show(state, flags, context);
  } catch (error) {
    if (error instanceof UsageError && !MAY_BE_PAID.has(error.errors[0]?.code)) removeRun(path);
    throw error;
  }
}

async function take(path: string, manner: RunManner, first: number | null, flags: Flags, context: Context) {
  const { io } = context;
  const { openRun } = await import('./run-file.ts');
  using open = await openRun(path, { ...manner, adopt: flags.adopt === true });
  const state = open.state.progress === null ? await begin(open, path, manner, flags, context) : open.state;
  if (typeof state === 'number') return state;
  const { header, progress } = state;
  if (progress === null) throw new Error('A run was begun and has not begun.');
  const source = flags.losses ?? '-';
  if (source === '-' && io.stdin.isTTY === true && flags.quiet !== true) {
    await tell(io, `The losses of round ${progress.round} on, a line for each; Ctrl-D ends.\n`);
  }
  const { takeLosses } = await import('./run-losses.ts');
  const given = { source, first, resume: flags.resume === true };
  await takeLosses({ state: { ...state, progress }, keep: (next) => open.keep(next) }, given, io, (answers) =>
    tellAnswers(answers, header, flags, context),
  );
  return EXIT.done;
}

/** The answers from a round on; null: those to the last input. */
function answersFrom(first: number | null, answered: Answers): Answers {
  if (first === null) return answered;
  const from = answered.changes[0]?.[0] ?? 1;
  if (first >= from && first <= answered.last) return { ...answered, first };
  const message = `there are answers for rounds ${grouped(from)} to ${grouped(answered.last)}`;
  throw new UsageError([{ code: 'wrong-round', path: '--round', message, hint: 'Give one of them.' }]);
}

async function runOrTell(file: string, flags: Flags, context: Context): Promise<number> {
  const { io } = context;
  const errors: InputError[] = [];
  const mode = modeOf(flags, errors);
  const manner: RunManner = { file, patience: readWait(flags.wait, errors), assumeLocks: flags.assumeLocks === true };
  const path = resolve(io.cwd(), file);
  if (mode === 'init') return await initialise(path, manner, flags, errors, context);
  const first = new NumberReader(flags, errors).optional('round')?.toNumber() ?? null;
  if (errors.length > 0) throw new UsageError(errors);
  if (mode === 'take') return await take(path, manner, first, flags, context);
  const { readRunFile } = await import('./run-file.ts');
  const state = readRunFile(path, file);
  if (mode === 'status') return await show(state, flags, context);
  await tellAnswers(answersFrom(first, state.answered), state.header, flags, context);
  return EXIT.done;
}
