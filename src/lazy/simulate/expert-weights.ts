import { isWithoutY, type L2pSetting } from '../core/setting.ts';

/** The losses of one round, one for each expert, in [0, 1]. */
export type ExpertLosses = readonly number[];

/** e^(-eta total) for each expert, normalised; `totals` are the sums of earlier losses. */
export function weightsOf(eta: number, totals: ArrayLike<number>): Float64Array {
  const values = Float64Array.from(totals);
  const least = values.reduce((min, total) => Math.min(min, total), Infinity);
  const weights = values.map((total) => Math.exp(-eta * (total - least)));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** A function of what x and y lost in a batch; without y, whatever that lost. */
export type KeepChance = (lossOfX: number, lossOfY: number) => number;

/** -ln Pr[S_s = 1] of Algorithm 1 for multiplicative weights, without the chance 1 - p that no switch is fake; or c + eta L. */
export function keepExponentOf(setting: L2pSetting): KeepChance {
  const [eta, { batch }] = [setting.eta.toNumber(), setting];
  if (isWithoutY(setting)) {
    const c = setting.switchRate.toNumber();
    return (lossOfX) => c + eta * lossOfX;
  }
  return (lossOfX, lossOfY) => Math.max(0, 2 * batch * eta + eta * (lossOfX - lossOfY));
}

/** Pr[S_s = 1] of Algorithm 1 for multiplicative weights, without the chance 1 - p that no switch is fake; or e^(-c - eta L). */
export function keepChanceOf(setting: L2pSetting): KeepChance {
  const exponent = keepExponentOf(setting);
  return (lossOfX, lossOfY) => Math.exp(-exponent(lossOfX, lossOfY));
}
