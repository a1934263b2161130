import type { SgdQuestion } from '../../composition/sgd/sgd.ts';
import { MOST_ROWS, rowsBefore } from '../../composition/sgd/milestones.ts';
import { lengthOfEpochs, lengthOfSteps, type Length, type Training } from '../../composition/sgd/training.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { Rational } from '../../numeric/rational.ts';
import type { SamplingScheme } from '../../privacy/mechanism.ts';
import type { Query } from '../../privacy/query.ts';
import { NEIGHBOURS_OF } from '../../privacy/sampling/neighbours-of.ts';
import { either } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { grouped } from '../../report/kit/prose.ts';
import {
  aboveZero,
  atLeastZero,
  probability,
  readNumberOption,
  requireNumberOption,
  wholeNumber,
  type NumberRange,
  budgeted,
} from '../kit/number-option.ts';
import { limitErrors, pathOf, readRiskFlags, type RiskFlags } from '../kit/risk-flags.ts';
import { readOneOf } from '../kit/one-of.ts';
import { UsageError } from '../kit/usage-error.ts';

/** The options of `sgd`, as typed. */
export interface SgdFlags extends RiskFlags {
  readonly examples?: string;
  readonly batch?: string;
  readonly epochs?: string;
  readonly steps?: string;
  readonly noiseMultiplier?: string;
  readonly scheme?: string;
  readonly delta?: string;
  readonly epsilon?: string;
  readonly targetEpsilon?: string;
  readonly every?: string;
}

/** The schemes that are told apart. */
export const SCHEMES = Object.keys(NEIGHBOURS_OF) as readonly SamplingScheme[];

const RANGES = {
  examples: wholeNumber('--examples', '60000'),
  batch: wholeNumber('--batch', '256'),
  epochs: aboveZero('--epochs', '60'),
  steps: wholeNumber('--steps', '14063'),
  noise: budgeted(aboveZero)('--noise-multiplier', '1.1'),
  delta: budgeted(probability)('--delta', '1e-5'),
  epsilon: budgeted(atLeastZero)('--epsilon', '1'),
  target: budgeted(atLeastZero)('--target-epsilon', '2'),
  every: aboveZero('--every', '5'),
} satisfies Readonly<Record<string, NumberRange>>;

const SCHEME = {
  flag: '--scheme',
  words: SCHEMES,
  hint: 'Batches of a list that is permuted in every epoch are shuffled.',
};

const conflict = (path: string, message: string, hint: string): InputError => ({
  code: 'conflicting-options',
  path,
  message,
  hint,
});

function readScheme({ scheme }: SgdFlags, errors: InputError[]): SamplingScheme | undefined {
  if (scheme === undefined) {
    errors.push({
      code: 'missing-option',
      path: SCHEME.flag,
      message:
        'how batches are drawn is not given, and has no default: accounting one scheme as another can understate epsilon several times',
      hint: `Add --scheme ${either(SCHEMES)}, as the program that trains draws them.`,
    });
  }
  return readOneOf(scheme, SCHEME, errors);
}

function readTraining(flags: SgdFlags, errors: InputError[]): Training | null {
  const examples = requireNumberOption(flags.examples, RANGES.examples, 'the number of examples', errors);
  const batch = requireNumberOption(flags.batch, RANGES.batch, 'the size of batches', errors);
  const scheme = readScheme(flags, errors);
  if (examples !== undefined && batch?.gt(examples) === true) {
    errors.push({
      code: 'out-of-range',
      path: '--batch',
      message: `must be at most the number of examples, ${grouped(BigInt(examples.toFixed()))}, got ${batch.toFixed()}`,
      hint: 'Give the number of all training examples, and of those in one batch.',
    });
    return null;
  }
  if (examples === undefined || batch === undefined || scheme === undefined) return null;
  return { examples: examples.toNumber(), batch: batch.toNumber(), scheme };
}

/** How long training takes; null where that is not given, or wrong. */
function readLength(flags: SgdFlags, training: Training | null, errors: InputError[]): Length | null {
  const epochs = readNumberOption(flags.epochs, RANGES.epochs, errors);
  const steps = readNumberOption(flags.steps, RANGES.steps, errors);
  if (flags.epochs !== undefined && flags.steps !== undefined) {
    errors.push(conflict('--steps', '--epochs and --steps both say how long training takes', 'Keep one of them.'));
    return null;
  }
  if (training === null) return null;
  if (steps !== undefined) return lengthOfSteps(training, steps.toNumber());
  if (epochs === undefined) return null;
  const length = lengthOfEpochs(training, Rational.ofDecimal(epochs));
  if (length === null) {
    const message = `must be so few that their steps can be counted, got ${epochs.toString()}`;
    errors.push({ code: 'out-of-range', path: '--epochs', message, hint: 'For example: --epochs 60' });
  }
  return length;
}

/** What is asked at the end of training: epsilon at a delta, or delta at an epsilon. */
function readQuery(
  { delta, epsilon }: { readonly delta: Decimal | undefined; readonly epsilon: Decimal | undefined },
  flags: SgdFlags,
  errors: InputError[],
): Query | null {
  if (flags.delta !== undefined && flags.epsilon !== undefined) {
    const message = '--delta and --epsilon exclude each other: one is given, the other is computed';
    const hint = 'Keep one of them. A budget is --target-epsilon with --delta.';
    errors.push({ code: 'two-targets', path: '--epsilon', message, hint });
    return null;
  }
  if (flags.delta === undefined && flags.epsilon === undefined) {
    const message = 'nothing says what to compute: epsilon at a delta, or delta at an epsilon';
    errors.push({ code: 'no-target', path: '--delta', message, hint: 'Add --delta 1e-5 (or --epsilon 1).' });
  }
  if (delta !== undefined) return { solveFor: 'epsilon', delta };
  return epsilon === undefined ? null : { solveFor: 'delta', epsilon };
}

/** The options that belong to a budget, or to a limit of a risk; `path`: the one that says it. */
function budgetErrors(flags: SgdFlags, path: string): InputError[] {
  const hasLength = flags.epochs !== undefined || flags.steps !== undefined;
  const hasNoise = flags.noiseMultiplier !== undefined;
  return [
    ...(flags.epsilon === undefined
      ? []
      : [conflict('--epsilon', `--epsilon stands beside ${path}`, 'Keep --target-epsilon, with --delta.')]),
    ...(hasLength && hasNoise
      ? [
          conflict(
            path,
            'nothing is left to be found: noise and length are both given',
            'Leave out --noise-multiplier for the smallest noise, or --epochs (--steps) for the longest training; leave out the target for the cost.',
          ),
        ]
      : []),
    ...(hasLength || hasNoise
      ? []
      : [
          {
            code: 'missing-option' as const,
            path: '--noise-multiplier',
            message: 'neither noise nor length is given, so that neither can be found',
            hint: 'Add --epochs 60 for the smallest noise, or --noise-multiplier 1.1 for the longest training.',
          },
        ]),
  ];
}

/** The options that belong to a cost. */
function costErrors(flags: SgdFlags): InputError[] {
  const find = 'or --target-epsilon to have it found.';
  return [
    ...(flags.noiseMultiplier === undefined
      ? [
          {
            code: 'missing-option' as const,
            path: '--noise-multiplier',
            message: 'the deviation of the noise over the clipping norm is not given',
            hint: `Add --noise-multiplier 1.1, ${find}`,
          },
        ]
      : []),
    ...(flags.epochs === undefined && flags.steps === undefined
      ? [
          {
            code: 'missing-option' as const,
            path: '--epochs',
            message: 'how long training takes is not given',
            hint: `Add --epochs 60 (or --steps 14063), ${find}`,
          },
        ]
      : []),
  ];
}

function readEvery(flags: SgdFlags, length: Length | null, errors: InputError[]): Rational | null {
  const every = readNumberOption(flags.every, RANGES.every, errors);
  if (every === undefined) return null;
  const distance = Rational.ofDecimal(every);
  if (length !== null && rowsBefore(length, distance) >= BigInt(MOST_ROWS)) {
    const message = `must leave at most ${grouped(MOST_ROWS)} rows, got ${every.toString()}`;
    errors.push({ code: 'too-many-values', path: '--every', message, hint: 'Take a larger distance.' });
  }
  return distance;
}

/** Reads what is asked; `before` are mistakes found so far, reported together with those found here. */
export function readSgdQuestion(flags: SgdFlags, before: readonly InputError[]): SgdQuestion {
  const errors = [...before];
  const training = readTraining(flags, errors);
  const length = readLength(flags, training, errors);
  const noise = readNumberOption(flags.noiseMultiplier, RANGES.noise, errors);
  const delta = readNumberOption(flags.delta, RANGES.delta, errors);
  const epsilon = readNumberOption(flags.epsilon, RANGES.epsilon, errors);
  const target = readNumberOption(flags.targetEpsilon, RANGES.target, errors);
  const every = readEvery(flags, length, errors);
  const [limit, ...more] = readRiskFlags(flags, errors);
  const path = limit === undefined ? '--target-epsilon' : pathOf(limit);
  const isBudget = flags.targetEpsilon !== undefined || limit !== undefined;
  errors.push(...(isBudget ? budgetErrors(flags, path) : costErrors(flags)));
  if (limit !== undefined) errors.push(...limitErrors(limit, more, { epsilon: target, delta }));
  if (isBudget && limit === undefined && flags.delta === undefined) {
    const message = 'the delta of the budget is not given';
    errors.push({ code: 'missing-option', path: '--delta', message, hint: 'For example: --delta 1e-5' });
  }
  const query = isBudget ? null : readQuery({ delta, epsilon }, flags, errors);
  if (errors.length > 0 || training === null) throw new UsageError(errors);
  if (query !== null && noise !== undefined && length !== null) {
    return { kind: 'cost', training, noise, length, query, every: every ?? 'usual' };
  }
  const budget = limit ?? (target !== undefined && delta !== undefined ? { epsilon: target, delta } : null);
  if (budget !== null && length !== null) return { kind: 'noise', training, length, budget, every };
  if (budget !== null && noise !== undefined) return { kind: 'steps', training, noise, budget, every };
  throw new Error('A question without a mistake has nothing that is asked.');
}
