import type { ExpertLosses } from '../../lazy/simulate/expert-weights.ts';
import { generatedLosses, listedLosses, LOSS_KINDS, type LossKind } from '../../lazy/simulate/losses.ts';
import { canBeListed, differences } from '../../lazy/simulate/compare-neighbours.ts';
import type { L2pSetting } from '../../lazy/core/setting.ts';
import type { SimulationTask } from '../../lazy/simulate/simulate.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { grouped } from '../../report/kit/prose.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Io } from '../kit/io.ts';
import { readLosses } from './loss-file.ts';
import { NumberReader, RANGES, readSetting, type NumberFlags } from './options.ts';
import { readSeriesOption, type SeriesRange } from '../kit/series-option.ts';
import { UsageError } from '../kit/usage-error.ts';

/** The options of a simulation, as typed. */
export interface SimulateFlags extends NumberFlags {
  readonly losses?: string;
  readonly neighbour?: string;
}

/** Two loss sequences, to be told apart. */
export interface ComparisonTask {
  readonly setting: L2pSetting;
  readonly losses: readonly ExpertLosses[];
  readonly neighbour: readonly ExpertLosses[];
  readonly epsilons: readonly Decimal[];
}

const USUAL_RUNS = 100;
const USUAL_SEED = 1;
const USUAL_EPSILONS = '0:1:0.25';

/** More losses than this take too long to play, and more experts too much memory. */
const MOST_LOSSES = 2e9;
const MOST_EXPERTS = 1e6;

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

function readGenerated(kind: LossKind, reader: NumberReader, errors: InputError[], seed: number) {
  const experts = reader.required('experts', 'the number of experts d')?.toNumber();
  const setting = readSetting(reader, errors);
  if (experts === undefined || setting === undefined) return undefined;
  if (experts > MOST_EXPERTS) {
    const message = `${grouped(experts)} experts are too many to play`;
    const hint = `Take at most ${grouped(MOST_EXPERTS)}.`;
    errors.push({ code: 'too-large', path: RANGES.experts.flag, message, hint });
  }
  if (setting.rounds * experts > MOST_LOSSES) {
    const message = `${grouped(setting.rounds)} rounds of ${grouped(experts)} experts are too many to play`;
    const hint = `Take at most ${grouped(MOST_LOSSES)} losses in all.`;
    errors.push({ code: 'too-large', path: RANGES.rounds.flag, message, hint });
    return undefined;
  }
  return { setting, losses: generatedLosses(kind, { ...setting, experts, seed }) };
}

async function readListed(file: string, reader: NumberReader, errors: InputError[], io: Io) {
  reader.refuse(['rounds', 'experts'], 'is what the file of --losses says', 'Leave it out.');
  const losses = await readLosses(file, '--losses', io);
  const setting = readSetting(reader, errors, losses.length);
  return setting && { setting, losses: listedLosses(losses) };
}

/** Reads what is run; `errors` are mistakes found so far, reported together with those found here. */
export async function readSimulation(
  flags: SimulateFlags,
  errors: readonly InputError[],
  io: Io,
): Promise<SimulationTask> {
  const found = [...errors];
  const reader = new NumberReader(flags, found);
  const runs = reader.optional('runs')?.toNumber() ?? USUAL_RUNS;
  const seed = reader.optional('seed')?.toNumber() ?? USUAL_SEED;
  reader.refuse(['epsilon'], 'belongs to --neighbour', 'Give --neighbour too, or leave it out.');
  const { losses: name } = flags;
  if (name === undefined) throw new UsageError([...found, missingLosses]);
  const read = isKind(name) ? readGenerated(name, reader, found, seed) : await readListed(name, reader, found, io);
  if (found.length > 0 || read === undefined) throw new UsageError(found);
  return { ...read, name, runs, seed };
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
  reader.refuse(['runs', 'seed'], 'is for runs, and with --neighbour nothing is run', 'Leave it out.');
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
