import type { JsonValue } from '../syntax/json-read.ts';
import { decimalIn, reciprocal } from './event-numbers.ts';

/** How an event of another accountant is written here. */
export interface EventRule {
  /** The type of the mechanism here. */
  readonly type: string;
  /** Its keys here, by their names there. */
  readonly keys: Readonly<Record<string, string>>;
  /** The numbers that some keys become, where those are others. */
  readonly change?: Readonly<Record<string, (value: JsonValue) => JsonValue>>;
  /** Whether its noise is on a sum of records of bounded norm, whose sensitivity is twice that bound where one is replaced. */
  readonly ofBoundedRecords?: boolean;
  /** Keys that are always there. */
  readonly fixed?: Readonly<Record<string, JsonValue>>;
  /** Keys that must say something for the event to be that mechanism, and under what name it is refused otherwise. */
  readonly only?: Readonly<
    Record<string, { readonly where: (value: JsonValue | undefined) => boolean; readonly else: string }>
  >;
}

/** Events of dp_accounting by their classes, and how they are written here. */
export const EVENT_CLASSES: Readonly<Record<string, EventRule>> = {
  NoOpDpEvent: { type: 'dp', keys: {}, fixed: { epsilon: '0' } },
  GaussianDpEvent: { type: 'gaussian', keys: { noise_multiplier: 'sigma' }, ofBoundedRecords: true },
  LaplaceDpEvent: { type: 'laplace', keys: { noise_multiplier: 'scale' }, ofBoundedRecords: true },
  DiscreteLaplaceDpEvent: {
    type: 'discrete-laplace',
    keys: { noise_parameter: 'scale', sensitivity: 'sensitivity' },
    change: { noise_parameter: reciprocal },
    ofBoundedRecords: true,
  },
  DiscreteGaussianDpEvent: {
    type: 'discrete-gaussian',
    keys: { sigma: 'sigma', sensitivity: 'sensitivity' },
    only: { dimension: { where: (value) => decimalIn(value)?.eq(1) === true, else: 'multivariate-discrete-gaussian' } },
  },
  EpsilonDeltaDpEvent: { type: 'dp', keys: { epsilon: 'epsilon', delta: 'delta' } },
  ZCDpEvent: {
    type: 'zcdp',
    keys: { rho: 'rho' },
    only: {
      xi: { where: (value) => value === undefined || decimalIn(value)?.isZero() === true, else: 'approximate-zcdp' },
    },
  },
  ExponentialMechanismDpEvent: { type: 'exponential', keys: { epsilon: 'epsilon' } },
  PermuteAndFlipDpEvent: { type: 'permute-and-flip', keys: { epsilon: 'epsilon' } },
};

/** Events of dp_accounting that no theorem here covers, by the name under which they are refused. */
export const EVENT_CLASSES_REFUSED: Readonly<Record<string, string>> = {
  NonPrivateDpEvent: 'non-private',
  SampledWithReplacementDpEvent: 'subsampled-with-replacement',
  TruncatedSubsampledGaussianDpEvent: 'subsampled-truncated-gaussian',
  RandomizedResponseDpEvent: 'randomized-response',
  SingleEpochTreeAggregationDpEvent: 'dp-ftrl',
  RepeatAndSelectDpEvent: 'repeat-and-select',
  MixtureOfGaussiansDpEvent: 'mixture-of-gaussians',
};

/** Other names of parameters, by the type of the mechanism: noise in units of the sensitivity. */
export const PARAMETER_ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  gaussian: { noise_multiplier: 'noise-multiplier' },
  'discrete-gaussian': { noise_multiplier: 'noise-multiplier' },
  laplace: { noise_multiplier: 'scale' },
};

/** Names under which event lists say which share of the data a mechanism sees. */
export const SAMPLING_KEYS: readonly string[] = ['sampling_probability', 'sampling_rate', 'sample_rate'];

/** The attributes of classes of dp_accounting, in the order in which their constructors take them. */
export const EVENT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  GaussianDpEvent: ['noise_multiplier'],
  LaplaceDpEvent: ['noise_multiplier'],
  DiscreteLaplaceDpEvent: ['noise_parameter', 'sensitivity'],
  DiscreteGaussianDpEvent: ['sigma', 'sensitivity', 'dimension'],
  EpsilonDeltaDpEvent: ['epsilon', 'delta'],
  ZCDpEvent: ['rho', 'xi'],
  ExponentialMechanismDpEvent: ['epsilon'],
  PermuteAndFlipDpEvent: ['epsilon'],
  RandomizedResponseDpEvent: ['noise_parameter', 'num_buckets'],
  SelfComposedDpEvent: ['event', 'count'],
  ComposedDpEvent: ['events'],
  PoissonSampledDpEvent: ['sampling_probability', 'event'],
  SampledWithoutReplacementDpEvent: ['source_dataset_size', 'sample_size', 'event'],
};
