import { Decimal } from '../../numeric/decimal.ts';
import {
  shareOf,
  type ConvexProblem,
  type ConvexSetting,
  type ExpertsProblem,
  type ExpertsSetting,
  type NoSetting,
} from '../core/named-setting.ts';
import { roundedDown, roundedUp } from '../core/rounded.ts';
import type { WithY } from '../core/setting.ts';
import { covers, logInverse, theorem32 } from './theorem-3-2.ts';
import { delta0For } from './theorem-3-12.ts';

/** B, eta and p with which Theorem 3.2 gives at most epsilon. */
type Repaired = Pick<WithY, 'batch' | 'eta' | 'fakeSwitch'>;

/**
 * With L1 = ln(1/delta1): B = floor(4 / (e L1)), at least 1 and at most T/2, eta the least of
 *
 *   e^(2/3) / ((54 T)^(1/3) L1),   e / (3 sqrt(6) L1)   and   e (B / (108 T L1^2))^(1/3),
 *
 * and p = max(4 eta / e, eta B L1, B / T).
 *
 * Then T p / B >= 1, eta B L1 / p <= 1, 2 eta / p <= e / 2 and 6 T eta^2 p L1^2 / B <= (2/9) e^2, with the three eta for
 * the three p: its root is below 0.472 e. The other two terms have the 0.028 e that are left.
 */
function designed(rounds: number, e: number, log: number): Repaired {
  const batch = Math.max(1, Math.min(Math.floor(rounds / 2), Math.floor(4 / (e * log))));
  const eta = roundedDown(
    Math.min(
      e ** (2 / 3) / (Math.cbrt(54 * rounds) * log),
      e / (3 * Math.sqrt(6) * log),
      e * Math.cbrt(batch / (108 * rounds * log * log)),
    ),
  );
  const step = eta.toNumber();
  const needed = roundedUp(Math.max((4 * step) / e, step * batch * log) * (1 + 1e-9));
  return {
    batch,
    eta,
    fakeSwitch: needed.times(rounds).lt(batch) ? Decimal.min(1, roundedUp(batch / rounds)) : needed,
  };
}

/** Each time that Theorem 3.2 does not give the target, parameters are designed for this share of it. */
const SHRINKING = 0.9;

/**
 * The parameters of {@link designed} for the largest e of epsilon, 0.9 epsilon, 0.81 epsilon, ... with which Theorem 3.2
 * gives at most epsilon and all its hypotheses hold: epsilon itself, except where it is large or T epsilon is small.
 *
 * Source: derived (the parameters of Theorems 3.10 and 3.12 do not satisfy Theorem 3.2).
 */
function repaired(rounds: number, epsilon: Decimal, delta1: Decimal): Repaired {
  const log = logInverse(delta1).upper;
  for (let e = epsilon.toNumber(); ; e *= SHRINKING) {
    const found = designed(rounds, e, log);
    if (found.fakeSwitch.gt(1)) continue;
    const input = { rounds, ...found, batch: new Decimal(found.batch), delta1, delta0: new Decimal(0) };
    const theorem = theorem32(input);
    if (covers(theorem) && epsilon.gte(theorem.epsilon.upper)) return found;
  }
}

/** Of one round T p / B is at least 1 only where p is, and Theorem 3.2 is about a p below 1. */
const ONE_ROUND: NoSetting = { id: 'repaired', reason: 'fake-switch-probability', fakeSwitch: 1 };

/** Parameters of DP-OPE that satisfy Theorem 3.2: see {@link repaired}, with delta1 = delta / (2 T). */
export function repairedForExperts({ rounds, epsilon, delta }: ExpertsProblem): ExpertsSetting | NoSetting {
  if (rounds === 1) return ONE_ROUND;
  const delta1 = shareOf(delta, 2, rounds);
  const found = repaired(rounds, epsilon, delta1);
  return {
    id: 'repaired',
    setting: { rounds, ...found },
    measure: { type: 'multiplicative-weights' },
    printedBatch: new Decimal(found.batch),
    delta1,
    delta0: new Decimal(0),
  };
}

/**
 * Parameters of DP-OCO that satisfy Theorem 3.2: see {@link repaired}, with delta1 = delta / (4 T) and delta0 losing the
 * other half of delta; u = beta L^2 / lambda is as large as Lemma 3.11 allows, and lambda = (L/D) sqrt(T + d ln(T) / u)
 * balances the terms of the claimed regret.
 */
export function repairedForConvex(problem: ConvexProblem): ConvexSetting | NoSetting {
  const { rounds, dimension, epsilon, delta, lipschitz, diameter } = problem;
  if (rounds === 1) return ONE_ROUND;
  const delta1 = shareOf(delta, 4, rounds);
  const { batch, ...found } = repaired(rounds, epsilon, delta1);
  const delta0 = delta0For(delta, { rounds, batch: new Decimal(batch), ...found, delta1 });
  const log = logInverse(delta0.div(2)).upper;
  const root = (2 * found.eta.toNumber()) / (Math.sqrt(8 * log + 8 * found.eta.toNumber()) + Math.sqrt(8 * log));
  const u = root * root;
  const l = lipschitz.toNumber();
  const lambda = (l / diameter.toNumber()) * Math.sqrt(rounds + (dimension * Math.log(rounds)) / u);
  return {
    id: 'repaired',
    setting: { rounds, batch, ...found },
    measure: {
      type: 'regularised-multiplicative-weights',
      beta: roundedDown(((u * lambda) / (l * l)) * (1 - 1e-9)),
      lambda: roundedUp(lambda),
      lipschitz,
      diameter,
    },
    printedBatch: new Decimal(batch),
    delta1,
    delta0,
  };
}
