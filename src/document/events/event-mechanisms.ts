import { Decimal } from '../../numeric/decimal.ts';
import type { JsonValue } from '../syntax/json-read.ts';
import { NumberText } from '../core/number-text.ts';
import { readDecimal } from '../core/decimal-text.ts';

/** How an event of another accountant is written here. */
export interface EventRule {
  /** The type of the mechanism here. */
  readonly type: string;
  /** Its keys here, by their names there. */
  readonly keys: Readonly<Record<string, string>>;
  /** The numbers that some keys become, where those are others. */
  readonly change?: Readonly<Record<string, (value: JsonValue) => JsonValue>>;
  /** Keys that are always there. */
  readonly fixed?: Readonly<Record<string, JsonValue>>;
  /** Keys that must say something for the event to be that mechanism, and under what name it is refused otherwise. */
  readonly only?: Readonly<
    Record<string, { readonly where: (value: JsonValue | undefined) => boolean; readonly else: string }>
  >;
}

/** The decimal that a value writes; null if it is no number. */
export function decimalIn(value: JsonValue | undefined): Decimal | null {
  const text = value instanceof NumberText ? value.text : value;
  const number = typeof text === 'string' ? readDecimal(text) : null;
  return Decimal.isDecimal(number) ? number : null;
}

/** Digits to which a quotient is rounded. */
const QUOTIENT = Decimal.clone({ precision: 50, rounding: Decimal.ROUND_DOWN });

/** 1 / a to 50 digits, rounded down: less noise is claimed, never more. What is no number above 0 stays as it is. */
function reciprocal(value: JsonValue): JsonValue {
  const number = decimalIn(value);
  return number === null || number.lte(0) ? value : new QUOTIENT(1).div(number).toString();
}

/** Events of dp_accounting by their classes, and how they are written here. */
export const EVENT_CLASSES: Readonly<Record<string, EventRule>> = {
  NoOpDpEvent: { type: 'dp', keys: {}, fixed: { epsilon: '0' } },
  GaussianDpEvent: { type: 'gaussian', keys: { noise_multiplier: 'sigma' } },
  LaplaceDpEvent: { type: 'laplace', keys: { noise_multiplier: 'scale' } },
  DiscreteLaplaceDpEvent: {
    type: 'discrete-laplace',
    keys: { noise_parameter: 'scale', sensitivity: 'sensitivity' },
    change: { noise_parameter: reciprocal },
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
  PoissonSampledDpEvent: 'poisson-subsampled',
  SampledWithReplacementDpEvent: 'subsampled-with-replacement',
  SampledWithoutReplacementDpEvent: 'subsampled-without-replacement',
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
