import type { ExpertLosses } from '../../lazy/simulate/expert-weights.ts';
import { generatedLosses, LOSS_KINDS, type LossKind } from '../../lazy/simulate/losses.ts';
import { canBeListed, differences } from '../../lazy/simulate/compare-neighbours.ts';
import type { L2pSetting } from '../../lazy/core/setting.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { grouped } from '../../report/kit/prose.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Io } from '../kit/io.ts';
import { stepsOf } from '../../lazy/simulate/worst-neighbour.ts';
import { openLosses, readLosses } from './loss-file.ts';
import { NumberReader, RANGES, readSetting, type NumberFlags } from './options.ts';
import { readSeriesOption, type SeriesRange } from '../kit/series-option.ts';
import { UsageError } from '../kit/usage-error.ts';

/** The options of a simulation, as typed. */
export interface SimulateFlags extends NumberFlags {
  readonly losses?: string;
  readonly measure?: string;
  readonly neighbour?: string;
  readonly worstNeighbour?: boolean;
}

/** What is run, and how often. */
export type RunsQuestion = {
  readonly name: string;
  readonly runs: number;
  readonly seed: number;
  /** At which the epsilon of a run is stated. */
  readonly delta: Decimal;
} & (
  | {
      readonly kind: 'generated';
      readonly losses: LossKind;
      readonly setting: L2pSetting;
      readonly experts: number;
      /** How many loss sequences. */
      readonly instances: number;
    }
  /** The number of rounds is what the file says; that of the setting is as large as can be. */
  | { readonly kind: 'file'; readonly file: string; readonly setting: L2pSetting }
);

/** A search for the neighbour of a loss sequence that is told apart most. */
export interface SearchQuestion {
  readonly name: string;
  readonly setting: L2pSetting;
  readonly rounds: readonly Float64Array[];
  readonly delta: Decimal;
  readonly runs: number;
  readonly seed: number;
}

/** Two loss sequences, to be told apart. */
export interface ComparisonTask {
  readonly setting: L2pSetting;
  readonly losses: readonly ExpertLosses[];
  readonly neighbour: readonly ExpertLosses[];
  readonly epsilons: readonly Decimal[];
}

/** What is taken where nothing is given. */
export const USUAL_RUNS = 100;
export const USUAL_SEED = 1;
export const USUAL_DELTA = new Decimal('1e-6');
const USUAL_EPSILONS = '0:1:0.25';

/** More losses than this take too long to play, and more experts too much memory. */
const MOST_LOSSES = 2e9;
const MOST_EXPERTS = 1e6;

/** A search keeps all losses, and plays this many runs to choose an event, and as many again to test it. */
const USUAL_TESTS = '10000';
const MOST_SEARCHED = 2e7;
const MOST_STEPS = 1e10;

const EPSILON: SeriesRange = {
  flag: '--epsilon',
  allowed: 'a number of at least 0',
  example: '0.1',
  contains: (value) => value.gte(0) && value.lte(1000),
  step: 'sum',
};

const isKind = (text: string): text is LossKind => LOSS_KINDS.some((kind) => kind === text);

const missingLosses: InputError = {
  code: 'missing-option',
  path: '--losses',
  message: 'the losses are not given',
  hint: 'For example: --losses coins, or a file',
};

function readGenerated(losses: LossKind, reader: NumberReader, errors: InputError[], instances: number) {
  const experts = reader.required('experts', 'the number of experts d')?.toNumber();
  const setting = readSetting(reader, errors);
  if (experts === undefined || setting === undefined) return undefined;
  if (experts > MOST_EXPERTS) {
    const message = `${grouped(experts)} experts are too many to play`;
    const hint = `Take at most ${grouped(MOST_EXPERTS)}.`;
    errors.push({ code: 'too-large', path: RANGES.experts.flag, message, hint });
  }
  if (setting.rounds * experts * instances > MOST_LOSSES) {
    const times = instances === 1 ? '' : `, ${grouped(instances)} times,`;
    const message = `${grouped(setting.rounds)} rounds of ${grouped(experts)} experts${times} are too many to play`;
    const hint = `Take at most ${grouped(MOST_LOSSES)} losses in all.`;
    errors.push({ code: 'too-large', path: RANGES.rounds.flag, message, hint });
    return undefined;
  }
  return { kind: 'generated', losses, setting, experts, instances } as const;
}

function readListed(file: string, reader: NumberReader, errors: InputError[]) {
  reader.refuse(['rounds', 'experts'], 'is what the file of --losses says', 'Leave it out.');
  reader.refuse(['instances'], 'is for losses that are generated', 'Leave it out.');
  const setting = readSetting(reader, errors, Number.MAX_SAFE_INTEGER);
  return setting && ({ kind: 'file', file, setting } as const);
}

/** Options of convex losses, and measures that are not run. */
function refuseConvex(reader: NumberReader): void {
  const hint = 'Give --measure convex for linear losses on a ball.';
  reader.refuse(['dimension', 'beta', 'lambda', 'lipschitz', 'diameter'], 'belongs to convex losses', hint);
}

/** Reads what is run; `errors` are mistakes found so far, reported together with those found here. */
export function readRuns(flags: SimulateFlags, errors: readonly InputError[]): RunsQuestion {
  const found = [...errors];
  const reader = new NumberReader(flags, found);
  const runs = reader.optional('runs')?.toNumber() ?? USUAL_RUNS;
  const seed = reader.optional('seed')?.toNumber() ?? USUAL_SEED;
  const delta = reader.optional('delta') ?? USUAL_DELTA;
  const instances = reader.optional('instances')?.toNumber() ?? 1;
  refuseConvex(reader);
  reader.refuse(['epsilon'], 'belongs to --neighbour', 'Give --neighbour too, or leave it out.');
  const { losses: name } = flags;
  if (name === undefined) throw new UsageError([...found, missingLosses]);
  const read = isKind(name) ? readGenerated(name, reader, found, instances) : readListed(name, reader, found);
  if (found.length > 0 || read === undefined) throw new UsageError(found);
  return { ...read, name, runs, seed, delta };
}

async function readRounds(file: string, io: Io): Promise<Float64Array[]> {
  const rounds: Float64Array[] = [];
  for await (const { losses, line } of openLosses(file, { flag: '--losses' }, io).rows) {
    rounds.push(losses.slice());
    if (rounds.length * losses.length <= MOST_SEARCHED) continue;
    const message = `the losses to line ${grouped(line)} are more than ${grouped(MOST_SEARCHED)}`;
    throw new UsageError([{ code: 'too-large', path: '--losses', message, hint: 'Give fewer rounds.' }]);
  }
  return rounds;
}

/** Reads what is searched; `errors` are mistakes found so far, reported together with those found here. */
export async function readSearch(flags: SimulateFlags, errors: readonly InputError[], io: Io): Promise<SearchQuestion> {
  const found = [...errors];
  const whole = readRuns({ ...flags, runs: flags.runs ?? USUAL_TESTS }, found);
  const { name, delta, runs, seed } = whole;
  new NumberReader(flags, found).refuse(['instances'], 'is for runs on their own', 'Leave it out.');
  if (flags.neighbour !== undefined) {
    const message = 'is searched for by --worst-neighbour, not given';
    found.push({ code: 'conflicting-options', path: '--neighbour', message, hint: 'Keep one of them.' });
  }
  if (found.length > 0) throw new UsageError(found);
  const tooLarge = (path: string, message: string, hint: string): never => {
    throw new UsageError([{ code: 'too-large', path, message, hint }]);
  };
  let rounds: Float64Array[];
  if (whole.kind === 'file') rounds = await readRounds(whole.file, io);
  else {
    const { setting, experts, losses } = whole;
    if (setting.rounds * experts > MOST_SEARCHED) {
      const message = `${grouped(setting.rounds)} rounds of ${grouped(experts)} experts are too many to search`;
      tooLarge(RANGES.rounds.flag, message, `Take at most ${grouped(MOST_SEARCHED)} losses in all.`);
    }
    const sequence = generatedLosses(losses, { ...setting, experts, seed });
    rounds = Array.from(sequence.play(), (round) => Float64Array.from(round));
  }
  const setting = { ...whole.setting, rounds: rounds.length };
  checkBatch(setting);
  if (stepsOf(setting, runs) > MOST_STEPS) {
    tooLarge(RANGES.runs.flag, `${grouped(runs)} runs of so many batches are too many`, 'Take fewer.');
  }
  return { name, setting, rounds, delta, runs, seed };
}

/** Throws where a batch is longer than what a file has. */
export function checkBatch({ batch, rounds }: L2pSetting): void {
  if (batch <= rounds) return;
  const { flag, allowed } = RANGES.batch;
  const message = `must be ${allowed}, which is ${grouped(rounds)}, got ${grouped(batch)}`;
  const hint = 'A batch cannot be longer than all rounds together.';
  throw new UsageError([{ code: 'out-of-range', path: flag, message, hint }]);
}

function comparisonErrors(losses: readonly ExpertLosses[], neighbour: readonly ExpertLosses[]): InputError[] {
  const path = '--neighbour';
  const sizes = (rows: readonly ExpertLosses[]): string => `${rows.length} rounds of ${rows[0]?.length ?? 0} experts`;
  if (sizes(losses) !== sizes(neighbour)) {
    const message = `must have as many losses as --losses, ${sizes(losses)}, got ${sizes(neighbour)}`;
    return [{ code: 'unequal-lengths', path, message, hint: 'Change one round and nothing else.' }];
  }
  const changed = differences(losses, neighbour);
  if (changed === 1) return [];
  const message = `must differ from --losses in one round, got ${changed}`;
  return [{ code: 'out-of-range', path, message, hint: 'Neighbours differ in the losses of a single round.' }];
}

/** Reads two loss sequences; `errors` are mistakes found so far, reported together with those found here. */
export async function readComparison(
  flags: SimulateFlags,
  errors: readonly InputError[],
  io: Io,
): Promise<ComparisonTask> {
  const found = [...errors];
  const reader = new NumberReader(flags, found);
  reader.refuse(['rounds', 'experts'], 'is what the file of --losses says', 'Leave it out.');
  reader.refuse(
    ['runs', 'seed', 'instances', 'delta'],
    'is for runs, and with --neighbour nothing is run',
    'Leave it out.',
  );
  refuseConvex(reader);
  const epsilons = readSeriesOption(flags.epsilon ?? USUAL_EPSILONS, EPSILON, found);
  const { losses: name, neighbour: other } = flags;
  if (name === undefined || other === undefined) throw new UsageError([...found, missingLosses]);
  const losses = await readLosses(name, '--losses', io);
  const neighbour = await readLosses(other, '--neighbour', io);
  const setting = readSetting(reader, found, losses.length);
  found.push(...comparisonErrors(losses, neighbour));
  if (found.length > 0 || setting === undefined) throw new UsageError(found);
  const batches = Math.ceil(setting.rounds / setting.batch);
  if (canBeListed(batches, losses[0]?.length ?? 0)) return { setting, losses, neighbour, epsilons };
  const message = `${batches} batches of ${losses[0]?.length ?? 0} experts have too many outcomes to list`;
  throw new UsageError([
    { code: 'too-large', path: '--losses', message, hint: 'Give fewer rounds, or larger batches.' },
  ]);
}
