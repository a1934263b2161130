import { type Length, MOST_ROWS, rowsBefore, type Training } from '../composition/sgd/training.ts';
import type { CostQuestion } from '../composition/sgd/scheme-comparison.ts';
import type { SgdQuestion } from '../composition/sgd/sgd.ts';
import { either } from '../document/core/quote.ts';
import type { InputError } from '../document/core/specification.ts';
import { besideBudget, readLength, readTraining, TRAINING } from '../document/training-read.ts';
import { parseTuningFlag } from '../document/flags/command-line.ts';
import { Rational } from '../numeric/rational.ts';
import { TRAINING_SCHEMES } from '../privacy/mechanism.ts';
import type { Query } from '../privacy/curve.ts';
import { grouped } from '../output/kit/prose.ts';
import {
  fieldOption,
  inGroup,
  numberOption,
  switchOption,
  textOption,
  wordOption,
  type ValuesOf,
} from './kit/option.ts';
import { aboveZero, atLeastZero, budgeted, probability, properFraction } from './kit/number-option.ts';
import { limitErrors, limitsOf, pathOf, RISK_LIMITS } from './kit/risk-flags.ts';
import { conflict, twoTargets, UsageError, lacking } from './kit/usage-error.ts';

/** The schemes that are told apart. */
const SCHEMES = TRAINING_SCHEMES;

const SCHEME = wordOption(
  '--scheme <SCHEME>',
  SCHEMES.join(', '),
  SCHEMES,
  'Batches of a list that is permuted in every epoch are shuffled. For draws with replacement see dpcompose help mechanisms.',
);

const missing = (path: string, message: string, hint: string): InputError => lacking(path, message, hint);

const NO_SCHEME = missing(
  '--scheme',
  'is missing and has no default: the wrong sampling scheme can understate epsilon several times',
  `Add --scheme ${either(SCHEMES)}, whichever your training code uses.`,
);

/** The options of what is trained, and of what is asked about it. */
export const SGD = {
  ...inGroup('Training:', {
    examples: fieldOption('--examples <N>', TRAINING.examples, 'the number of examples'),
    batch: fieldOption('--batch <B>', TRAINING.batch, 'the size of batches'),
    scheme: SCHEME,
    recordsPerPerson: fieldOption('--records-per-person <K>', TRAINING.recordsPerPerson),
    weights: textOption(
      '--weights <FILE>',
      'weights of a weighted Poisson sampler, one a line; the heaviest rate is used',
    ),
    compareSchemes: switchOption(
      '--compare-schemes',
      'compute the privacy loss under every scheme, in one table or chart',
    ),
    batches: textOption(
      '--batches <FILE>',
      'test recorded batches (sizes or indices) against the schemes; - for stdin',
    ),
    significance: numberOption(
      '--significance <P>',
      'p-value at which --batches contradicts a scheme (default: 1e-6)',
      properFraction,
      '1e-6',
    ),
    epochs: fieldOption('--epochs <E>', TRAINING.epochs),
    steps: fieldOption('--steps <T>', TRAINING.steps),
    noiseMultiplier: fieldOption('--noise-multiplier <S>', TRAINING.noiseMultiplier),
  }),
  ...inGroup('Hyperparameter search:', {
    tuning: textOption(
      '--tuning <LAW>',
      'also account for the best of a random number of such runs: "poisson mean=20", "geometric mean=10"',
    ),
  }),
  ...inGroup('Target:', {
    delta: numberOption('--delta <D>', 'find the smallest epsilon at this delta', budgeted(probability), '1e-5'),
    epsilon: numberOption('--epsilon <E>', 'find the smallest delta at this epsilon', budgeted(atLeastZero), '1'),
    targetEpsilon: fieldOption('--target-epsilon <E>', TRAINING.targetEpsilon),
    ...RISK_LIMITS,
    every: numberOption('--every <E>', 'print a row every E epochs (default: up to 20 rows)', aboveZero, '5'),
  }),
};

export type SgdFlags = ValuesOf<typeof SGD>;
/** Whether an option is there, right or wrong. */
export type IsTyped = (name: keyof SgdFlags) => boolean;

/** How long training takes; null where that is not given, or wrong. */
function lengthIn(
  { epochs, steps }: SgdFlags,
  isTyped: IsTyped,
  training: Training | null,
  errors: InputError[],
): Length | null {
  if (isTyped('epochs') && isTyped('steps')) {
    errors.push(conflict('--steps', '--epochs and --steps exclude each other', 'Keep one of them.'));
    return null;
  }
  return training && readLength(training, { epochs, steps }, errors);
}

/** What is asked at the end of training: epsilon at a delta, or delta at an epsilon. */
function readQuery({ delta, epsilon }: SgdFlags, isTyped: IsTyped, errors: InputError[]): Query | null {
  if (isTyped('delta') && isTyped('epsilon')) {
    errors.push(twoTargets('computed', 'Keep one of them. A budget is --target-epsilon with --delta.'));
    return null;
  }
  if (!isTyped('delta') && !isTyped('epsilon')) {
    const message = 'the target is missing: give a delta or an epsilon';
    errors.push({ code: 'no-target', path: '--delta', message, hint: 'Add --delta 1e-5 (or --epsilon 1).' });
  }
  if (delta !== undefined) return { solveFor: 'epsilon', delta };
  return epsilon === undefined ? null : { solveFor: 'delta', epsilon };
}

/** The options that belong to a budget, or to a limit of a risk; `path`: the one that says it. */
function budgetErrors(isTyped: IsTyped, path: string): InputError[] {
  const hasLength = isTyped('epochs') || isTyped('steps');
  const hasNoise = isTyped('noiseMultiplier');
  return [
    ...besideBudget(path, { epsilon: isTyped('epsilon'), lengthAndNoise: hasLength && hasNoise }),
    ...(hasLength || hasNoise
      ? []
      : [
          missing(
            '--noise-multiplier',
            'neither noise nor length is given, so neither can be found',
            'Add --epochs 60 for the smallest noise, or --noise-multiplier 1.1 for the longest training.',
          ),
        ]),
  ];
}

/** The options that belong to a cost. */
function costErrors(isTyped: IsTyped): InputError[] {
  const find = 'or --target-epsilon to have it found.';
  const noise = 'the noise multiplier is missing';
  const length = 'the length of training is missing';
  return [
    ...(isTyped('noiseMultiplier')
      ? []
      : [missing('--noise-multiplier', noise, `Add --noise-multiplier 1.1, ${find}`)]),
    ...(isTyped('epochs') || isTyped('steps')
      ? []
      : [missing('--epochs', length, `Add --epochs 60 (or --steps 14063), ${find}`)]),
  ];
}

function readEvery({ every }: SgdFlags, length: Length | null, errors: InputError[]): Rational | null {
  if (every === undefined) return null;
  const distance = Rational.ofDecimal(every);
  if (length !== null && rowsBefore(length, distance) >= BigInt(MOST_ROWS)) {
    const message = `must leave at most ${grouped(MOST_ROWS)} rows, got ${every.toString()}`;
    errors.push({ code: 'too-many-values', path: '--every', message, hint: 'Take a larger distance.' });
  }
  return distance;
}

/** What is compared: a cost, for which a scheme and a budget mean nothing. */
export function comparedQuestion(flags: SgdFlags, isTyped: IsTyped, before: readonly InputError[]): CostQuestion {
  const errors = [...before];
  const stray = (
    [
      'targetEpsilon',
      'maxAdvantage',
      'maxTpr',
      'every',
      'scheme',
      'recordsPerPerson',
      'weights',
      'batches',
      'tuning',
    ] as const
  ).filter(isTyped);
  for (const name of stray) {
    const message = `${SGD[name].flags.split(' ')[0]!} does not go with --compare-schemes`;
    errors.push(conflict('--compare-schemes', message, 'It computes epsilon or delta of the whole training.'));
  }
  const training = readTraining({ ...flags, scheme: 'poisson' }, errors);
  const length = lengthIn(flags, isTyped, training, errors);
  errors.push(...costErrors(isTyped));
  const query = readQuery(flags, isTyped, errors);
  const noise = flags.noiseMultiplier;
  if (errors.length > 0 || training === null || length === null || query === null || noise === undefined) {
    throw new UsageError(errors);
  }
  return { kind: 'cost', training, noise, length, query, every: null };
}

/** The number of examples and the size of batches that are claimed. */
export function claimedBatches(
  { examples, batch }: SgdFlags,
  before: readonly InputError[],
): Pick<Training, 'examples' | 'batch'> {
  const errors = [...before];
  const training = readTraining({ examples, batch, scheme: 'poisson' }, errors);
  if (errors.length > 0 || training === null) throw new UsageError(errors);
  return training;
}

/** The options that ask for the account of a training. */
const ACCOUNT = [
  'epochs',
  'steps',
  'noiseMultiplier',
  'delta',
  'epsilon',
  'targetEpsilon',
  'maxAdvantage',
  'maxTpr',
  'every',
  'tuning',
] as const;

/** Whether the account of a training is asked for, besides what its batches say. */
export const asksForAccount = (isTyped: IsTyped): boolean => ACCOUNT.some(isTyped);

/** That weights stand where they mean nothing; null where they do not. */
export function strayWeights(isTyped: IsTyped, { scheme }: Pick<SgdFlags, 'scheme'>): InputError | null {
  const stray = (['recordsPerPerson', 'batches', 'compareSchemes'] as const).find(isTyped);
  if (stray === undefined && scheme === 'poisson') return null;
  const name = stray === undefined ? `--scheme ${scheme ?? 'SCHEME'}` : SGD[stray].flags.split(' ')[0]!;
  const hint = 'Weights are those of a Poisson sampler, and one example is the unit of privacy.';
  return conflict('--weights', `--weights does not go with ${name}`, hint);
}

/**
 * What is asked; `before` are mistakes found so far, reported together with those found here.
 *
 * @param heaviest - the rate of the heaviest example, where weights are given
 */
export function sgdQuestion(
  flags: SgdFlags,
  isTyped: IsTyped,
  before: readonly InputError[],
  heaviest: Rational | null = null,
): SgdQuestion {
  const errors = [...before];
  if (!isTyped('scheme')) errors.push(NO_SCHEME);
  const uniform = readTraining(flags, errors);
  const training = uniform && { ...uniform, ...(heaviest && { heaviest }) };
  const length = lengthIn(flags, isTyped, training, errors);
  const { noiseMultiplier: noise, delta, targetEpsilon: target } = flags;
  const every = readEvery(flags, length, errors);
  const [limit, ...more] = limitsOf(flags);
  const path = limit === undefined ? '--target-epsilon' : pathOf(limit);
  const isBudget = isTyped('targetEpsilon') || limit !== undefined;
  errors.push(...(isBudget ? budgetErrors(isTyped, path) : costErrors(isTyped)));
  if (limit !== undefined) errors.push(...limitErrors(limit, more, { epsilon: target, delta }));
  if (isBudget && limit === undefined && !isTyped('delta')) {
    errors.push(lacking('--delta', 'the delta of the budget is missing', 'For example: --delta 1e-5'));
  }
  const query = isBudget ? null : readQuery(flags, isTyped, errors);
  const { value: tuning, errors: mistakes } = parseTuningFlag(flags.tuning);
  errors.push(...mistakes);
  if (isBudget && isTyped('tuning')) {
    const hint =
      'Find noise or steps for a smaller target, then add --tuning to the run and read what the search costs.';
    errors.push(conflict('--tuning', `--tuning stands beside ${path}`, hint));
  }
  if (errors.length > 0 || training === null) throw new UsageError(errors);
  if (query !== null && noise !== undefined && length !== null) {
    return { kind: 'cost', training, noise, length, query, every: every ?? 'usual', ...(tuning && { tuning }) };
  }
  const budget = limit ?? (target !== undefined && delta !== undefined ? { epsilon: target, delta } : null);
  if (budget !== null && length !== null) return { kind: 'noise', training, length, budget, every };
  if (budget !== null && noise !== undefined) return { kind: 'steps', training, noise, budget, every };
  throw new Error('A question without a mistake has nothing that is asked.');
}
