import { resolve } from 'node:path';
import { Argument } from 'commander';
import { learnerOf } from '../../learning/core/setting.ts';
import { NO_ANSWERS, NOTHING_TAKEN, type Answers, type RunState } from '../../learning/run/run-state.ts';
import { grouped } from '../../output/kit/prose.ts';
import { declaredCommand } from '../kit/command.ts';
import { layoutFor } from '../kit/destination.ts';
import { EXIT, writeStdout, writeStderr } from '../kit/io.ts';
import { UsageError } from '../kit/usage-error.ts';
import { PATIENCE, timeOf } from '../ledger/kit/write-options.ts';
import type { OpenRun, RunOptions } from './run-file.ts';
import { modeOf, OPTIONS, readLedger, readSeed, type Running } from './run-options.ts';

const EXAMPLES = `
RUN is a file that keeps the run, made by --init; it has the sums of all losses,
which are not private: only its owner may read it. The expert of the first round
is shown by --init; then each line of losses, on standard input or in a file, is
answered with the expert of the next round: its number from 1, or its name. A
line is numbers in [0, 1] with commas between the experts, a JSON array of them,
or a JSON object by the names of the experts.

An answer is printed when the state that it comes from is durable. Losses that
are wrong leave the run as it was before their line. Randomness is that of the
system, unless --simulate says otherwise. Without --learner, --batch, --eta and
--c the learner with the least proved regret is played: L2P, a perturbed leader,
or a uniform guess, which reads no losses and is charged to no ledger.

Examples:
  dpcompose lazy run ads.run --init --rounds 1000 --names a,b,c \\
    --epsilon 1 --delta 1e-6 --ledger budget.jsonl
  echo 0,1,0.5 | dpcompose lazy run ads.run
  losses-of-today | dpcompose lazy run ads.run --json
  dpcompose lazy run ads.run --losses all.csv --round 1 --resume
  dpcompose lazy run ads.run --status`;

async function show(state: RunState, { flags, io, version }: Running): Promise<number> {
  const { lazyRunJson, lazyRunTable } = await import('../../output/lazy/run.ts');
  const text = flags.json ? lazyRunJson(state, version) : lazyRunTable(state, await layoutFor(flags, io));
  if (!flags.quiet) await writeStdout(io, text);
  return EXIT.done;
}

/** Tells answers in lines; false where nobody listens any more. */
async function tellAnswers(answers: Answers, { names }: RunState['header'], { flags, io, version }: Running) {
  const { answerJson, answerText } = await import('../../output/lazy/run.ts');
  if (flags.quiet) return true;
  const lines = flags.json ? answerJson(answers, names, version) : answerText(answers, names);
  let text = '';
  for (const line of lines) {
    text += line;
    if (text.length < 2 ** 16) continue;
    if (!(await writeStdout(io, text))) return false;
    text = '';
  }
  return text === '' || (await writeStdout(io, text));
}

/** Draws the first expert, once the ledger has granted the run; the exit code of a refusal, which was printed. */
async function begin(open: OpenRun, manner: RunOptions, running: Running): Promise<RunState | number> {
  const { header, simulated } = open.state;
  const { Learner } = await import('../../learning/run/learner.ts');
  if (header.ledger !== null) {
    const { launchRun } = await import('./run-launch.ts');
    const { patience, path } = manner;
    const launch = { patience, at: timeOf(undefined, running), flags: running.flags };
    const refused = await launchRun({ ...header, ledger: header.ledger }, launch, running);
    if (refused !== null) {
      (await import('./run-file.ts')).removeRun(path);
      return refused;
    }
  }
  const { SecureWords } = await import('../../learning/run/crypto-random.ts');
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

async function initialise(manner: RunOptions, running: Running): Promise<number> {
  const ledger = readLedger(running);
  const seed = readSeed(running);
  const { readTerms } = await import('./run-terms.ts');
  const { makeRun, openRun, removeRun } = await import('./run-file.ts');
  const terms = readTerms(running);
  const header = { ...terms, ledger: learnerOf(terms.setting) === 'guessing' ? null : ledger };
  const { Xoshiro } = await import('../../numeric/random.ts');
  const simulated = seed === null ? null : new Xoshiro(seed).state;
  makeRun({ header, progress: null, answered: NO_ANSWERS, taken: NOTHING_TAKEN, simulated }, manner);
  using open = await openRun({ ...manner, adopt: false });
  try {
    const state = open.state.progress === null ? await begin(open, manner, running) : open.state;
    return typeof state === 'number' ? state : await show(state, running);
  } catch (error) {
    if (error instanceof UsageError && !MAY_BE_PAID.has(error.errors[0]?.code)) removeRun(manner.path);
    throw error;
  }
}

async function take(manner: RunOptions, first: number | null, running: Running): Promise<number> {
  const { flags, io } = running;
  const { openRun } = await import('./run-file.ts');
  using open = await openRun({ ...manner, adopt: flags.adopt });
  const state = open.state.progress === null ? await begin(open, manner, running) : open.state;
  if (typeof state === 'number') return state;
  const { header, progress } = state;
  if (progress === null) throw new Error('A run was begun and has not begun.');
  const { losses: source = '-', resume } = flags;
  if (source === '-' && io.stdin.isTTY === true && !flags.quiet) {
    await writeStderr(io, `The losses of round ${progress.round} on, a line for each; Ctrl-D ends.\n`);
  }
  const { takeLosses } = await import('./run-losses.ts');
  const run = { state: { ...state, progress }, keep: (next: RunState) => open.keep(next) };
  await takeLosses(run, { source, first, resume }, io, (answers) => tellAnswers(answers, header, running));
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

/** `dpcompose lazy run`: a private learner that goes on from round to round. */
export const lazyRunCommand = declaredCommand<typeof OPTIONS, readonly [file: string]>(
  {
    name: 'run',
    summary: 'run a learner: losses in, the next expert out',
    about:
      'Runs a differentially private learner for experts. For each line of losses it prints the expert of the next round.',
    operands: [new Argument('<RUN>', 'the file of the run')],
    options: OPTIONS,
    examples: EXAMPLES,
  },
  null,
  async (running) => {
    const { flags, errors, io } = running;
    const [file] = running.operands;
    const mode = modeOf(running);
    const { wait: patience = PATIENCE, assumeLocks } = flags;
    const path = resolve(io.cwd(), file);
    const manner: RunOptions = { file, path, patience, assumeLocks };
    if (mode === 'init') return await initialise(manner, running);
    const first = flags.round?.toNumber() ?? null;
    if (errors.length > 0) throw new UsageError(errors);
    if (mode === 'take') return await take(manner, first, running);
    const { readRunFile } = await import('./run-file.ts');
    const state = readRunFile(path, file);
    if (mode === 'status') return await show(state, running);
    await tellAnswers(answersFrom(first, state.answered), state.header, running);
    return EXIT.done;
  },
);
