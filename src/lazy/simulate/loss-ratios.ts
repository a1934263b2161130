import { unit, type RandomSource } from '../../numeric/random.ts';
import { fakeSwitchOf, isWithoutY, type L2pSetting } from '../core/setting.ts';
import { keepExponentOf, weightsOf } from './expert-weights.ts';
import { Inversion } from './inversion.ts';

/** A neighbour of a loss sequence: by how much the sum of one batch is another one. */
export interface BatchChange {
  /** The index of the batch. */
  readonly batch: number;
  /** For each expert, in [-1, 1]. */
  readonly change: Float64Array;
}

/** One run on its way. */
interface Run {
  readonly random: RandomSource;
  x: number;
  y: number;
}

interface Tracked extends BatchChange {
  /** e^(-eta change). */
  readonly factors: Float64Array;
  /** ln of the mean of the factors under the weights: how the sums of the weights differ. */
  logMean: number;
  readonly ratios: Float64Array;
}

/**
 * ln of the probability of all that is seen of a run (x, y and whether each was sampled anew) on a loss sequence over that on
 * a neighbour, for runs on the first one; in doubles. For each neighbour one number for each run.
 *
 * The weights of the neighbour are w e^(-eta v) / M with v its change and M the mean of e^(-eta v) under w, so a new sample i
 * adds eta v_i + ln M; the flag after the changed batch adds the ratio of its chances; nothing else differs.
 *
 * Source: derived from Algorithm 1 of Asi, Koren, Liu, Talwar (2024), as {@link outputDistribution} lists it.
 *
 * @param progress - called with the share of the batches that are done
 */
export function lossRatios(
  setting: L2pSetting,
  sums: readonly Float64Array[],
  neighbours: readonly BatchChange[],
  sources: readonly RandomSource[],
  progress?: (share: number) => void,
): readonly Float64Array[] {
  const [eta, p] = [setting.eta.toNumber(), fakeSwitchOf(setting).toNumber()];
  const [exponent, withY] = [keepExponentOf(setting), !isWithoutY(setting)];
  const experts = sums[0]?.length ?? 0;
  const totals = new Float64Array(experts);
  const sampler = new Inversion(experts);
  sampler.set(weightsOf(eta, totals));
  const runs = sources.map((random): Run => ({ random, x: sampler.draw(random), y: sampler.draw(random) }));
  const tracked = neighbours.map(({ batch, change }): Tracked => ({
    batch,
    change,
    factors: change.map((v) => Math.exp(-eta * v)),
    logMean: 0,
    ratios: new Float64Array(runs.length),
  }));
  /** 1 - (1 - p) e^-a. */
  const switches = (a: number): number => p - (1 - p) * Math.expm1(-a);
  sums.slice(0, -1).forEach((sum, s) => {
    progress?.(s / sums.length);
    for (let i = 0; i < experts; i++) totals[i]! += sum[i]!;
    const weights = weightsOf(eta, totals);
    sampler.set(weights);
    const later = tracked.filter(({ batch }) => batch <= s);
    const flagged = later.filter(({ batch }) => batch === s);
    for (const each of later) {
      let mean = 0;
      for (let i = 0; i < experts; i++) mean += weights[i]! * each.factors[i]!;
      each.logMean = Math.log(mean);
    }
    runs.forEach((run, index) => {
      const { random, x, y } = run;
      const a = exponent(sum[x]!, sum[y]!);
      const keeps = unit(random) < (1 - p) * Math.exp(-a);
      for (const { change, ratios } of flagged) {
        const b = exponent(sum[x]! + change[x]!, sum[y]! + change[y]!);
        ratios[index]! += keeps ? b - a : Math.log(switches(a) / switches(b));
      }
      const seesNew = (sample: number): void => {
        for (const { change, logMean, ratios } of later) ratios[index]! += eta * change[sample]! + logMean;
      };
      if (!keeps) seesNew((run.x = sampler.draw(random)));
      if (withY && unit(random) < p) seesNew((run.y = sampler.draw(random)));
    });
  });
  return tracked.map(({ ratios }) => ratios);
}
