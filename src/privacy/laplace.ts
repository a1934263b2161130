import {
  divide,
  expm1,
  logarithm,
  negate,
  subtract,
  add,
  exponential,
  multiply,
} from '../numeric/enclosure-arithmetic.ts';
import { enclosure, exactly, type Enclosure } from '../numeric/enclosure.ts';
import { toUpper, type Decimal } from '../numeric/decimal.ts';
import { alongItself, discretiseSmooth } from '../numeric/lattice/discretise-density.ts';
import { UNIT_ROUNDOFF } from '../numeric/rounding.ts';
import { LARGEST_EXPONENT, type SinglePair } from './single-pair.ts';
import { alternatingSum, halvingSum } from '../numeric/series.ts';

/**
 * ln delta of one Laplace mechanism of parameter e = sensitivity / scale, at 0 <= epsilon: delta = 1 - e^((epsilon - e) / 2)
 * up to e, 0 from there on. Encloses it for every choice inside the given enclosures.
 *
 * Source: derived; stated in Balle, Barthe, Gaboardi 2018. With the pair of laplacePair, delta = (1 - e^(epsilon - e)) / 2
 * + the integral over L from epsilon to e of (1 - e^(epsilon - L)) e^((L - e) / 2) / 4.
 */
export function laplaceLogDelta(e: Enclosure, epsilon: Enclosure): Enclosure {
  const { lower, upper } = negate(expm1(divide(subtract(epsilon, e), exactly(2))));
  if (upper <= 0) return enclosure(-Infinity, -Infinity);
  return logarithm(enclosure(Math.max(0, lower), upper));
}

/** ln((e^x - 1) / x), also near 0. */
const logRelativeExpm1 = (x: number): number =>
  Math.abs(x) < 1e-4 ? x / 2 + (x * x) / 24 : x > 0 ? x + Math.log(-Math.expm1(-x) / x) : Math.log(Math.expm1(x) / x);

/** Per mechanism: quadrature below 1e-14, a few elementary functions, and the rounding of tilt times loss. */
const RELATIVE_ERROR = 2 ** -44;

/**
 * Laplace noise of scale b on a statistic of sensitivity s, e = s / b: the loss is e with probability 1/2, -e with
 * probability e^-e / 2, and between them has density e^((L - e)/2) / 4.
 *
 * Derivation: for noise x from the true centre 0 and the neighbour's centre s, L = (|x - s| - |x|) / b, which is e for
 * x <= 0, -e for x >= s and (s - 2x) / b between, x having density e^(-x/b) / 2b there.
 */
export function laplacePair(epsilon: Decimal): SinglePair {
  const e: number = toUpper(epsilon);
  const approximateLogMoment = (tilt: number): number => {
    // 1/2 e^(te) + 1/2 e^(-e(1+t)) + (e/2) e^(-e(1+t)) (e^((2t+1)e) - 1) / ((2t+1)e), divided by e^(te)
    const span = (2 * tilt + 1) * e;
    const inner = (e / 2) * Math.exp(-span + logRelativeExpm1(span));
    return tilt * e + Math.log(0.5 + 0.5 * Math.exp(-span) + inner);
  };
  return {
    approximateLogMoment,
    largestTilt: LARGEST_EXPONENT / e,
    largestAtom: e,
    deviation: e * Math.sqrt(Math.min(1, 2 / 3 + e)),
    discretise(tilt, step) {
      const scale = approximateLogMoment(tilt);
      return discretiseSmooth(
        {
          parts: [
            alongItself({
              density: (loss) => 0.25 * Math.exp(tilt * loss - scale + (loss - e) / 2),
              from: -e,
              to: e,
              steepness: () => tilt + 2,
            }),
          ],
          atoms: [
            { loss: e, weight: 0.5 * Math.exp(tilt * e - scale) },
            { loss: -e, weight: 0.5 * Math.exp(-tilt * e - scale - e) },
          ],
          tilt,
          logScale: exactly(scale),
          relativeError: RELATIVE_ERROR + 8 * (tilt * e + Math.abs(scale) + e) * Number.EPSILON,
          lossError: 4 * UNIT_ROUNDOFF * e,
          leak: 0,
        },
        step,
      );
    },
  };
}

/** Below this the closed forms cancel. */
const SMALL = 0.25;

const ONE = exactly(1);

/** 1 - e^-x. */
const decayed = (x: Enclosure): Enclosure => negate(expm1(negate(x)));

/**
 * The expected loss of Laplace noise, e + e^-e - 1; e = sensitivity / scale > 0.
 *
 * It is also the zCDP parameter: D_a <= a (e + e^-e - 1) at every order a > 1, with equality as a tends to 1.
 *
 * [derived] With s = a - 1 >= 0, s D_a = ln((s + 1)/(2s + 1) e^(se) + s/(2s + 1) e^(-(s+1)e)) and s (s + 1) (e + e^-e - 1)
 * are both 0 at e = 0, and their derivatives in e are s (s + 1) (1 - x)/(s + 1 + s x) with x = e^(-(2s+1)e), and
 * s (s + 1) (1 - y) with y = e^-e. The second is the larger: g(y) = s (1 - x y) + (s + 1)(x - y) >= 0, because g(1) = 0
 * and g'(y) = (s + 1)((2s + 1) y^(2s) - 2s y^(2s+1) - 1) <= 0, what is subtracted from there growing up to 1 at y = 1.
 * Harrison, Manurangsi (2026), "Exact zCDP characterizations for fundamental differentially private mechanisms", prove
 * the same.
 *
 * Accuracy: for small e an alternating series with falling terms, of which two partial sums enclose it.
 */
export function laplaceKl(e: Enclosure): Enclosure {
  if (e.lower >= SMALL) return add(e, expm1(negate(e)));
  let term = e;
  return alternatingSum((n) => {
    term = divide(multiply(term, e), exactly(n + 2));
    return n % 2 === 0 ? term : negate(term);
  });
}

/** 1 - x / sinh x for x > 0. */
function sinhDefect(x: Enclosure): Enclosure {
  if (x.lower >= SMALL) {
    const ratio = divide(multiply(exactly(2), multiply(x, exponential(negate(x)))), decayed(multiply(exactly(2), x)));
    return subtract(ONE, ratio);
  }
  // (sinh x - x) / sinh x, sinh x - x = x^3/3! + x^5/5! + ...
  const square = multiply(x, x);
  let term = x;
  const above = halvingSum((n) => (term = divide(multiply(term, square), exactly((2 * n + 2) * (2 * n + 3)))));
  return divide(above, add(x, above));
}

/**
 * The expected loss of discrete Laplace noise, P(z) proportional to e^(-r |z|), on a statistic that changes by a whole
 * number: e - (r / sinh r)(1 - e^-e); e = sensitivity r > 0, r = 1 / scale > 0.
 *
 * It is also the zCDP parameter, with equality as the order tends to 1.
 *
 * [derived] With s = a - 1 and p = r / 2, m = 2s + 1, s D_a = s e + ln(1 - (1 - y)/(1 + c)), y = e^(-me) and
 * c = sinh((s + 1) r) / sinh(s r). As functions of a real sensitivity s D_a and s (s + 1) times the claim are both 0 at 0.
 * The derivative of their difference is r times q(Y) = s^2 - s (s + 1) Y r / sinh r + m y / (c + y), Y = e^-e, y = Y^m.
 * q falls in Y, as (by sinh x / x growing) Y^2s / (1 + y/c)^2 grows up to Y = 1, where q' <= 0 is
 * m^2 - f(mp)/f(p) <= (m^2 - 1) p coth p with f(x) = (x / sinh x)^2: equal at m = 1, and for the derivatives in m it is
 * enough that f falls and coth x - 1/x is concave from 0. So q is least at Y = 1, where 4 q =
 * m^2 + 1 - (m^2 - 1) p / (sinh p cosh p) - 2m tanh p coth(mp) is 0 at m = 1 and grows in m, as k(x)/x falls for
 * k = (x coth x)'. Harrison, Manurangsi (2026) prove the same.
 *
 * Accuracy: as laplaceKl, to which (1 - r / sinh r)(1 - e^-e) is added.
 */
export const discreteLaplaceKl = (e: Enclosure, rate: Enclosure): Enclosure =>
  add(laplaceKl(e), multiply(sinhDefect(rate), decayed(e)));
