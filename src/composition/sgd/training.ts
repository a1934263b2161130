import { Decimal } from '../../numeric/decimal.ts';
import { Rational } from '../../numeric/rational.ts';
import type { Entry, Sampled, SamplingScheme } from '../../privacy/mechanism.ts';
import { NEIGHBOURS_OF } from '../../privacy/sampling/neighbours-of.ts';
import type { Problem } from '../compose/compose.ts';

/**
 * Training by noisy gradients of batches (DP-SGD): in every step the gradients of the examples in a batch are clipped to a
 * norm C and added up, and Gaussian noise of deviation `noise` times C is added to the sum.
 */
export interface Training {
  readonly examples: number;
  /** Examples in a batch, at most all; of Poisson samples on the average. */
  readonly batch: number;
  readonly scheme: SamplingScheme;
}

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

/** One step of a run: noise on the sum of clipped gradients of a batch. */
function mechanismOf({ examples, batch, scheme, noise }: Omit<Run, 'length'>): Sampled {
  const neighbours = NEIGHBOURS_OF[scheme];
  return {
    type: 'sampled',
    of: { type: 'gaussian', sigma: noise, sensitivity: new Decimal(SENSITIVITY[neighbours]) },
    scheme,
    rate: { numerator: new Decimal(batch), denominator: new Decimal(examples) },
    neighbours,
  };
}

/** All steps of a run. */
export const entryOf = (run: Run): Entry<Sampled> => ({
  mechanism: mechanismOf(run),
  count: run.length.steps,
  kind: 'noninteractive',
  label: null,
});

/** The composition that a run is: in each step the gradients depend on the steps before. */
export const problemOf = (run: Run): Problem => ({ entries: [entryOf(run)], adaptivity: 'adaptive', order: 'any' });
