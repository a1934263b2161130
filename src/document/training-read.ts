import { lengthOfEpochs, lengthOfSteps, isWhole, type Length, type Training } from '../composition/sgd/training.ts';
import type { Decimal } from '../numeric/decimal.ts';
import { Rational } from '../numeric/rational.ts';
import type { TrainingScheme } from '../privacy/mechanism.ts';
import { ABOVE_ZERO, AT_LEAST_ZERO, MOST_RECORDS, numberOf, wholeNumbers } from '../privacy/mechanisms/parameters.ts';
import { grouped } from './core/quote.ts';
import type { InputError } from './core/specification.ts';

/** The numbers of a training, however they are given. */
export const TRAINING = {
  examples: numberOf(wholeNumbers(1), 'examples', 'number of training examples', '60000'),
  batch: numberOf(wholeNumbers(1), 'batch', 'batch size; for Poisson subsampling, the expected size', '256'),
  epochs: numberOf(ABOVE_ZERO, 'epochs', 'passes over the examples, may be fractional; steps round up', '60'),
  steps: numberOf(wholeNumbers(1), 'steps', 'batches', '14063'),
  noiseMultiplier: numberOf(
    ABOVE_ZERO,
    'noise-multiplier',
    'noise standard deviation divided by the clipping norm',
    '1.1',
    'down',
  ),
  recordsPerPerson: numberOf(
    wholeNumbers(1),
    'records-per-person',
    'most examples of one person, the unit of privacy (poisson only; default: 1)',
    '5',
  ),
  targetEpsilon: numberOf(
    AT_LEAST_ZERO,
    'target-epsilon',
    'find the smallest noise or longest training for this epsilon',
    '2',
    'down',
  ),
} as const;

/** What excludes a budget, or the limit of a risk, at `path`. */
export const besideBudget = (
  path: string,
  has: { readonly epsilon: boolean; readonly lengthAndNoise: boolean },
): InputError[] => [
  ...(has.epsilon
    ? [
        {
          code: 'conflicting-options',
          path: '--epsilon',
          message: `--epsilon stands beside ${path}`,
          hint: 'Keep --target-epsilon, with --delta.',
        } as const,
      ]
    : []),
  ...(has.lengthAndNoise
    ? [
        {
          code: 'conflicting-options',
          path,
          message: 'noise and length are both given, so there is nothing to find',
          hint: 'Omit --noise-multiplier to find the smallest noise, or --epochs (--steps) to find the longest training; omit the target to compute epsilon.',
        } as const,
      ]
    : []),
];

/** That examples are no whole number of batches, with the nearest numbers that are. */
function notWholeBatches({ examples, batch }: Training): InputError {
  const below = Math.floor(examples / batch);
  const nearest = [below, below + 1].map((t) => `--examples ${BigInt(t) * BigInt(batch)} (${grouped(t)} batches)`);
  return {
    code: 'out-of-range',
    path: '--batch',
    message: `must divide the number of examples, ${grouped(examples)}, for random allocation, got ${batch}`,
    hint: `An epoch has N/B batches. Write ${nearest.join(' or ')}, whichever number of batches your sampler uses.`,
  };
}

/** Numbers of a training as they were read, each in its range; undefined: not given, or wrong. */
export interface TrainingNumbers {
  readonly examples?: Decimal | undefined;
  readonly batch?: Decimal | undefined;
  readonly scheme?: TrainingScheme | undefined;
  readonly recordsPerPerson?: Decimal | undefined;
}

/** The training that numbers describe; null where they do not, and what is wrong goes to `errors`. */
export function readTraining(
  { examples, batch, scheme, recordsPerPerson }: TrainingNumbers,
  errors: InputError[],
): Training | null {
  const records = recordsPerPerson?.toNumber() ?? 1;
  const isOther = scheme !== undefined && scheme !== 'poisson';
  if (records > (isOther ? 1 : MOST_RECORDS)) {
    errors.push({
      code: 'conflicting-options',
      path: '--records-per-person',
      message: isOther
        ? `--records-per-person does not go with --scheme ${scheme}: there is no theorem for it here`
        : `--records-per-person is computed up to ${MOST_RECORDS}, got ${records}`,
      hint: `${isOther ? 'Use Poisson subsampling in training; or compose' : 'Compose'} all batches without sampling, with the sensitivity to all examples of a person.`,
    });
    return null;
  }
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
  const training = {
    examples: examples.toNumber(),
    batch: batch.toNumber(),
    scheme,
    ...(records > 1 && { records }),
  };
  if (scheme !== 'random-allocation' || training.examples % training.batch === 0) return training;
  errors.push(notWholeBatches(training));
  return null;
}

/** A length that a scheme has; of random allocation a part of an epoch has none. */
function wholeLength(training: Training, length: Length, path: string, errors: InputError[]): Length | null {
  if (isWhole(training, length)) return length;
  const { examples, batch } = training;
  const message =
    'must be whole epochs for random allocation: an example is in exactly one batch of an epoch, so parts of it have no loss of their own';
  const { numerator, denominator } = length.epochs;
  const epochs = (numerator + denominator - 1n) / denominator;
  const steps = grouped((epochs * BigInt(examples)) / BigInt(batch));
  const hint = `Write --epochs ${epochs} (${steps} steps); it covers a shorter run.`;
  errors.push({ code: 'out-of-range', path, message, hint });
  return null;
}

/** How long a training takes, by its steps or its epochs; null where neither is given, or wrong. */
export function readLength(
  training: Training,
  { epochs, steps }: { readonly epochs?: Decimal | undefined; readonly steps?: Decimal | undefined },
  errors: InputError[],
): Length | null {
  if (steps !== undefined) {
    return wholeLength(training, lengthOfSteps(training, steps.toNumber()), '--steps', errors);
  }
  if (epochs === undefined) return null;
  const length = lengthOfEpochs(training, Rational.ofDecimal(epochs));
  if (length === null) {
    const message = `must be so few that their steps can be counted, got ${epochs.toString()}`;
    errors.push({ code: 'out-of-range', path: '--epochs', message, hint: 'For example: --epochs 60' });
    return null;
  }
  return wholeLength(training, length, '--epochs', errors);
}
