import { Decimal, decimalFromDouble, ZERO, roundedDown, roundedUp } from '../../numeric/decimal.ts';
import {
  shareOf,
  wholeBatch,
  type ConvexProblem,
  type ConvexSetting,
  type ExpertsProblem,
  type ExpertsSetting,
  type NoSetting,
  type WithY,
} from '../core/setting.ts';
import { covers, logInverse, lostPerDelta0, theorem32 } from './theorem-3-2.ts';

/**
 * The parameters of Theorem 3.10 (DP-OPE): B = 1/epsilon, p = 10 eta / epsilon and
 * eta = min(eps0, epsilon)^(2/3) / T^(1/3), eps0 = T^(-1/4) ln(d)^(3/4), which its proof divides by ln(T/delta). B is
 * made a whole number; delta1 = delta / (2 T).
 *
 * They do not give what the theorem says: with them the last hypothesis of Theorem 3.2 is epsilon B ln(2T/delta) <= 10,
 * which for B = 1/epsilon fails for every delta below 1 once T > 11,013, and its epsilon is above the target unless
 * ln(T/delta) is about 94 or more.
 *
 * Source: Asi, Koren, Liu, Talwar (2024), Theorem 3.10.
 */
export function theorem310(
  { rounds, experts, epsilon, delta }: ExpertsProblem,
  id: 'theorem-3.10' | 'theorem-3.10-proof',
): ExpertsSetting | NoSetting {
  const target = epsilon.toNumber();
  const logRatio = Math.log(rounds) - Math.log(delta.toNumber());
  const free = rounds ** -0.25 * Math.log(experts) ** 0.75;
  const stated = Math.min(free, target) ** (2 / 3) / Math.cbrt(rounds);
  const eta = roundedDown(id === 'theorem-3.10' ? stated : stated / logRatio);
  const fakeSwitch = roundedDown((10 * eta.toNumber()) / target);
  if (fakeSwitch.gt(1)) return { id, reason: 'fake-switch-probability', fakeSwitch: fakeSwitch.toNumber() };
  return {
    id,
    setting: { rounds, batch: wholeBatch(1 / target, rounds), eta, fakeSwitch },
    measure: { type: 'multiplicative-weights' },
    printedBatch: roundedDown(1 / target),
    delta1: shareOf(delta, 2, rounds),
    delta0: ZERO,
  };
}

/** Decimals that do not underflow as doubles do: delta0 may be far below 1e-308. */
const Down = Decimal.clone({ precision: 20, rounding: 1 });

/** The delta0 for which the events of Theorem 3.2 lose delta / 2. */
export function delta0For(delta: Decimal, input: Parameters<typeof lostPerDelta0>[0]): Decimal {
  const lost = lostPerDelta0(input).upper;
  if (lost === Infinity) return ZERO;
  return new Decimal(new Down(delta).div(decimalFromDouble(lost).times(2)).toSignificantDigits(10));
}

/**
 * The parameters of Theorem 3.12 (DP-OCO): B = 1 / (2 epsilon ln(1/delta)), eta = epsilon^(2/3) / (T^(1/3) ln(T/delta)),
 * p = eta / epsilon, lambda = (L/D) max(sqrt T, sqrt(d ln T) / eta), beta = eta^2 lambda / (20 L^2). B is made a whole
 * number; delta1 = delta / (4 T), and delta0 loses the other half of delta.
 *
 * They do not give what the theorem says: 2 eta / p is 2 epsilon, and by Lemma 3.11 their measures move by eta only if
 * delta0 is at least 0.16.
 *
 * Source: Asi, Koren, Liu, Talwar (2024), Theorem 3.12.
 */
export function theorem312(problem: ConvexProblem): ConvexSetting | NoSetting {
  const { rounds, dimension, epsilon, delta, lipschitz, diameter } = problem;
  const target = epsilon.toNumber();
  const [l, d] = [lipschitz.toNumber(), diameter.toNumber()];
  const log = -Math.log(delta.toNumber());
  const eta = roundedDown(target ** (2 / 3) / (Math.cbrt(rounds) * (Math.log(rounds) + log)));
  const fakeSwitch = roundedDown(eta.toNumber() / target);
  if (fakeSwitch.gt(1)) {
    return { id: 'theorem-3.12', reason: 'fake-switch-probability', fakeSwitch: fakeSwitch.toNumber() };
  }
  const lambda = (l / d) * Math.max(Math.sqrt(rounds), Math.sqrt(dimension * Math.log(rounds)) / eta.toNumber());
  const beta = (eta.toNumber() ** 2 * lambda) / (20 * l * l);
  const printed = 1 / (2 * target * log);
  const batch = wholeBatch(printed, rounds);
  const delta1 = shareOf(delta, 4, rounds);
  return {
    id: 'theorem-3.12',
    setting: { rounds, batch, eta, fakeSwitch },
    measure: {
      type: 'regularised-multiplicative-weights',
      beta: roundedDown(beta),
      lambda: roundedDown(lambda),
      lipschitz,
      diameter,
    },
    printedBatch: roundedDown(printed),
    delta1,
    delta0: delta0For(delta, { rounds, batch: new Decimal(batch), eta, fakeSwitch, delta1 }),
  };
}

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
    const design = designed(rounds, e, log);
    if (design.fakeSwitch.gt(1)) continue;
    const input = { rounds, ...design, batch: new Decimal(design.batch), delta1, delta0: ZERO };
    const theorem = theorem32(input);
    if (covers(theorem) && epsilon.gte(theorem.epsilon.upper)) return design;
  }
}

/** Of one round T p / B is at least 1 only where p is, and Theorem 3.2 is about a p below 1. */
const ONE_ROUND: NoSetting = { id: 'repaired', reason: 'fake-switch-probability', fakeSwitch: 1 };

/** Parameters of DP-OPE that satisfy Theorem 3.2: see {@link repaired}, with delta1 = delta / (2 T). */
export function repairedForExperts({ rounds, epsilon, delta }: ExpertsProblem): ExpertsSetting | NoSetting {
  if (rounds === 1) return ONE_ROUND;
  const delta1 = shareOf(delta, 2, rounds);
  const design = repaired(rounds, epsilon, delta1);
  return {
    id: 'repaired',
    setting: { rounds, ...design },
    measure: { type: 'multiplicative-weights' },
    printedBatch: new Decimal(design.batch),
    delta1,
    delta0: ZERO,
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
  const { batch, ...design } = repaired(rounds, epsilon, delta1);
  const delta0 = delta0For(delta, { rounds, batch: new Decimal(batch), ...design, delta1 });
  const log = logInverse(delta0.div(2)).upper;
  const root = (2 * design.eta.toNumber()) / (Math.sqrt(8 * log + 8 * design.eta.toNumber()) + Math.sqrt(8 * log));
  const u = root * root;
  const l = lipschitz.toNumber();
  const lambda = (l / diameter.toNumber()) * Math.sqrt(rounds + (dimension * Math.log(rounds)) / u);
  return {
    id: 'repaired',
    setting: { rounds, batch, ...design },
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

/** Parameters that a formula gives. */
export const FORMULAS = ['theorem-3.10', 'theorem-3.10-proof', 'theorem-3.12', 'repaired'] as const;
type FormulaId = (typeof FORMULAS)[number];

/** Formulas for experts, and for convex losses. */
export const EXPERTS_FORMULAS = [
  'theorem-3.10',
  'theorem-3.10-proof',
  'repaired',
] as const satisfies readonly FormulaId[];
export const CONVEX_FORMULAS = ['theorem-3.12', 'repaired'] as const satisfies readonly FormulaId[];

/** The parameters of a formula for experts. */
export const namedForExperts = (
  id: (typeof EXPERTS_FORMULAS)[number],
  problem: ExpertsProblem,
): ExpertsSetting | NoSetting => (id === 'repaired' ? repairedForExperts(problem) : theorem310(problem, id));

/** The parameters of a formula for convex losses. */
export const namedForConvex = (
  id: (typeof CONVEX_FORMULAS)[number],
  problem: ConvexProblem,
): ConvexSetting | NoSetting => (id === 'repaired' ? repairedForConvex(problem) : theorem312(problem));
