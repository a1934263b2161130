import { availableParallelism } from 'node:os';
import { Argument } from 'commander';
import type { InputError } from '../../document/core/specification.ts';
import {
  parseAdaptivityFlags,
  parseMechanismFlags,
  parseOrderFlag,
  parseTargetFlags,
} from '../../document/flags/command-line.ts';
import { parseSetFlag } from '../../document/syntax/changed-document.ts';
import { grouped, listed } from '../../output/kit/prose.ts';
import { declaredCommand } from '../kit/command.ts';
import { EXIT } from '../kit/exit.ts';
import { SETTING, specFlags, TARGET } from '../kit/document-options.ts';
import { print, tell, type Input, type Io } from '../kit/io.ts';
import { nothingGiven } from '../kit/load-specification.ts';
import { inGroup, PRINTED, wholeOption, type ValuesOf } from '../kit/option.ts';
import { noteOutput } from '../kit/run-files.ts';
import { JSON_SWITCH, MECHANISM, QUIET, SET, STRICT } from '../kit/shared-options.ts';
import { openSource, sourceError } from '../kit/source.ts';
import { UsageError } from '../kit/usage-error.ts';
import { WORK, workOf } from '../kit/work-options.ts';
import { addTally, blocksOf, emptyTally, type Tally } from './answer.ts';
import { Threads } from './threads.ts';

const { bounds, tolerance } = WORK();
const { delta, epsilon } = TARGET();

const OPTIONS = {
  ...inGroup('Mechanisms, for every line:', {
    mechanism: MECHANISM('add a mechanism to every line (repeatable)'),
    set: SET,
    ...SETTING,
  }),
  ...inGroup('Target, for every line:', { delta, epsilon }),
  bounds,
  tolerance,
  ...inGroup('Computation:', {
    jobs: wholeOption('--jobs <N>', 'number of threads (default: one per processor)', '4', 1, 256),
  }),
  ...STRICT,
  // It always is JSON; here as other commands have it, and for mistakes of the command line.
  ...inGroup(PRINTED, { json: JSON_SWITCH, quiet: QUIET }),
};

type BatchFlags = ValuesOf<typeof OPTIONS>;

const EXAMPLES = `
Each input line is a specification as JSON on one line, with an optional "id" of
any value. Each output line has the line number, the id, and the query, answer
and warnings of compose --json, or the errors, or the refusal. The order is that
of the input. Blank lines are skipped. No answer depends on other lines or on
--jobs.

Exit codes: 2 if a line has errors; else 3 if no theorem covers a line; else 1
if there are warnings and --strict is given; else 0.

Examples:
  dpcompose batch releases.ndjson --delta 1e-6 > answers.ndjson
  generate-specs | dpcompose batch | jq -c '[.id, .answer.epsilon.upper]'
  dpcompose batch releases.ndjson --bounds dp-optimal --jobs 8`;

/** The errors in the flags that hold for all lines, whatever the lines contain. */
function flagErrors(flags: BatchFlags): InputError[] {
  const { set = [], ...given } = specFlags(flags);
  const mechanisms = parseMechanismFlags(given.mechanisms ?? []);
  const readings = [mechanisms, parseAdaptivityFlags(given), parseOrderFlag(given), parseTargetFlags(flags)];
  const malformed = set.flatMap((each): InputError[] => {
    const parsed = parseSetFlag(each);
    return 'problem' in parsed ? [{ ...parsed.problem, path: '--set' }] : [];
  });
  return [...readings.flatMap(({ errors }) => errors), ...malformed];
}

/** Gives all lines to the threads. */
async function feed(threads: Threads, input: Input, source: string): Promise<void> {
  try {
    for await (const block of blocksOf(input)) await threads.give(block);
    threads.complete();
  } catch (error) {
    threads.fail(sourceError(error, source));
  }
}

/** Writes the answers as they come, until there are no more or nobody reads them. */
async function write(threads: Threads, tally: Tally, { quiet }: BatchFlags, io: Io): Promise<void> {
  let writing: Promise<unknown> = Promise.resolve();
  // Ctrl-C ends the process once whole lines are written, and at once where it is given again.
  const interrupt = (): void => {
    void writing.finally(() => io.kill?.(io.pid ?? 0, 'SIGINT'));
  };
  io.once?.('SIGINT', interrupt);
  try {
    for await (const part of threads.answers()) {
      addTally(tally, part.tally);
      if (quiet) continue;
      const printed = print(io, part.text);
      writing = printed.catch(() => undefined);
      if (!(await printed)) return;
    }
  } finally {
    io.removeListener?.('SIGINT', interrupt);
  }
}

const lines = (count: number): string => `${grouped(count)} ${count === 1 ? 'line' : 'lines'}`;

/** Says which lines have no answer, if any. */
async function tellTally({ answered, refused, wrong }: Tally, io: Io): Promise<void> {
  if (refused + wrong === 0) return;
  const parts = [
    ...(answered > 0 ? [`${lines(answered)} answered`] : []),
    ...(wrong > 0 ? [`${lines(wrong)} wrong`] : []),
    ...(refused > 0 ? [`${lines(refused)} refused`] : []),
  ];
  await tell(io, `${listed(parts)}.\n`);
  if (answered + refused > 0 || wrong === 1) return;
  await tell(io, 'Write each specification on one line; jq -c . FILE does so.\n');
}

function exitCode({ wrong, refused, warned }: Tally, { strict }: BatchFlags): number {
  if (wrong > 0) return EXIT.usage;
  if (refused > 0) return EXIT.refused;
  return strict && warned > 0 ? EXIT.no : EXIT.done;
}

/** `dpcompose batch`: compositions in great number, as they come. */
export const batchCommand = declaredCommand<typeof OPTIONS, readonly [string | undefined]>(
  {
    name: 'batch',
    about: 'Composes the specification on each input line and prints one line of JSON for each.',
    operands: [new Argument('[FILE]', 'NDJSON file, one specification a line (default: standard input)')],
    options: OPTIONS,
    examples: EXAMPLES,
  },
  null,
  async ({ operands: [source], flags, errors, io, installation }) => {
    const { delta, epsilon, jobs = availableParallelism() } = flags;
    const work = workOf(flags);
    const unread = (source ?? '-') === '-' && io.stdin.isTTY === true;
    const nothing = unread ? nothingGiven({ command: 'batch', source }) : null;
    const found = [...errors, ...flagErrors(flags), ...(nothing?.errors ?? [])];
    if (found.length > 0) throw new UsageError(found, nothing?.about ?? {});
    const file = installation.batchWorker;
    if (file === undefined) throw new Error('nothing says what the threads of batch run');
    const threads = new Threads(file, jobs, { flags: { ...specFlags(flags), delta, epsilon }, work });
    const tally = emptyTally();
    if (!flags.quiet) noteOutput('-', 'standard output', io);
    const input = openSource(source ?? '-', io);
    try {
      void feed(threads, input, source ?? '-');
      await write(threads, tally, flags, io);
    } finally {
      input.destroy?.();
      await threads.stop();
    }
    if (source === undefined && tally.answered + tally.refused + tally.wrong === 0) {
      throw nothingGiven({ command: 'batch', source });
    }
    if (!flags.quiet) await tellTally(tally, io);
    return exitCode(tally, flags);
  },
);
