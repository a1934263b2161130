import type { Decimal } from '../../numeric/decimal.ts';

/**
 * The least expected loss, T (1/2 - T epsilon / 2) - T^2 d delta / 2, of an (epsilon, delta)-DP algorithm that answers T
 * times against one loss function, repeated, whose d values are fair coins; for epsilon <= 1/T and delta <= 1/2.
 *
 * Source: Asi, Koren, Liu, Talwar (2024), Lemma 4.4.
 */
export function lemma44(rounds: number, epsilon: number, experts: number, delta: number): number {
  return rounds * (0.5 - (rounds * epsilon) / 2) - (rounds * rounds * experts * delta) / 2;
}

/** Prediction from d experts over T rounds by an epsilon^2-concentrated-DP algorithm with limited switching. */
export interface LowerBoundProblem {
  /** T. */
  readonly rounds: number;
  /** d. */
  readonly experts: number;
  /** Above 0. */
  readonly epsilon: Decimal;
}

/** A condition of the lower bound: in its statement, or only used by its proof. */
export interface LowerBoundCondition {
  readonly id: 'epsilon' | 'conversion' | 'experts' | 'epoch';
  readonly stated: boolean;
  readonly value: number;
  /** `value` must be at least this. */
  readonly least: number;
  readonly holds: boolean;
}

/** The claim of Theorem 4.2, and what its proof gives. */
export interface LowerBound42 {
  readonly problem: LowerBoundProblem;
  readonly conditions: readonly LowerBoundCondition[];
  /** S_adv = (T epsilon)^(2/3). */
  readonly switches: number;
  /** E = S_adv^2. */
  readonly epochs: number;
  /** B = T / E. */
  readonly epoch: number;
  /** ln(1/delta), delta = 1 / (T^3 d). */
  readonly logInverseDelta: number;
  /** sqrt T and T^(1/3) / epsilon^(2/3): the regret is Omega of their sum. */
  readonly terms: { readonly free: number; readonly privacy: number };
  /** T^(1/3) / epsilon^(2/3) - 3 sqrt(ln(1/delta)) / (2 epsilon) - 1: the last line of the proof with a constant. */
  readonly explicit: number;
  /** The least loss of one epoch by Lemma 4.4, where the budget is spread evenly; half of it is what a guess loses. */
  readonly epochLoss: number;
}

const condition = (
  id: LowerBoundCondition['id'],
  stated: boolean,
  value: number,
  least: number,
): LowerBoundCondition => ({ id, stated, value, least, holds: value >= least });

/**
 * The lower bound on the regret of limited-switching algorithms (Condition 4.1) that are epsilon^2-concentrated DP, with
 * its conditions: the stated epsilon >= 100 ln(dT)^(3/2) / T, and three that its proof needs: epsilon >=
 * 27 ln(T^3 d)^(3/2) / T (which the stated one gives only for d of about T^0.435 or more), an expected largest of d
 * normal variables of at least 2 (d >= 28), and epochs of at least one round (epsilon <= T^(-1/4)).
 *
 * A claim: the proof takes L* = T/2 - sqrt(E) B as an equality, and its chain rule for the conditional divergences is
 * informal.
 *
 * Source: Asi, Koren, Liu, Talwar (2024), Theorem 4.2.
 */
export function theorem42(problem: LowerBoundProblem): LowerBound42 {
  const { rounds, experts } = problem;
  const epsilon = problem.epsilon.toNumber();
  const switches = Math.cbrt(rounds * epsilon) ** 2;
  const epochs = switches ** 2;
  const epoch = rounds / epochs;
  const logInverseDelta = 3 * Math.log(rounds) + Math.log(experts);
  const epochEpsilon = (3 * epsilon * Math.sqrt(logInverseDelta)) / Math.sqrt(epochs);
  const privacy = Math.cbrt(rounds) / epsilon ** (2 / 3);
  return {
    problem,
    conditions: [
      condition('epsilon', true, epsilon, (100 * (Math.log(experts) + Math.log(rounds)) ** 1.5) / rounds),
      condition('conversion', false, epsilon, (27 * logInverseDelta ** 1.5) / rounds),
      condition('experts', false, experts, 28),
      condition('epoch', false, epoch, 1),
    ],
    switches,
    epochs,
    epoch,
    logInverseDelta,
    terms: { free: Math.sqrt(rounds), privacy },
    explicit: privacy - (3 * Math.sqrt(logInverseDelta)) / (2 * epsilon) - 1,
    epochLoss: lemma44(epoch, epochEpsilon, experts, Math.exp(-logInverseDelta)),
  };
}
