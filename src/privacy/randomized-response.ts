import type { Probability } from '../numeric/binomial.ts';
import { writeLogRatio, type LossTransform } from '../numeric/contour/transform.ts';
import { type Decimal, encloseDecimal, toLower, ONE } from '../numeric/decimal.ts';
import { fromDecimal, toDouble, type DoubleDouble } from '../numeric/double-double.ts';
import { exactly, type Enclosure, type Approximate } from '../numeric/enclosure.ts';
import { multiply, add, expm1, log1p } from '../numeric/enclosure-arithmetic.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U, nextDown } from '../numeric/rounding.ts';
import { pureDpMoment } from './log-moment.ts';
import type { DiscreteGaussian, DiscreteLaplace, Laplace } from './mechanism.ts';
import type { PureGroup } from './pure.ts';

/** Below this the probability of the lower loss is taken as "at most": it would underflow. */
const TINY = 1e-299;
const LARGEST_EXPONENT = 688;

/**
 * Randomized response RR(e), the pair that dominates every (e, 0)-DP mechanism: privacy loss +e with probability
 * e^e / (1 + e^e), -e otherwise (Kairouz, Oh, Viswanath; mathematics of (e, d): with probability d all is revealed).
 */
interface RandomizedResponse {
  readonly epsilon: DoubleDouble;
  /** `value`: probability of the loss -e; `complement`: of +e. */
  readonly minus: Probability;
}

export function randomizedResponse(epsilon: Decimal): RandomizedResponse {
  const e = fromDecimal(epsilon);
  const rounded = toDouble(e);
  if (rounded > LARGEST_EXPONENT) return { epsilon: e, minus: { value: TINY, complement: 1, error: 1 } };
  const small = Math.exp(-rounded);
  const complement = 1 / (1 + small);
  return {
    epsilon: e,
    // The exponent's rounding costs e U, the exponential its own error, the rest three roundings.
    minus: { value: small * complement, complement, error: ELEMENTARY_ERROR + (4 + rounded) * U },
  };
}

/** A group of randomized responses under the exponentially tilted law: again randomized responses, with (1 + 2 tilt) e. */
interface TiltedGroup {
  /** Probability (tilted) of the loss -e; the complement belongs to +e. */
  readonly minus: Probability;
  /** ln E[e^(tilt L)] of the whole group. */
  readonly logScale: Enclosure;
}

/** Requires (1 + 2 tilt) e of at most about 700. */
export function tiltGroup({ epsilon, count }: PureGroup, tilt: number): TiltedGroup {
  const sharpened = (1 + 2 * tilt) * epsilon.toNumber();
  const small = Math.exp(-sharpened);
  const complement = 1 / (1 + small);
  return {
    minus: { value: small * complement, complement, error: ELEMENTARY_ERROR + (5 + 4 * sharpened) * U },
    logScale: multiply(exactly(count), pureDpMoment(encloseDecimal(epsilon))(tilt)),
  };
}

// The e of the randomized response that is left to who only sees on which side of the middle between the two true values noise
// lies: the far side has the chance q, and e = ln((1 - q) / q). Rounded down.

/** ln(2 e^(x/2) - 1). */
const halved = (x: Enclosure): Enclosure => log1p(multiply(exactly(2), expm1(multiply(exactly(0.5), x))));

/** A double below the quotient of two decimals. */
const quotientDown = (a: Decimal, b: Decimal): Enclosure => exactly(Math.max(0, nextDown(toLower(a.div(b)))));

/**
 * Of discrete Laplace noise and an odd sensitivity s: the chance of the far side is a^((s+1)/2) / (1 + a), a = e^(-1/b),
 * so e = ln((1 + a) e^((s+1)/2b) - 1).
 */
function oddDiscreteLaplace({ scale, sensitivity }: DiscreteLaplace): Enclosure {
  const rate = quotientDown(ONE, scale);
  const steps = multiply(rate, exactly((sensitivity.toNumber() + 1) / 2));
  const ratio = quotientDown(sensitivity, scale);
  if (sensitivity.eq(1)) return ratio;
  // (1 + a) e^y - 2 = (e^y - 1) + (e^(y - 1/b) - 1)
  return log1p(add(expm1(steps), expm1(multiply(rate, exactly((sensitivity.toNumber() - 1) / 2)))));
}

/** Beyond this sigma there are too many terms. */
const LARGEST_SIGMA = 1e4;
/** Terms beyond this many sigmas are below any rounding. */
const KEPT = 40;
/** A bound on the relative rounding error of sums of so many terms. */
const ROUNDING = 1e-10;

/** An upper end of the chance that discrete Gaussian noise lies on the far side of half the sensitivity; a tie counts half. */
function farSide({ sigma, sensitivity }: DiscreteGaussian): number {
  const [s, width] = [sensitivity.toNumber(), sigma.toNumber()];
  const weight = (n: number): number => Math.exp(-((n / width) ** 2) / 2);
  const reach = Math.ceil(KEPT * width) + 1;
  let [sum, far] = [0, 0];
  for (let n = reach; n >= 0; n--) sum += (n === 0 ? 1 : 2) * weight(n);
  for (let n = Math.ceil(s / 2) + reach; n >= s / 2; n--) far += (n === s / 2 ? 0.5 : 1) * weight(n);
  return Math.max((far / sum) * (1 + ROUNDING), 1e-300);
}

/** Of discrete Gaussian noise, by a sum of its values; 0 where these are too many. */
export function midpointOfDiscreteGaussian(mechanism: DiscreteGaussian): number {
  if (mechanism.sigma.gt(LARGEST_SIGMA)) return 0;
  const far = farSide(mechanism);
  return far < 0.5 ? Math.log1p((1 - 2 * far) / far) * (1 - ROUNDING) : 0;
}

/** Of Laplace noise of scale b, sensitivity s: q = e^(-s/2b) / 2, so e = ln(2 e^(s/2b) - 1), about s/b - (s/b)^2 / 4. */
export const midpointOfLaplace = ({ sensitivity, scale }: Laplace | DiscreteLaplace): number =>
  halved(quotientDown(sensitivity, scale)).lower;

/** Of discrete Laplace noise: of an even sensitivity as of {@link midpointOfLaplace}. */
export const midpointOfDiscreteLaplace = (mechanism: DiscreteLaplace): number =>
  mechanism.sensitivity.mod(2).isZero() ? midpointOfLaplace(mechanism) : oddDiscreteLaplace(mechanism).lower;

/** Where e^x would be large against 1. */
const LARGE = 30;

/** At most sin x, 0 <= x <= pi / 2, and within 2e-4 of it: the Taylor polynomial of degree 7. */
function leastSine(x: number): number {
  const square = x * x;
  return x * (1 - (square / 6) * (1 - (square / 20) * (1 - square / 42)));
}

/** ln M(c), M(c) = (e^(e(1+c)) + e^(-ec)) / (1 + e^e); `whole` is 1 + e^-e. */
function logMoment(e: number, whole: number, c: number): Approximate {
  if (e <= 1 && e * c <= LARGE) {
    // M - 1 = (e^(ec) - 1) (1 - e^(-e(1+c))) / (1 + e^-e): no difference of like numbers.
    const excess = (-Math.expm1(e * c) * Math.expm1(-e * (1 + c))) / whole;
    const value = Math.log1p(excess);
    return { value, error: 120 * U * (Math.abs(excess) / (1 + excess) + Math.abs(value)) + 1e-300 };
  }
  const largest = Math.max(e * (1 + c), -e * c);
  const value = largest - e + Math.log1p(Math.exp(-Math.abs(e * (1 + 2 * c)))) - Math.log1p(Math.exp(-e));
  return { value, error: 16 * U * (largest + e + 2) };
}

/**
 * Randomized response: loss e with probability e^e / (1 + e^e), else -e. With s = z + 1/2, M(z) = cosh(es) / cosh(e/2).
 *
 * On a line, with w = tanh(es): M ratio = cos(et) + i w sin(et), of squared modulus 1 - sin^2(et) / cosh^2(es).
 *
 * @param e - positive, with a relative error of one rounding
 */
export function responseTransform(e: number): LossTransform {
  const whole = 1 + Math.exp(-e);
  return {
    logMoment: (c) => logMoment(e, whole, c),
    on(c) {
      const place = c + 0.5;
      const q = Math.exp(-2 * e * Math.abs(place));
      const slope = (Math.sign(place) * -Math.expm1(-2 * e * Math.abs(place))) / (1 + q);
      const rest = (4 * q) / (1 + q) ** 2;
      // The exponent of q is off by few roundings of it, and x e^-x is at most 1.
      const restError = (24 + 8 * e * Math.abs(place)) * U;
      return {
        deviation: e * Math.sqrt(rest) * (1 + 1e-9),
        mean: e * slope,
        logMost(t, radius) {
          const [turn, reach] = [e * t, e * radius];
          if (reach > Math.PI / 2) return 0;
          // The least distance from a multiple of pi, less what rounding may have moved it.
          const from = Math.abs(turn - Math.PI * Math.round(turn / Math.PI)) - reach - 16 * U * (turn + 1);
          if (from <= 0) return 0;
          const loss = (1 - 1e-9) * rest * leastSine(Math.min(from, Math.PI / 2)) ** 2;
          // ln(1 - x) is below each of its Taylor polynomials.
          return loss < 0.1 ? -0.5 * loss * (1 + loss * (0.5 + loss / 3)) : 0.5 * Math.log1p(-loss);
        },
        at(t, ratio) {
          const turn = e * t;
          const sine = Math.sin(turn);
          const loss = rest * sine * sine;
          const square = 1 - loss;
          if (square < 1e-4) {
            // Few roundings away from what can be told.
            writeLogRatio(Math.cos(turn) - 1, slope * sine, U * (8 * turn + 32), ratio);
            return;
          }
          ratio.modulus = 0.5 * Math.log1p(-loss);
          ratio.angle = Math.atan2(slope * sine, Math.cos(turn));
          // Moving the angle by d moves the ratio by at most d; its modulus is the root of `square`.
          ratio.error =
            (8 * turn + 24 * Math.min(turn, 4)) * (U / square) +
            (restError * loss) / square +
            8 * U * Math.abs(ratio.angle);
        },
      };
    },
  };
}
