import { writeLogRatio, type LossTransform } from '../numeric/contour/transform.ts';
import { toUpper, type Decimal } from '../numeric/decimal.ts';
import { enclosure, exactly, type Enclosure, type Approximate } from '../numeric/enclosure.ts';
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
import { alongItself, discretiseSmooth } from '../numeric/lattice/discretise-density.ts';
import { UNIT_ROUNDOFF, UNIT_ROUNDOFF as U } from '../numeric/rounding.ts';
import { LARGEST_EXPONENT, type SinglePair } from './single-pair.ts';

/** Terms below this share of a sum no longer change it. */
const NEGLIGIBLE = 2 ** -60;
/** Terms below this have no digits left, and no longer fall. */
const SMALLEST = 1e-290;

/**
 * The sum of a series whose terms alternate in sign and fall in size: any two partial sums in a row enclose it.
 *
 * @param term - the n-th term with its sign, n = 0, 1, ...
 */
function alternatingSum(term: (n: number) => Enclosure): Enclosure {
  let sum = exactly(0);
  for (let n = 0; ; n++) {
    const next = term(n);
    const before = sum;
    sum = add(sum, next);
    const size = Math.max(Math.abs(next.lower), Math.abs(next.upper));
    if (size <= NEGLIGIBLE * Math.abs(sum.lower) || size <= SMALLEST) {
      return enclosure(Math.min(sum.lower, before.lower), Math.max(sum.upper, before.upper));
    }
  }
}

/**
 * The sum of a series of terms of at least 0, each at most half of the one before: what is left out is at most the last
 * term.
 *
 * @param term - the n-th term, n = 0, 1, ...
 */
function halvingSum(term: (n: number) => Enclosure): Enclosure {
  let sum = exactly(0);
  for (let n = 0; ; n++) {
    const next = term(n);
    sum = add(sum, next);
    if (next.upper <= NEGLIGIBLE * sum.lower || next.upper <= SMALLEST)
      return enclosure(sum.lower, add(sum, next).upper);
  }
}

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

/** Nearer to -1/2 the moment would be a difference of like numbers. */
const NEAR_MIDDLE = 0.02;

/** ln M(c), M(c) = ((1+c) e^(ec) + c e^(-e(1+c))) / (1 + 2c), the same at -1 - c. */
function logMoment(e: number, place: number): Approximate {
  const c = Math.max(place, -1 - place);
  const [up, down] = [(1 + c) / (1 + 2 * c), c / (1 + 2 * c)];
  const span = e * (1 + 2 * c);
  if (1 + 2 * c < NEAR_MIDDLE) {
    // M is convex, and least in the middle: between its value there and that at the edge of what is computed.
    const edge = logMoment(e, -0.5 + 0.6 * NEAR_MIDDLE);
    const inMiddle = -e / 2 + Math.log1p(e / 2);
    return { value: edge.value, error: edge.error + Math.abs(edge.value - inMiddle) + 1e-12 };
  }
  if (e * Math.abs(c) <= 1 && span <= 30) {
    const [a, b] = [up * Math.expm1(e * c), down * Math.expm1(-e * (1 + c))];
    const excess = a + b;
    const value = Math.log1p(excess);
    return { value, error: (24 * U * (Math.abs(a) + Math.abs(b))) / (1 + excess) + 8 * U * Math.abs(value) };
  }
  // e^(ec) (up + down e^-span)
  const inner = down * Math.exp(-span);
  const value = e * c + Math.log(up + inner);
  return {
    value,
    error: 16 * U * (e * Math.abs(c) + 1) + (16 * U * (Math.abs(up) + Math.abs(inner) * (1 + span))) / (up + inner),
  };
}

/** What is the same on both sides of the middle: s = |c + 1/2|, q = e^(-2es), and E[e^(cL)] over e^(e(s - 1/2)) / 2 = 1 + q + mean. */
function tilted(e: number, c: number): { s: number; q: number; less: number; mean: number; whole: number } {
  const s = Math.abs(c + 0.5);
  const q = Math.exp(-2 * e * s);
  const less = -Math.expm1(-2 * e * s);
  // (1 - q) / (2s), also where s is 0.
  const mean = s === 0 ? e : less / (2 * s);
  return { s, q, less, mean, whole: 1 + q + mean };
}

/**
 * Laplace noise, e = sensitivity / scale: loss e with probability 1/2, -e with probability e^-e / 2, between them the
 * density e^((L-e)/2) / 4. With s = z + 1/2, M(z) = e^(-e/2) (cosh(es) + sinh(es) / (2s)).
 *
 * @param e - positive, with a relative error of one rounding
 */
export function laplaceTransform(e: number): LossTransform {
  return {
    logMoment: (c) => logMoment(e, c),
    besideAtoms(c) {
      // The density's part of the moment is sinh(es) / (2s), and |2s| is at least 2t.
      const { q, whole } = tilted(e, c);
      return { atoms: ((1 + q) / whole) * (1 + 64 * U), fall: ((1 + q) / whole / 2) * (1 + 64 * U) };
    },
    on(c) {
      // M is even in s: on the other side of the middle angles turn the other way.
      const side = c < -0.5 ? -1 : 1;
      const { s, q, less, mean, whole } = tilted(e, c);
      const more = 1 + q;
      // The square of the distance from e: density e^(-sy) / 2 up to 2e, and q at 2e, over 1 + q + mean.
      const square = (Math.min(1 / s ** 3, (4 * e ** 3) / 3) + 4 * e * e * q) / whole;
      // The slope in s of 1 + q + less / (2s).
      const slope = (e * q - less / (2 * s)) / s - 2 * e * q;
      return {
        deviation: Math.min(e, Math.sqrt(square)) * (1 + 1e-9),
        mean: s < 1e-6 ? 0 : side * (e + slope / whole),
        at(t, ratio) {
          const turn = e * t;
          const [half, rest] = [Math.sin(turn / 2), Math.cos(turn / 2)];
          const [fall, sine] = [-2 * half * half, 2 * half * rest];
          // sinh(es) / (2s) less its value at t = 0, both over e^(es) / 2.
          const [a, b] = [less * fall, more * sine - 2 * mean * t];
          const twice = 2 * (s * s + t * t);
          const [x, y] = [more * fall + (a * s + b * t) / twice, less * sine + (b * s - a * t) / twice];
          const far = Math.sqrt(s * s + t * t);
          const error =
            24 * U * (3 * Math.min(turn, 4) + turn + (3 * Math.min(turn, 4) + turn + 2 * mean * t) / (2 * far));
          writeLogRatio(x / whole, (side * y) / whole, error / whole, ratio);
        },
      };
    },
  };
}

/** ln of the probability of the losses e and -e, which are those of randomized response then: ln((1 + e^-e) / 2). */
export const logAtomsOfLaplace = (e: number): Approximate => ({
  value: Math.log1p(Math.expm1(-e) / 2),
  error: 16 * U * Math.abs(Math.log1p(Math.expm1(-e) / 2)),
});
