import { writeLogRatio, type LineTransform, type LossTransform } from '../numeric/contour/transform.ts';
import { type Decimal, ONE } from '../numeric/decimal.ts';
import { exactly } from '../numeric/enclosure.ts';
import { discretiseUpward, observeCells } from '../numeric/lattice/discretise.ts';
import type { LossAtoms } from '../numeric/loss-atoms.ts';
import { UNIT_ROUNDOFF as U } from '../numeric/rounding.ts';
import { type LogAtom, atomsTransform } from './atoms-transform.ts';
import { atomicPair, type SinglePair } from './single-pair.ts';

const KEPT = 13;

/** sum over whole z of e^(-(z - centre)^2 / 2 sigma^2), to a few roundings per term; positive terms. */
function thetaSum(sigma: number, centre: number): number {
  const reach = Math.ceil(KEPT * sigma) + 1;
  const middle = Math.round(centre);
  let sum = 0;
  for (let d = reach; d >= 0; d--) {
    sum += Math.exp(-((middle + d - centre) ** 2) / (2 * sigma * sigma));
    if (d > 0) sum += Math.exp(-((middle - d - centre) ** 2) / (2 * sigma * sigma));
  }
  return sum;
}

/**
 * Discrete Gaussian noise, P(z) proportional to e^(-z^2 / 2 sigma^2) over the whole numbers, on a statistic whose
 * neighbours differ by the whole number s: the loss of z is (s^2 - 2 s z) / (2 sigma^2). Tilting by e^(t L) moves the
 * centre to -t s, so the values within 13 sigma of it carry all but 1e-36 of the weight.
 *
 * Source: Canonne, Kamath, Steinke, "The discrete Gaussian for differential privacy" (2020).
 */
export function discreteGaussianPair(sigma: number, sensitivity: number): SinglePair {
  const s = sensitivity;
  const rate = s / (sigma * sigma);
  const tilted = (tilt: number): LossAtoms => {
    const centre = -tilt * s;
    const reach = Math.ceil(KEPT * sigma) + 1;
    const from = Math.round(centre) - reach;
    const size = 2 * reach + 1;
    const normaliser = thetaSum(sigma, 0);
    const shifted = thetaSum(sigma, centre);
    // E[e^(tL)] = e^(t (1+t) s^2 / 2 sigma^2) theta(centre) / theta(0)
    const logScale = (tilt * (1 + tilt) * s * rate) / 2 + Math.log(shifted / normaliser);
    return {
      losses: Float64Array.from({ length: size }, (_, i) => rate * (s / 2 - (from + i))),
      weights: Float64Array.from(
        { length: size },
        (_, i) => Math.exp(-((from + i - centre) ** 2) / (2 * sigma * sigma)) / shifted,
      ),
      tilt,
      logScale: exactly(logScale),
      lossError: 4 * Number.EPSILON * rate * (s + Math.abs(centre) + reach),
      relativeError: (8 * size + 400 + 16 * Math.abs(logScale) + 64 * Math.abs(centre / sigma)) * Number.EPSILON,
      leak: 1e-34,
    };
  };
  return {
    approximateLogMoment: (tilt) => (tilt * (1 + tilt) * s * rate) / 2,
    largestTilt: 1e9 / (rate * sigma),
    largestAtom: null,
    deviation: rate * sigma,
    discretise(tilt, step) {
      const atoms = tilted(tilt);
      return { above: discretiseUpward(atoms, step), ...observeCells(atoms, step) };
    },
  };
}

/**
 * Discrete Laplace noise, P(z) proportional to r^|z| with r = e^(-1/scale), on a statistic whose neighbours differ by the
 * whole number s: the losses (s - 2j) / scale for j = 0..s. All z <= 0 give j = 0 and all z >= s give j = s, so their
 * masses are 1/(1+r), r^s/(1+r), and (1-r) r^j / (1+r) between.
 */
export function discreteLaplacePair(scale: Decimal, sensitivity: number): SinglePair {
  const { atoms, lossError, relativeError } = discreteLaplaceAtoms(scale, sensitivity);
  return atomicPair(atoms, sensitivity * ONE.div(scale).toNumber() * lossError, relativeError);
}

/** The losses of {@link discreteLaplacePair} with their probabilities; every loss is within `lossError` of itself, relatively. */
export function discreteLaplaceAtoms(
  scale: Decimal,
  sensitivity: number,
): { readonly atoms: readonly LogAtom[]; readonly lossError: number; readonly relativeError: number } {
  const rate = ONE.div(scale).toNumber();
  const base = -Math.log1p(Math.exp(-rate));
  const gap = Math.log(-Math.expm1(-rate));
  const atoms: LogAtom[] = [];
  for (let j = 0; j <= sensitivity; j++) {
    const inner = j > 0 && j < sensitivity ? gap : 0;
    atoms.push({ loss: (sensitivity - 2 * j) * rate, logMass: base + inner - j * rate });
  }
  const relativeError = (40 + 4 * sensitivity * rate + Math.abs(gap)) * Number.EPSILON;
  return { atoms, lossError: 2 * Number.EPSILON, relativeError };
}

/** Below this the values themselves are fewer than the terms of the dual sum. */
const NARROW = 0.6;
/** Standard deviations beyond which e^(-x^2/2) is below 1e-38. */
const REACH = 13.3;

/** sum over whole m of e^(-2 pi^2 v (m + y)^2 + 2 pi i m a), v the variance: real and imaginary part. */
function dualSum(variance: number, y: number, a: number): { re: number; im: number; terms: number } {
  const rate = 2 * Math.PI * Math.PI * variance;
  const reach = Math.ceil(REACH / Math.sqrt(2 * rate) + 0.5);
  const middle = -Math.round(y);
  let [re, im] = [0, 0];
  for (let m = middle - reach; m <= middle + reach; m++) {
    const weight = Math.exp(-rate * (m + y) ** 2);
    if (weight === 0) continue;
    const turn = 2 * Math.PI * ((m * a) % 1);
    re += weight * Math.cos(turn);
    im += weight * Math.sin(turn);
  }
  return { re, im, terms: 2 * reach + 1 };
}

/** At least ln((2 + 4 e^-r) / (1 - 4 e^-r)), r = 2 pi^2 v for the narrowest that is looked at. */
const NEXT_TWO = 0.71;

/** The part of x that is no whole number, in [-1/2, 1/2]. */
const fraction = (x: number): number => x - Math.round(x);

/** Few values: themselves, around the place to which the tilt moves them. */
function narrow(variance: number, s: number): LossTransform {
  const at = (c: number): LossTransform => {
    const centre = Math.round(-c * s);
    const reach = Math.ceil(REACH * Math.sqrt(variance)) + 2;
    const values = Array.from({ length: 2 * reach + 1 }, (_, i) => centre + i - reach);
    const around = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach);
    const whole = around.reduce((sum, k) => sum + Math.exp((-k * k) / (2 * variance)), 0);
    const atoms = values.map((k) => ({
      loss: (s * (s - 2 * k)) / (2 * variance),
      logMass: (-k * k) / (2 * variance) - Math.log(whole),
    }));
    return atomsTransform(atoms, 8 * U, 1e-30 + 64 * U);
  };
  return {
    terms: 2 * Math.ceil(REACH * Math.sqrt(variance)) + 5,
    logMoment: (c) => at(c).logMoment(c),
    on: (c) => at(c).on(c),
  };
}

/**
 * Discrete Gaussian noise, P(k) proportional to e^(-k^2 / 2v) over the whole numbers, for neighbours s apart: the loss of k
 * is (s^2 - 2sk) / 2v.
 *
 * With T(w) the sum of e^(-(k+w)^2 / 2v) over whole k, M(z) = e^(z(z+1) s^2 / 2v) T(zs) / T(0). By Poisson summation T is
 * a sum over whole m of e^(-2 pi^2 v m^2 + 2 pi i m w) up to a factor, and at z = c + it the two Gaussian factors cancel:
 * M(c + it) / M(c) = e^(i t (2c + 1) s^2 / 2v) D(y) / D(0), D(y) = sum of e^(-2 pi^2 v (m + y)^2 + 2 pi i m c s) and
 * y = t s / (2 pi v).
 *
 * @param variance - v, with a relative error of one rounding
 * @param s - a positive whole number
 */
export function discreteGaussianTransform(variance: number, s: number): LossTransform {
  if (Math.sqrt(variance) < NARROW) return narrow(variance, s);
  const rate = (s * s) / (2 * variance);
  const atZero = dualSum(variance, 0, 0).re;
  // The variance of values around a centre is at most v (1 + 16 pi^2 v e^(-2 pi^2 v) / (1 - 2 e^(-2 pi^2 v))), by the dual sum.
  const decay = Math.exp(-2 * Math.PI * Math.PI * variance);
  const widened = 1 + (20 * Math.PI * Math.PI * variance * decay) / (1 - 4 * decay);
  return {
    logMoment(c) {
      const { re, terms } = dualSum(variance, 0, fraction(c * s));
      const value = rate * c * (c + 1) + Math.log(re / atZero);
      // e^(-2 pi^2 v) is small against 1, and so is what is off in an angle.
      const error = 12 * U * rate * Math.abs(c * (c + 1)) + (24 * terms + 64 * decay * Math.abs(c) * s) * U;
      return { value, error };
    },
    on(c): LineTransform {
      const a = fraction(c * s);
      const whole = dualSum(variance, 0, a).re;
      const turnError = 64 * decay * Math.abs(c) * s * U;
      return {
        deviation: (s / Math.sqrt(variance)) * Math.sqrt(widened) * (1 + 1e-9),
        mean: (2 * c + 1) * rate - (4 * Math.PI * s * decay * Math.sin(2 * Math.PI * a)) / whole,
        logMost(t, radius) {
          const y = (t * s) / (2 * Math.PI * variance);
          const apart = Math.abs(fraction(y)) - (radius * s) / (2 * Math.PI * variance) - 1e-12 * (1 + y);
          // Of the two terms next to y neither is above e^(-2 pi^2 v apart^2), and all others are small.
          return apart <= 0 ? 0 : Math.min(0, NEXT_TWO - 2 * Math.PI * Math.PI * variance * apart * apart);
        },
        at(t, ratio) {
          const y = (t * s) / (2 * Math.PI * variance);
          const { re, im, terms } = dualSum(variance, y, a);
          const x = re / whole;
          // An exponent 2 pi^2 v (m + y)^2 is off by 4 pi^2 v |m + y| times 6 U y, and by 8 U of itself: x e^(-x^2 / 2) <= 0.61.
          const error = 24 * U * terms + 64 * Math.sqrt(variance) * y * U + turnError * (1 + Math.abs(Math.round(y)));
          writeLogRatio(x - 1, im / whole, error, ratio);
          const turn = t * (2 * c + 1) * rate;
          ratio.angle += turn;
          ratio.error += 16 * U * Math.abs(turn);
        },
      };
    },
  };
}

/** A sensitivity up to which the values are listed. */
const LISTED = 32;

/** Few losses (s - 2k) r: themselves. */
function listed(r: number, s: number): LossTransform {
  const logWhole = Math.log1p(Math.exp(-r));
  const logStep = Math.log(-Math.expm1(-r));
  const atoms = Array.from({ length: s + 1 }, (_, k) => ({
    loss: (s - 2 * k) * r,
    logMass: -k * r - logWhole + (k === 0 || k === s ? 0 : logStep),
  }));
  return atomsTransform(atoms, 4 * U, (32 + 8 * s * r + 8 * Math.abs(logStep)) * U);
}

/** Losses in closed form: their sum is geometric. */
function geometric(r: number, s: number): LossTransform {
  const e = r * s;
  const step = -Math.expm1(-r);
  /** The sum of the terms between the two ends, over e^(e s0) / 2, at its largest: q^ (1 - q') / (1 - q^). */
  const parts = (place: number) => {
    const q = Math.exp(-2 * e * place);
    const inner = Math.exp(-2 * place * (e - r));
    const outer = Math.exp(-2 * place * r);
    const ratio = place === 0 ? s - 1 : (outer * -Math.expm1(-2 * place * (e - r))) / -Math.expm1(-2 * place * r);
    return { q, inner, outer, whole: 1 + q + step * ratio, ratio };
  };
  return {
    logMoment(c) {
      const place = Math.abs(c + 0.5);
      const { whole } = parts(place);
      const value = e * (place - 0.5) + Math.log(whole) - Math.log1p(Math.exp(-r));
      return { value, error: (16 * e * (place + 1) + 64 + 16 * Math.abs(Math.log(whole))) * U };
    },
    on(c): LineTransform {
      const side = c < -0.5 ? -1 : 1;
      const place = Math.abs(c + 0.5);
      const { q, inner, outer, whole, ratio: atRest } = parts(place);
      const less = -Math.expm1(-2 * place * r);
      return {
        deviation: e,
        at(t, ratio) {
          const [far, near] = [e * t, r * t];
          const [cosFar, sinFar] = [Math.cos(far), Math.sin(far)];
          const [cosTop, sinTop] = [Math.cos(far - near), Math.sin(far - near)];
          const [bottomRe, bottomIm] = [less * Math.cos(near), (1 + outer) * Math.sin(near)];
          const [topRe, topIm] = [(1 - inner) * cosTop, (1 + inner) * sinTop];
          const square = bottomRe * bottomRe + bottomIm * bottomIm;
          const factor = (step * outer) / square;
          const [re, im] =
            square === 0
              ? [step * atRest, 0]
              : [factor * (topRe * bottomRe + topIm * bottomIm), factor * (topIm * bottomRe - topRe * bottomIm)];
          const below = Math.sqrt(square);
          const size = square === 0 ? atRest * step : (2 * step * outer) / below;
          const error = U * (48 + 12 * far + size * (48 + 12 * far + (square === 0 ? 0 : (8 * near) / below)));
          const x = ((1 + q) * cosFar + re) / whole;
          const y = ((1 - q) * sinFar + im) / whole;
          writeLogRatio(x - 1, side * y, error / whole + 4 * U, ratio);
        },
      };
    },
  };
}

/**
 * Discrete Laplace noise, P(k) proportional to e^(-r|k|), for neighbours s apart: the losses are (s - 2k) r for k = 0..s, of
 * probability e^(-rk) (1 - e^-r) / (1 + e^-r) between the ends and without the middle factor at them. With e = rs and
 * w = z + 1/2, M(z) = e^(-e/2) / (1 + e^-r) (2 cosh(ew) + (1 - e^-r) sinh(w(e - r)) / sinh(wr)).
 *
 * @param r - 1 / scale, with a relative error of one rounding
 * @param s - a positive whole number
 */
export const discreteLaplaceTransform = (r: number, s: number): LossTransform =>
  s <= LISTED ? listed(r, s) : geometric(r, s);
