import { Decimal } from '../../numeric/decimal.ts';
import type { Measure, MultiplicativeWeights, RegularisedWeights } from './measure.ts';
import type { L2pSetting, WithY } from './setting.ts';

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
