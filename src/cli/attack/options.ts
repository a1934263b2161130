import { Option } from 'commander';
import type { Repetition } from '../../composition/attack/simulate-gates.ts';
import { grouped } from '../../report/kit/prose.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { readNumberOption, wholeNumber } from '../kit/number-option.ts';
import type { Report } from '../kit/progress.ts';

/** The options of simulated attacks, as typed. */
export interface SimulationFlags {
  readonly runs?: string;
  readonly seed?: string;
}

/** The options of attacks on many instances, as typed. */
export interface InstancesFlags {
  readonly instances?: string;
}

/** Options that several attacks have. */
export const ATTACK = {
  instances: () => new Option('--instances <L>', 'how many instances there may be (default: no limit)'),
  runs: () => new Option('--runs <N>', 'how often to run it; 0 for none (default: 10000, fewer if each is long)'),
  seed: () => new Option('--seed <S>', 'where the random numbers begin (default: 1)'),
} as const;

const INSTANCES = wholeNumber('--instances', '1000');
const SEED = wholeNumber('--seed', '7', 0);

/** The most runs there may be. */
const MOST_RUNS = 1_000_000;
const RUNS = wholeNumber('--runs', '10000', 0, MOST_RUNS);

const USUAL_RUNS = 10_000;
/** The average number of messages in all runs where --runs is not given: a second or two. */
const USUAL_MESSAGES = 1e6;
/** The most messages that may be expected in all, and in one run, which is kept in memory. */
const MOST_MESSAGES = 1e9;
const MOST_IN_ONE_RUN = 4e6;

/** Reads --instances; null for no limit. */
export function readInstances({ instances }: InstancesFlags, errors: InputError[]): number | null {
  return readNumberOption(instances, INSTANCES, errors)?.toNumber() ?? null;
}

/** How often to run an attack, as asked. */
export interface AskedRuns {
  /** Undefined where nothing is asked. */
  readonly runs: number | undefined;
  readonly seed: number;
}

/** Reads --runs and --seed; what is wrong goes to `errors`. */
export function readRuns({ runs, seed }: SimulationFlags, errors: InputError[]): AskedRuns {
  return {
    runs: readNumberOption(runs, RUNS, errors)?.toNumber(),
    seed: readNumberOption(seed, SEED, errors)?.toNumber() ?? 1,
  };
}

/**
 * How often to run an attack whose runs take `messages` on average; null for not at all: none is asked for, or --runs
 * is not given and one run is too long. `shorter` is the advice on how to make runs shorter. Where as many runs as are
 * asked for are too long, that goes to `errors`.
 */
export function repetitionFor(
  { runs, seed }: AskedRuns,
  messages: number,
  errors: InputError[],
  shorter = 'limit --instances, such as --instances 1000',
): Pick<Repetition, 'runs' | 'seed'> | null {
  if (runs === 0) return null;
  const possible = messages <= MOST_IN_ONE_RUN ? Math.floor(MOST_MESSAGES / messages) : 0;
  if (runs === undefined) {
    return possible === 0
      ? null
      : { runs: Math.min(USUAL_RUNS, Math.max(1, Math.floor(USUAL_MESSAGES / messages))), seed };
  }
  if (runs <= possible) return { runs, seed };
  errors.push({
    code: 'out-of-range',
    path: '--runs',
    message:
      possible === 0
        ? `one run would take about ${about(messages)} messages, which is too many to simulate, got ${quote(String(runs))}`
        : `must be at most ${grouped(possible)} here, as each run takes about ${about(messages)} messages, got ${quote(String(runs))}`,
    hint:
      possible === 0
        ? `${shorter[0]?.toUpperCase() ?? ''}${shorter.slice(1)}, or take --runs 0 for what is expected without a simulation.`
        : `Lower it, ${shorter}, or take --runs 0 for what is expected without a simulation.`,
  });
  return null;
}

/** A repetition that reports its runs; null for none. */
export const reported = (repetition: Pick<Repetition, 'runs' | 'seed'> | null, report: Report | undefined) =>
  repetition && { ...repetition, progress: (share: number) => report?.('runs', share) };

const about = (messages: number): string =>
  messages < 1e15 ? grouped(Math.round(messages)) : messages.toExponential(1);
