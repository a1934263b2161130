import { Decimal, encloseDecimal, ZERO, ONE } from '../../numeric/decimal.ts';
import { exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { add, multiply, times } from '../../numeric/enclosure-arithmetic.ts';

/** The exponential weights e^(-eta sum of losses) over experts, losses in [0, 1]: the measure of DP-OPE (Lemma 3.9). */
export interface MultiplicativeWeights {
  readonly type: 'multiplicative-weights';
}

/** Any measure of Assumption 3.1 with delta0 = 0. */
interface AnyMeasure {
  readonly type: 'any';
}

/**
 * The density e^(-beta (sum of losses + lambda |x|^2)) on a convex set, losses convex and Lipschitz: the measure of
 * DP-OCO (Lemma 3.11). All four are above 0.
 */
export interface RegularisedWeights {
  readonly type: 'regularised-multiplicative-weights';
  readonly beta: Decimal;
  readonly lambda: Decimal;
  /** L, the Lipschitz constant of every loss. */
  readonly lipschitz: Decimal;
  /** D, the diameter of the set, which contains the origin. */
  readonly diameter: Decimal;
}

/** The measure from which L2P samples. */
export type Measure = MultiplicativeWeights | AnyMeasure | RegularisedWeights;

/** The rounds of a lazy learner, and its learning rate. */
interface Batches {
  /** T, the number of rounds: whole, from 1 to 2^53 - 1. */
  readonly rounds: number;
  /** B, the rounds of one batch: whole, from 1 to T. The last batch may be shorter, which only leaves out losses. */
  readonly batch: number;
  /** eta > 0. */
  readonly eta: Decimal;
}

/**
 * L2P as printed (Asi, Koren, Liu, Talwar 2024, Algorithm 1): x is kept with probability (1 - p) e^(-2 B eta) times how the
 * batch changed the weight of x over how it changed that of y, a second sample, which is sampled anew with probability p.
 */
export interface WithY extends Batches {
  /** p, the probability of a fake switch, from 0 to 1. Theorem 3.2 needs it above 0. */
  readonly fakeSwitch: Decimal;
  readonly switchRate?: never;
}

/**
 * L2P for experts without y: x is kept with probability e^(-c - eta L), L its loss in the batch, and sampled from the weights of
 * the round otherwise.
 *
 * Its law is exactly that of the weights: with w those before the batch, Z = sum w e^(-eta L) and w' = w e^(-eta L) / Z those
 * after it, the mass that is kept is e^-c Z w', and the rest, 1 - e^-c Z, is sampled from w'.
 *
 * Source: derived. See docs/lazy-without-y.md.
 */
export interface WithoutY extends Batches {
  /** c >= 0: x is sampled anew with probability 1 - e^-c also where it lost nothing. A fake switch of chance p is c = -ln(1 - p). */
  readonly switchRate: Decimal;
  readonly fakeSwitch?: never;
}

/** How a lazy learner is run. */
export type L2pSetting = WithY | WithoutY;

/** Follow the perturbed leader on noisy sums of batches (`alternatives/leaders.ts`), as it is run. */
export interface PerturbedLeader extends Pick<Batches, 'rounds' | 'batch'> {
  /** The base to which the number of batches is written, whose digits say what a sum adds up. */
  readonly radix: number;
  /** The standard deviation of the noise of a row, and that of the noise of every sum, in each coordinate. */
  readonly node: Decimal;
  readonly deviation: Decimal;
}

/** Draw one expert uniformly and keep it: one batch. */
export interface Guessing extends Pick<Batches, 'rounds' | 'batch'> {
  readonly deviation: null;
}

/** What can be run. */
export type Runnable = WithoutY | PerturbedLeader | Guessing;

/** The learner of what is run, by its name. */
export const learnerOf = (setting: Runnable): 'l2p' | 'perturbed-leader' | 'guessing' =>
  'eta' in setting ? 'l2p' : setting.deviation === null ? 'guessing' : 'perturbed-leader';

/** Whether there is no y. */
export const isWithoutY = (setting: L2pSetting): setting is WithoutY => setting.switchRate !== undefined;

const NO_FAKES = ZERO;

/** p; without y, where a fake switch is part of c, 0. */
export const fakeSwitchOf = ({ fakeSwitch }: L2pSetting): Decimal => fakeSwitch ?? NO_FAKES;

/** How often x and y may be resampled: once before every batch but the first. */
export const transitions = ({ rounds, batch }: Pick<L2pSetting, 'rounds' | 'batch'>): number =>
  (rounds - 1 - ((rounds - 1) % batch)) / batch;

/** 1 - p, without the loss of digits that a difference of doubles has where p is near 1. */
export const withoutFake = (fakeSwitch: Decimal): Enclosure => encloseDecimal(ONE.minus(fakeSwitch));

/** Laws of the number of switches are listed so far that what is left out is less likely than this. */
export const LEAST_BEYOND = 1e-24;

/** The sum of the squares of the batch sizes: B for each full batch, what is left for the last one. */
export function squaredBatches({ rounds, batch }: Pick<L2pSetting, 'rounds' | 'batch'>): Enclosure {
  const rest = rounds % batch;
  const [b, r] = [exactly(batch), exactly(rest)];
  return add(times((rounds - rest) / batch, multiply(b, b)), multiply(r, r));
}

/** Parameters that have a name. */
export type SettingId =
  | 'theorem-3.10'
  | 'theorem-3.10-proof'
  | 'theorem-3.12'
  | 'repaired'
  | 'best-gaussian'
  | 'without-y-randomized-response'
  | 'without-y-bounded-range';

/** L2P with all its parameters, and those of Theorem 3.2. */
export interface NamedSetting<M extends Measure = Measure, S extends L2pSetting = L2pSetting> {
  readonly id: SettingId;
  readonly setting: S;
  readonly measure: M;
  /** B as a formula gives it, before it was made a whole number. */
  readonly printedBatch: Decimal;
  /** delta1 and delta0 of Theorem 3.2, which without y says nothing. */
  readonly delta1: Decimal;
  readonly delta0: Decimal;
}

/** Parameters for experts, of L2P as printed. */
export type ExpertsSetting = NamedSetting<MultiplicativeWeights, WithY>;

/** Parameters for convex losses. */
export type ConvexSetting = NamedSetting<RegularisedWeights, WithY>;

/** Why a formula gives no parameters. */
export interface NoSetting {
  readonly id: SettingId;
  readonly reason: 'fake-switch-probability';
  /** The value it gives for p, or would need, which is not below 1. */
  readonly fakeSwitch: number;
}

/** A task of prediction from expert advice, to be solved with (epsilon, delta)-differential privacy. */
export interface ExpertsProblem {
  readonly problem: 'ope';
  /** T. */
  readonly rounds: number;
  /** d, at least 2. */
  readonly experts: number;
  /** Above 0. */
  readonly epsilon: Decimal;
  /** Between 0 and 1, both excluded. */
  readonly delta: Decimal;
}

/** A task of online convex optimisation: convex L-Lipschitz losses on a convex set of diameter D around the origin. */
export interface ConvexProblem {
  readonly problem: 'oco';
  readonly rounds: number;
  /** d. */
  readonly dimension: number;
  readonly lipschitz: Decimal;
  readonly diameter: Decimal;
  readonly epsilon: Decimal;
  readonly delta: Decimal;
}

/** The nearest whole number from 1 to T. */
export const wholeBatch = (batch: number, rounds: number): number => Math.max(1, Math.min(rounds, Math.round(batch)));

const Down = Decimal.clone({ precision: 20, rounding: 1 });

/** delta / (parts T), rounded down at 20 digits. */
export const shareOf = (delta: Decimal, parts: number, rounds: number): Decimal =>
  new Decimal(new Down(delta).div(new Down(rounds).times(parts)));
