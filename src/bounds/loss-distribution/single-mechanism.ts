import { encloseDecimal } from '../../numeric/decimal.ts';
import type { DoubleDouble } from '../../numeric/double-double.ts';
import { enclosure, type Enclosure } from '../../numeric/enclosure.ts';
import {
  add,
  divide,
  exponential,
  expm1,
  log1p,
  logarithm,
  multiply,
  negate,
  squareRoot,
  subtract,
  times,
} from '../../numeric/enclosure-arithmetic.ts';
import { Rational, encloseRational } from '../../numeric/rational.ts';
import { nextDown, nextUp } from '../../numeric/rounding.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { gaussianLogDelta } from '../../privacy/gaussian.ts';
import { laplaceLogDelta } from '../../privacy/laplace.ts';
import type { Mechanism, Sampled, SampledBase } from '../../privacy/mechanism.ts';
import { gaussianRho, isZeroLoss, pureEpsilon } from '../../privacy/mechanisms/records.ts';
import { largestSampledLoss } from '../../privacy/sampling/largest-loss.ts';
import { rationalOf } from '../../privacy/sampling/rate.ts';
import type { Direction } from '../../privacy/sampling/sampled-law.ts';
import { severalOnce } from '../../privacy/sampling/several-once.ts';
import { isSeveral, isSeveralCovered } from '../../privacy/sampling/several-records.ts';

interface Rates {
  readonly rate: Enclosure;
  readonly rest: Enclosure;
}

/** ln delta at epsilon >= 0. */
type LogDelta = (epsilon: Enclosure) => Enclosure;

const NOTHING = enclosure(-Infinity, -Infinity);

/** ln(1 + (e^epsilon - 1) / q), epsilon >= 0. */
function amplified(epsilon: Enclosure, { rate, rest }: Rates): Enclosure {
  if (epsilon.upper <= 1) return log1p(divide(expm1(epsilon), rate));
  const left = log1p(negate(multiply(rest, exponential(negate(epsilon)))));
  return add(subtract(epsilon, logarithm(rate)), left);
}

/** delta = q D(ln(1 + (e^epsilon - 1) / q)): of a removal, and of a record replaced in a sample without replacement. */
const removal =
  (rates: Rates, logDelta: LogDelta) =>
  (epsilon: Enclosure): Enclosure =>
    add(logarithm(rates.rate), logDelta(amplified(epsilon, rates)));

/** delta = b D(ln(q e^epsilon / b)), b = 1 - (1 - q) e^epsilon; 0 where b is not above 0. */
const addition =
  ({ rate, rest }: Rates, logDelta: LogDelta) =>
  (epsilon: Enclosure): Enclosure => {
    const share = subtract(rate, multiply(rest, expm1(epsilon)));
    if (share.upper <= 0) return NOTHING;
    if (share.lower <= 0) return enclosure(-Infinity, logarithm(share).upper);
    const [own, part] = [logarithm(share), subtract(add(logarithm(rate), epsilon), logarithm(share))];
    return add(own, logDelta(enclosure(Math.max(0, part.lower), Math.max(0, part.upper))));
  };

/** The curve of Gaussian or Laplace noise; null for other mechanisms, and where there is no loss. */
function closedForm(mechanism: SampledBase): LogDelta | null {
  if (isZeroLoss(mechanism)) return null;
  if (mechanism.type === 'laplace') {
    const e = encloseDecimal(pureEpsilon(mechanism));
    return (epsilon) => laplaceLogDelta(e, epsilon);
  }
  if (mechanism.type !== 'gaussian' && mechanism.type !== 'gdp') return null;
  const rho = gaussianRho({ mechanism, kind: 'noninteractive', count: 1, label: null });
  if (rho === null || rho.upper === 0) return null;
  const mu = squareRoot(times(2, rho));
  return (epsilon) => gaussianLogDelta(mu, epsilon);
}

const atDoubles =
  (logDelta: LogDelta): FiniteLossCurve['logDelta'] =>
  ({ high, low }: DoubleDouble) =>
    logDelta(low === 0 ? enclosure(high, high) : enclosure(nextDown(high), nextUp(high)));

/** The curve of Laplace noise that is added once; null for other mechanisms, and where there is no loss. */
export function onceCurve(mechanism: Mechanism): FiniteLossCurve | null {
  if (mechanism.type !== 'laplace') return null;
  const whole = closedForm(mechanism);
  return whole && { maximum: pureEpsilon(mechanism), logDelta: atDoubles(whole) };
}

/**
 * The curve of Gaussian or Laplace noise on one sample, from the noise's own curve D; null for other mechanisms. With H the hockey-stick
 * divergence, H_e^eps((1 - q) Q + q P, Q) = q H_(1 + (e^eps - 1) / q)(P, Q) for eps >= 0, and H_e^eps(Q, (1 - q) Q + q P) =
 * b H_(q e^eps / b)(Q, P).
 *
 * Source: Balle, Barthe, Gaboardi 2018, Theorem 2 (advanced joint convexity), an equality for these pairs; the second
 * derived the same way. Of several records {@link severalOnce}.
 */
export function oneSampleCurve(mechanism: Sampled, direction: Direction): FiniteLossCurve | null {
  const { of, scheme } = mechanism;
  if (scheme === 'random-allocation') return null;
  if (isSeveral(mechanism)) {
    const several = isSeveralCovered(mechanism) ? severalOnce(mechanism, direction) : null;
    return several && { maximum: largestSampledLoss(mechanism, direction), logDelta: atDoubles(several) };
  }
  const whole = closedForm(of);
  const exact = rationalOf(mechanism.rate);
  if (whole === null || exact.isZero()) return null;
  const rates = { rate: encloseRational(exact), rest: encloseRational(Rational.ONE.minus(exact)) };
  const isAddition = scheme === 'poisson' && direction === 'add' && rates.rest.upper > 0;
  const logDelta = (isAddition ? addition : removal)(rates, whole);
  return {
    maximum: largestSampledLoss(mechanism, direction),
    logDelta: atDoubles(logDelta),
  };
}
