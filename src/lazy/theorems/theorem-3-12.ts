import { Decimal, decimalFromDouble } from '../../numeric/decimal.ts';
import { shareOf, wholeBatch, type ConvexProblem, type ConvexSetting, type NoSetting } from '../core/named-setting.ts';
import { roundedDown } from '../core/rounded.ts';
import { lostPerDelta0 } from './theorem-3-2.ts';

/** Decimals that do not underflow as doubles do: delta0 may be far below 1e-308. */
const Down = Decimal.clone({ precision: 20, rounding: 1 });

/** The delta0 for which the events of Theorem 3.2 lose delta / 2. */
export function delta0For(delta: Decimal, input: Parameters<typeof lostPerDelta0>[0]): Decimal {
  const lost = lostPerDelta0(input).upper;
  if (lost === Infinity) return new Decimal(0);
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
