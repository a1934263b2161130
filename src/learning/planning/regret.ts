import { encloseDecimal, type Decimal } from '../../numeric/decimal.ts';
import { asUpper, exactly, type Enclosure, type UpperBound } from '../../numeric/enclosure.ts';
import { add, divide, logarithm, maximum, minimum, multiply, times } from '../../numeric/enclosure-arithmetic.ts';
import { largestRegret, lessShare } from '../alternatives/alternative.ts';
import { squaredBatches, type L2pSetting, type RegularisedWeights } from '../core/setting.ts';

/**
 * An upper bound on the expected regret of L2P with multiplicative weights on d experts against losses in [0, 1] that
 * are fixed in advance: ln(d)/eta + eta sum b^2 / 8, b the batch sizes (eta T B / 8 where B divides T), or T - B/d where
 * that is less.
 *
 * x_s has exactly the law of the weights before its batch: given y, keeping it is proportional to how the weights
 * change. So this is Hedge on the sums of batches, which lie in [0, b]. The first x is uniform: its batch costs at most
 * B (1 - 1/d), every later round at most 1.
 *
 * `stopped`: what it costs at most that x may be kept where it should be sampled anew, which adds to the former.
 *
 * Source: derived; Freund, Schapire (1997), with Hoeffding's lemma. Proposition 3.3 of Asi, Koren, Liu, Talwar (2024)
 * claims O(T B^2 eta^2) in place of eta T (B - 1) / 8 for the batches; that is not proved, and fails for losses that are
 * constant on batches.
 */
export function safeRegretOfExperts(setting: L2pSetting, experts: number, stopped = exactly(0)): UpperBound {
  const eta = encloseDecimal(setting.eta);
  const start = divide(logarithm(exactly(experts)), eta);
  const hedge = add(start, times(0.125, multiply(eta, squaredBatches(setting))));
  return asUpper(Math.min(add(hedge, stopped).upper, lessShare(setting.rounds, setting.batch, experts)));
}

/** Whether the minimum in Pr[S_s = 1] can never cut: beta L D <= 2 eta. Then x_s has exactly the law of the weights. */
const neverCuts = ({ beta, lipschitz, diameter }: RegularisedWeights, eta: Decimal): boolean =>
  beta.times(lipschitz).times(diameter).lte(eta.times(2));

/**
 * An upper bound on the expected regret of L2P with regularised weights in dimension d against convex L-Lipschitz losses
 * that are fixed in advance: lambda D^2 + min over g in (0, 1] of (d ln(1/g) / beta + g T L D) + L^2 sum b^2 / (4 lambda),
 * or T L D where that is less, or where nothing else is known since the keep probability may be cut.
 *
 * x_s has exactly the law of the weights ({@link neverCuts}), so it is exponential weights on the sums of batches.
 * Against the uniform law on the set shrunk by g around the best point, whose relative entropy to the prior
 * e^(-beta lambda |x|^2) is at most d ln(1/g) + beta lambda D^2 (the origin lies in the set), they lose the entropy over
 * beta, what shrinking costs, and for each batch ln(E e^(-beta (f - E f))) / beta <= beta (b L)^2 / (2 k), f its sum: the
 * weights are k = 2 beta lambda-strongly log-concave, so b L-Lipschitz functions are that concentrated.
 *
 * Source: derived; the last step is the log-Sobolev inequality of Bakry and Emery with Herbst's argument. The regret of
 * Theorem 3.12 of Asi, Koren, Liu, Talwar (2024) rests on its Proposition 3.3, which is not proved.
 */
export function safeRegretOfConvex(setting: L2pSetting, measure: RegularisedWeights, dimension: number): UpperBound {
  const { beta, lambda, lipschitz, diameter } = measure;
  const everything = largestRegret({ rounds: setting.rounds, lipschitz, diameter });
  if (!neverCuts(measure, setting.eta)) return everything.upper;
  const [b, k, l, d] = [beta, lambda, lipschitz, diameter].map(encloseDecimal) as [
    Enclosure,
    Enclosure,
    Enclosure,
    Enclosure,
  ];
  const shrunk = maximum(exactly(1), divide(multiply(b, everything), exactly(dimension)));
  const entropy = times(dimension, divide(add(exactly(1), logarithm(shrunk)), b));
  const centre = multiply(k, multiply(d, d));
  const drift = divide(multiply(multiply(l, l), squaredBatches(setting)), times(4, k));
  return minimum(add(add(centre, entropy), drift), everything).upper;
}
