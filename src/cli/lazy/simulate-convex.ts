import { guaranteeAt, type GuaranteeAt } from '../../lazy/accounting/guarantee-at.ts';
import { isWithoutY } from '../../lazy/core/setting.ts';
import { LOSS_KINDS, type LossKind } from '../../lazy/simulate/losses.ts';
import {
  simulateConvex,
  type ConvexSimulation,
  type ConvexSimulationTask,
} from '../../lazy/simulate/simulate-convex.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { grouped } from '../../report/kit/prose.ts';
import type { InputError } from '../../document/core/specification.ts';
import { readOneOf } from '../kit/one-of.ts';
import { UsageError } from '../kit/usage-error.ts';
import { NumberReader, RANGES, readMeasure, readSetting } from './options.ts';
import { USUAL_DELTA, USUAL_RUNS, USUAL_SEED, type SimulateFlags } from './simulate-question.ts';

/** What is run, and where the epsilon of a run is stated. */
export interface ConvexQuestion extends ConvexSimulationTask {
  readonly delta: Decimal;
}

/** Runs on linear losses, and their privacy. */
export interface SimulatedConvex {
  readonly question: ConvexQuestion;
  readonly found: ConvexSimulation;
  readonly privacy: GuaranteeAt;
}

/** More than this takes too long to play, and more points too much memory. */
const MOST_PRODUCTS = 2e9;
const MOST_COORDINATES = 2e7;
const MOST_DIMENSIONS = 100_000;

function tooLarge({ setting, dimension, runs }: ConvexSimulationTask): InputError[] {
  const error = (path: string, message: string, hint: string): InputError[] => [
    { code: 'too-large', path, message, hint },
  ];
  if (dimension > MOST_DIMENSIONS) {
    const message = `${grouped(dimension)} dimensions are too many to play`;
    return error(RANGES.dimension.flag, message, `Take at most ${grouped(MOST_DIMENSIONS)}.`);
  }
  if (setting.rounds * dimension > MOST_PRODUCTS) {
    const message = `${grouped(setting.rounds)} rounds of ${grouped(dimension)} dimensions are too many to play`;
    return error(RANGES.rounds.flag, message, `Take at most ${grouped(MOST_PRODUCTS)} coordinates in all.`);
  }
  if (runs * dimension > MOST_COORDINATES) {
    const message = `${grouped(runs)} runs in ${grouped(dimension)} dimensions are too many`;
    return error(RANGES.runs.flag, message, 'Take fewer.');
  }
  return [];
}

/** Reads what is run with --measure convex; `errors` are mistakes found so far, reported together with those found here. */
export function readConvex(flags: SimulateFlags, errors: readonly InputError[]): ConvexQuestion {
  const found = [...errors];
  const reader = new NumberReader(flags, found);
  const runs = reader.optional('runs')?.toNumber() ?? USUAL_RUNS;
  const seed = reader.optional('seed')?.toNumber() ?? USUAL_SEED;
  const delta = reader.optional('delta') ?? USUAL_DELTA;
  reader.refuse(['experts'], 'belongs to experts, not to convex losses', 'Leave it out.');
  reader.refuse(['instances', 'epsilon'], 'is for experts, not for convex losses', 'Leave it out.');
  for (const [flag, given] of [
    ['--neighbour', flags.neighbour],
    ['--worst-neighbour', flags.worstNeighbour],
  ] as const) {
    if (given === undefined) continue;
    const message = 'is for experts, not for convex losses';
    found.push({ code: 'conflicting-options', path: flag, message, hint: 'Leave it out.' });
  }
  const hint = 'Files are for experts; linear losses are generated.';
  const kind: LossKind | undefined =
    flags.losses === undefined
      ? undefined
      : readOneOf(flags.losses, { flag: '--losses', words: LOSS_KINDS, hint }, found);
  if (flags.losses === undefined) {
    const message = 'the losses are not given';
    found.push({ code: 'missing-option', path: '--losses', message, hint: 'For example: --losses coins' });
  }
  const dimension = reader.required('dimension', 'the dimension of the ball')?.toNumber();
  const setting = readSetting(reader, found);
  const measure = readMeasure(flags.measure, reader, found);
  if (setting && isWithoutY(setting)) {
    const message = 'is for multiplicative weights on experts: other measures need y';
    found.push({ code: 'conflicting-options', path: RANGES.c.flag, message, hint: 'Give --p.' });
  }
  if (
    found.length > 0 ||
    kind === undefined ||
    dimension === undefined ||
    setting === undefined ||
    isWithoutY(setting) ||
    measure?.type !== 'regularised-multiplicative-weights'
  ) {
    throw new UsageError(found);
  }
  const question = { setting, measure, dimension, kind, runs, seed, delta };
  const large = tooLarge(question);
  if (large.length > 0) throw new UsageError(large);
  return question;
}

/** Runs what was asked for, and states the privacy of a run. */
export function runConvex(question: ConvexQuestion, progress?: (share: number) => void): SimulatedConvex {
  const found = simulateConvex(question, progress);
  return { question, found, privacy: guaranteeAt(question.setting, question.measure, question.delta) };
}
