import { Decimal, decimalAbove, encloseDecimal, ONE, productUp } from '../../numeric/decimal.ts';
import { enclosure, exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { add, divide, exponential, maximum, subtract } from '../../numeric/enclosure-arithmetic.ts';
import type { ApproximateDp, RunLaw } from '../mechanism.ts';
import { meanRunsAbove, runCount } from './run-law.ts';

type Guarantee = Pick<ApproximateDp, 'epsilon' | 'delta'>;

const ONE_EXACTLY = exactly(1);
const withinOne = ({ lower, upper }: Enclosure): Enclosure => enclosure(Math.max(0, lower), Math.min(1, upper));

/** Losses that are larger are not computed. */
const LARGEST_LOSS = 700;

/**
 * The (e, d)-DP of a selection whose runs are (e0, d0)-DP: e = e0 + s and d = min(1, m d0), with
 * s = sup of ln f'(a) / f'(tau(a)), tau(a) being the least probability under the neighbor of a test of probability a. Pure runs
 * (d0 = 0) give pure selections: e0 + (1 + shape) ln((e^e0 + gamma) / (1 + gamma e^e0)) of negative binomial laws, e0 + m tanh(e0 / 2)
 * of Poisson ones, k e0 of k runs. That is the least e that holds for all runs that are (e0, 0)-DP. Fixed k with d0 > 0 are k
 * composed runs. Rounded up.
 *
 * [derived] A test of probability 1 - c has at most the probability 1 - t(c) less than under the neighbor, where
 * t(c) = min(1, e^e0 c + d0, 1 - e^-e0 (1 - d0 - c)). Between the corners of t the rise of f' is linear, or the power of a quotient of
 * linear functions, so that the supremum is at a corner: c = 0, c = (1 - d0) / (1 + e^e0), c = 1 - d0.
 *
 * Source: Papernot, Steinke (2022), Corollary 3, states (2 + shape) e0 for the negative binomial, which is the limit for small
 * gamma; the sharp value is derived. That fixed k have no better bound: Liu, Talwar (2019).
 */
export function guaranteeOfRuns(runs: RunLaw, { epsilon, delta }: Guarantee): Guarantee | null {
  if (epsilon.isZero() && delta.isZero()) return { epsilon, delta };
  const total = Decimal.min(ONE, productUp(meanRunsAbove(runs), delta));
  if (runs.law === 'fixed') return { epsilon: productUp(runs.count, epsilon), delta: total };
  if (epsilon.gt(LARGEST_LOSS)) return null;
  const { rise } = runCount(runs);
  const e = encloseDecimal(epsilon);
  const rest = subtract(ONE_EXACTLY, encloseDecimal(delta));
  // The corner, and t there: 1 - c.
  const corner = divide(rest, add(ONE_EXACTLY, exponential(e)));
  const corners = [
    [exactly(0), encloseDecimal(delta)],
    [corner, subtract(ONE_EXACTLY, corner)],
    ...(delta.isZero() ? [] : [[rest, ONE_EXACTLY] as const]),
  ] as const;
  const steepest = corners
    .map(([c, t]) => subtract(rise(withinOne(c)), rise(withinOne(t))))
    .reduce(maximum, exactly(0));
  const { upper } = add(e, steepest);
  return upper < Infinity ? { epsilon: decimalAbove(upper), delta: total } : null;
}
