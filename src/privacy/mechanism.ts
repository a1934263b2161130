import type { Decimal } from '../numeric/decimal.ts';

/** How a mechanism is used: one answer, a conversation on static data, or a conversation with dataset updates. */
export const MECHANISM_KINDS = ['noninteractive', 'interactive', 'continual'] as const;
export type MechanismKind = (typeof MECHANISM_KINDS)[number];

/** (epsilon, delta)-differential privacy. */
export interface ApproximateDp {
  readonly type: 'dp';
  readonly epsilon: Decimal;
  readonly delta: Decimal;
}

/** epsilon-bounded range: the exponential mechanism that samples y with weight exp(epsilon u(x,y) / range(u)). */
export interface BoundedRange {
  readonly type: 'bounded-range';
  readonly epsilon: Decimal;
}

/** Laplace noise of the given scale on a statistic of the given sensitivity: (sensitivity / scale)-DP. */
export interface Laplace {
  readonly type: 'laplace';
  readonly scale: Decimal;
  readonly sensitivity: Decimal;
  /** Where it is given by epsilon = sensitivity / scale alone; then the scale is 1, and says nothing of the noise. */
  readonly byEpsilon?: true;
}

/** How the sigma of noise was written, where not as a number: as a multiple of the sensitivity, or by what it is for. */
export interface SigmaForm {
  /** sigma / sensitivity. */
  readonly noiseMultiplier: Decimal;
  /** The (epsilon, delta) from which it was computed; null where it was written itself. */
  readonly guarantee: { readonly epsilon: Decimal; readonly delta: Decimal } | null;
}

/** A quotient of two whole numbers, the denominator above 0. */
export interface Fraction {
  readonly numerator: Decimal;
  readonly denominator: Decimal;
}

/** Gaussian noise that was written by its variance: `sigma` is the root of it, rounded down (see `sigmaOfVariance`). */
export interface VarianceForm {
  /** Above 0. */
  readonly variance: Fraction;
}

/** Gaussian noise of standard deviation sigma on a statistic of the given (Euclidean) sensitivity. */
export interface Gaussian {
  readonly type: 'gaussian';
  readonly sigma: Decimal;
  readonly sensitivity: Decimal;
  /** See `sigmaForm` and `varianceOf`. */
  readonly written?: SigmaForm | VarianceForm;
}

/** Discrete Laplace noise, P(z) proportional to e^(-|z| / scale) on the whole numbers; the sensitivity is a whole number. */
export interface DiscreteLaplace {
  readonly type: 'discrete-laplace';
  readonly scale: Decimal;
  readonly sensitivity: Decimal;
}

/** Discrete Gaussian noise, P(z) proportional to e^(-z^2 / 2 sigma^2); the sensitivity is a whole number. */
export interface DiscreteGaussian {
  readonly type: 'discrete-gaussian';
  readonly sigma: Decimal;
  readonly sensitivity: Decimal;
  /** See `sigmaForm` and `varianceOf`. */
  readonly written?: SigmaForm | VarianceForm;
}

/** A point of a trade-off function: of the tests whose type I error is alpha, the best has the type II error beta. */
export interface TradeOffPoint {
  /** From 0 to 1. */
  readonly alpha: Decimal;
  /** From 0 to 1. */
  readonly beta: Decimal;
}

/** A finite pair that was written by the corners of a trade-off function (see `tradeOffPair`). */
export interface TradeOffForm {
  readonly points: readonly TradeOffPoint[];
}

/** either: neighbours may stand in either order, mechanism by mechanism; fixed: in one order throughout. */
export const DIRECTIONS = ['either', 'fixed'] as const;

/** A mechanism dominated by the pair (p, q) on finitely many outcomes, each list summing to 1. */
export interface FinitePairMechanism {
  readonly type: 'finite-pair';
  readonly p: readonly Decimal[];
  readonly q: readonly Decimal[];
  readonly direction: (typeof DIRECTIONS)[number];
  /** See `tradeOffPoints`. */
  readonly written?: TradeOffForm;
}

/** delta-approximate rho-zero-concentrated differential privacy; with a delta it answers once only. */
export interface Zcdp {
  readonly type: 'zcdp';
  readonly rho: Decimal;
  /** Absent: 0. */
  readonly delta?: Decimal;
}

/** Renyi differential privacy at one or more orders alpha > 1, sorted by alpha; the last may be Infinity. */
export interface Rdp {
  readonly type: 'rdp';
  readonly orders: readonly { readonly alpha: Decimal; readonly epsilon: Decimal }[];
}

/** mu-Gaussian differential privacy. */
export interface Gdp {
  readonly type: 'gdp';
  readonly mu: Decimal;
}

/**
 * How the records that a mechanism sees are drawn: each with the same probability, on its own (poisson); as many as the rate
 * says, every set of so many being as likely (without-replacement); one by one, so many times, each time any of them (with-replacement); each in as many batches of an epoch as is said, every set of
 * batches being as likely, for each record on its own (random-allocation): a mechanism is an epoch; each in one batch of every
 * epoch, by a permutation (shuffled), of which no more than a lower bound is known here.
 */
export const SAMPLING_SCHEMES = [
  'poisson',
  'without-replacement',
  'with-replacement',
  'random-allocation',
  'shuffled',
] as const;
export type SamplingScheme = (typeof SAMPLING_SCHEMES)[number];
/** Those of batches in training. */
export const TRAINING_SCHEMES = ['poisson', 'without-replacement', 'random-allocation', 'shuffled'] as const;
export type TrainingScheme = (typeof TRAINING_SCHEMES)[number];
/** Those of which a mechanism is one step. */
export type StepScheme = Exclude<SamplingScheme, 'random-allocation'>;

/** Which data are neighbouring: one has a record more than the other, or they differ in the value of one record. */
export const RELATIONS = ['add-remove', 'replace-one'] as const;
export type Neighbours = (typeof RELATIONS)[number];

/** Mechanisms that may be run on a sample. */
export type SampledBase =
  ApproximateDp | Laplace | Gaussian | DiscreteLaplace | DiscreteGaussian | FinitePairMechanism | Gdp;

/** A mechanism that is run on a sample of the records, drawn afresh for every run, and not shown. */
export interface Sampled {
  readonly type: 'sampled';
  /** The mechanism on the sample: noise of this sensitivity under the same relation of neighbours. */
  readonly of: SampledBase;
  readonly scheme: SamplingScheme;
  /** From 0 to 1: the probability that a record is in the sample; of random allocation, in a batch; with replacement, that it is drawn next. */
  readonly rate: Fraction;
  /** Of random allocation: in how many batches an epoch is; a record is in the rate times as many. */
  readonly batches?: Decimal;
  /** Of Poisson samples with Gaussian noise: in how many records of one person neighbours differ; absent: in one. */
  readonly records?: Decimal;
  /** Of these, where each has a rate of its own: all of them, the largest (`rate`) first, above 0 and below 1; absent: all have `rate`. */
  readonly rates?: readonly Fraction[];
  /** Of those that are added or removed: how many the other data set has, which lacks the rest; absent: none. */
  readonly opposite?: Decimal;
  /** With replacement: how many times a record is drawn for a sample. */
  readonly draws?: Decimal;
  readonly neighbours: Neighbours;
}

/**
 * One report of each user, from an (epsilon, 0)-locally private randomizer, shuffled so that nobody knows which is whose.
 * Neighbours differ in the value of one user.
 */
export interface ShuffledReports {
  readonly type: 'shuffled-reports';
  /** epsilon of the randomizer. */
  readonly localEpsilon: Decimal;
  /** A whole number from 1. */
  readonly users: Decimal;
  /** Of k-ary randomized response: k; absent: any randomizer, the same for all. */
  readonly categories?: Decimal;
}

/** k-ary randomized response: the true value with a chance e^epsilon times that of each of the k - 1 others. */
export interface RandomizedResponse {
  readonly type: 'randomized-response';
  readonly epsilon: Decimal;
  /** k, a whole number from 2. */
  readonly categories: Decimal;
}

/**
 * How many runs a selection has, drawn independently of the data. negative-binomial: P(k) proportional to (1 - gamma)^k times the
 * product over l < k of (l + shape) / (l + 1), k from 1; shape 1 is geometric and shape 0 logarithmic; by its mean or by gamma.
 */
export type RunLaw =
  | { readonly law: 'poisson'; readonly mean: Decimal }
  | { readonly law: 'negative-binomial'; readonly shape: Decimal; readonly mean: Decimal }
  | { readonly law: 'negative-binomial'; readonly shape: Decimal; readonly gamma: Decimal }
  | { readonly law: 'binomial'; readonly trials: Decimal; readonly rate: Decimal }
  | { readonly law: 'fixed'; readonly count: Decimal };

/**
 * Private selection: runs of the same mechanisms, of which only the best output is released. The outputs have a total order that
 * does not depend on the data, and no run depends on another.
 */
export interface Selection {
  readonly type: 'selection';
  /** The mechanisms of one run, all noninteractive. */
  readonly of: readonly Entry<RunMechanism>[];
  readonly runs: RunLaw;
}

/** Mechanisms that a run may consist of. */
export type RunMechanism =
  | ApproximateDp
  | BoundedRange
  | Laplace
  | Gaussian
  | DiscreteLaplace
  | DiscreteGaussian
  | FinitePairMechanism
  | Zcdp
  | Rdp
  | Gdp
  | ShuffledReports
  | RandomizedResponse
  | Sampled;

/** A guarantee or a noise distribution with its parameters, every number an exact decimal. */
export type Mechanism = RunMechanism | Selection;

/** `count` mechanisms of the same kind and parameters. */
export interface Entry<M extends Mechanism = Mechanism> {
  readonly mechanism: M;
  /** A whole number from 1 to 2^53 - 1. */
  readonly count: number;
  readonly kind: MechanismKind;
  readonly label: string | null;
  /** The relation for which its parameters are, where that is said; a mechanism on a sample has its own. */
  readonly neighbours?: Neighbours;
}

/** All relations for which an entry's guarantees are; more than one where runs of a selection mix them. */
export const relationsOf = (entry: Entry): Neighbours[] => {
  const own = entry.mechanism.type === 'selection' ? entry.mechanism.of.flatMap(relationsOf) : [];
  const relation = relationOf(entry);
  return [...own, ...(relation === null ? [] : [relation])];
};

/** Which data are neighbouring for an entry's guarantee; null where nothing is said of it. */
export const relationOf = ({ mechanism, neighbours }: Entry): Neighbours | null => {
  if (mechanism.type === 'shuffled-reports' || mechanism.type === 'randomized-response') return 'replace-one';
  if (mechanism.type === 'selection') return neighbours ?? mechanism.of.flatMap(relationsOf)[0] ?? null;
  return mechanism.type === 'sampled' ? mechanism.neighbours : (neighbours ?? null);
};

/** Whether no theorem is known for an entry: concurrent composition of approximate zCDP (Haney et al. 2023, Section 4). */
export const isOpenQuestion = ({ mechanism, kind }: Pick<Entry, 'mechanism' | 'kind'>): boolean =>
  mechanism.type === 'zcdp' && mechanism.delta?.gt(0) === true && kind !== 'noninteractive';
