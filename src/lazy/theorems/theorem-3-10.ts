import { Decimal } from '../../numeric/decimal.ts';
import {
  shareOf,
  wholeBatch,
  type ExpertsProblem,
  type ExpertsSetting,
  type NoSetting,
} from '../core/named-setting.ts';
import { roundedDown } from '../core/rounded.ts';

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
    delta0: new Decimal(0),
  };
}
