import { Decimal, ONE } from '../../numeric/decimal.ts';
import { Rational } from '../../numeric/rational.ts';
import type { Entry, Fraction, Sampled, TrainingScheme } from '../../privacy/mechanism.ts';
import { NEIGHBOURS_OF } from '../../privacy/sampling/rate.ts';
import type { Problem } from '../compose/compose.ts';

/**
 * Training by noisy gradients of batches (DP-SGD): in every step the gradients of the examples in a batch are clipped to a
 * norm C and added up, and Gaussian noise of deviation `noise` times C is added to the sum.
 */
export interface Training {
  readonly examples: number;
  /** Examples in a batch, at most all; of Poisson samples and of random allocation on the average. */
  readonly batch: number;
  readonly scheme: TrainingScheme;
  /** Of Poisson samples: the most examples of one person, who is the unit of privacy; absent: one example is. */
  readonly records?: number;
  /** Of a weighted Poisson sampler: the probability of the heaviest example; absent: that of all, B / N. */
  readonly heaviest?: Rational;
}

/** The probability that an example is in a batch, at most. */
export const rateOf = ({ batch, examples, heaviest }: Pick<Training, 'batch' | 'examples' | 'heaviest'>): Rational =>
  heaviest ?? Rational.of(batch, examples);

/** How long training takes. */
export interface Length {
  readonly steps: number;
  /** Those asked for, of which the last step may end beyond; or those that the steps are. */
  readonly epochs: Rational;
}

/** Training of which nothing is left open. */
export interface Run extends Training {
  /** The deviation of the noise over the clipping norm. */
  readonly noise: Decimal;
  readonly length: Length;
}

/** The steps of one mechanism that is composed: the N / B of an epoch of random allocation, where B divides N; else one. */
export const stepsOfUnit = ({ examples, batch, scheme }: Training): number =>
  scheme === 'random-allocation' ? examples / batch : 1;

/** Whether a length is one that a scheme has: random allocation is of whole epochs. */
export const isWhole = ({ scheme }: Training, { epochs }: Length): boolean =>
  scheme !== 'random-allocation' || epochs.denominator === 1n;

/** The steps that `epochs` take: ceil(epochs N / B), exactly; null where they are more than a count may be. */
export function lengthOfEpochs({ examples, batch }: Training, epochs: Rational): Length | null {
  const { numerator, denominator } = epochs.times(Rational.of(examples, batch));
  const steps = Number((numerator + denominator - 1n) / denominator);
  return Number.isSafeInteger(steps) ? { steps, epochs } : null;
}

/** Steps, and the epochs that they are. */
export const lengthOfSteps = ({ examples, batch }: Training, steps: number): Length => ({
  steps,
  epochs: Rational.of(BigInt(steps) * BigInt(batch), examples),
});

/**
 * The most that the sum of clipped gradients differs by between neighbours, in clipping norms: an example more or less has one
 * gradient, one that is replaced takes its own away and brings another.
 */
export const SENSITIVITY = { 'add-remove': 1, 'replace-one': 2 } as const;

const asDecimal = (value: bigint): Decimal => new Decimal(value.toString());

function rateInDecimals({ batch, examples, heaviest }: Training): Fraction {
  if (heaviest === undefined) return { numerator: new Decimal(batch), denominator: new Decimal(examples) };
  return { numerator: asDecimal(heaviest.numerator), denominator: asDecimal(heaviest.denominator) };
}

/** One step of a run, of random allocation one epoch: noise on the sums of clipped gradients of batches. */
function mechanismOf(run: Omit<Run, 'length'>): Sampled {
  const { scheme, noise, records = 1 } = run;
  const neighbours = NEIGHBOURS_OF[scheme];
  const batches = new Decimal(stepsOfUnit(run));
  return {
    type: 'sampled',
    of: { type: 'gaussian', sigma: noise, sensitivity: new Decimal(SENSITIVITY[neighbours]) },
    scheme,
    ...(scheme === 'random-allocation'
      ? { rate: { numerator: ONE, denominator: batches }, batches }
      : { rate: rateInDecimals(run) }),
    ...(records === 1 ? {} : { records: new Decimal(records) }),
    neighbours,
  };
}

/** All steps of a run; random allocation as its epochs. */
export const entryOf = (run: Run): Entry<Sampled> => ({
  mechanism: mechanismOf(run),
  count: run.length.steps / stepsOfUnit(run),
  kind: 'noninteractive',
  label: null,
});

/** The composition that a run is: in each step the gradients depend on the steps before. */
export const problemOf = (run: Run): Problem => ({ entries: [entryOf(run)], adaptivity: 'adaptive', order: 'any' });

/** More rows are not computed. */
export const MOST_ROWS = 1000;
/** So many rows say how a cost grows. */
const USUAL_ROWS = 20;
/** Training of fewer epochs is looked at inside an epoch too. */
const FEW_EPOCHS = 3;
/** The distances 1, 2 and 5 times a power of ten, the smallest first. */
const DISTANCES = Array.from({ length: 48 }, (_, i) => {
  const power = Math.floor(i / 3) - 3;
  const digit = [1, 2, 5][i % 3]!;
  return power < 0 ? Rational.of(digit, 10 ** -power) : Rational.of(digit * 10 ** power);
});

/** The distance in epochs at which at most twenty rows reach the end. */
function usualDistance({ length: { epochs } }: Run): Rational {
  const shortest = epochs.compare(Rational.of(FEW_EPOCHS)) < 0 ? Rational.ZERO : Rational.ONE;
  const roundDistance = DISTANCES.find(
    (distance) => distance.compare(shortest) >= 0 && epochs.compare(distance.times(Rational.of(USUAL_ROWS))) <= 0,
  );
  return roundDistance ?? epochs;
}

/** How many distances lie before the end of a length. */
export function rowsBefore({ epochs }: Length, every: Rational): bigint {
  const { numerator, denominator } = epochs.over(every);
  return (numerator - 1n) / denominator;
}

/**
 * Lengths of training from the beginning on, `every` so many epochs (as usual where those are too many), each of more steps than
 * the one before; the end is left out.
 */
export function milestones(run: Run, every: Rational | 'usual'): Length[] {
  const ownDistance = every !== 'usual' && rowsBefore(run.length, every) < BigInt(MOST_ROWS) ? every : null;
  const distance = ownDistance ?? usualDistance(run);
  const all = Array.from({ length: Number(rowsBefore(run.length, distance)) }, (_, i) =>
    lengthOfEpochs(run, distance.times(Rational.of(i + 1))),
  );
  const before = all.filter(
    (length): length is Length => length !== null && length.steps < run.length.steps && isWhole(run, length),
  );
  return before.filter(({ steps }, i) => steps !== before[i - 1]?.steps);
}
