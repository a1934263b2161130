import type { Approximate } from '../../../numeric/approximate.ts';
import { UNIT_ROUNDOFF as U } from '../../../numeric/rounding.ts';
import type { NodesOf, Stretch } from './nodes.ts';
import { ALIAS, bestHeight, CUT, logAlias, logGrowth } from './strip.ts';

/** The noise under the tilt g^w, by a trapezoid rule on the real axis. */
export interface Tilt {
  readonly w: number;
  /** ln E[g^w]. */
  readonly logMoment: Approximate;
  /** About the mean of ln g. */
  readonly mean: number;
  /** At least the standard deviation of ln g. */
  readonly deviation: number;
  readonly stretch: Stretch;
  /** Up to where the strip of the rule reaches. */
  readonly height: number;
  /** What the rule is off by, relative to E[g^w]. */
  readonly off: number;
}

/** Sums over the nodes, all but the moment relative to it. */
interface Sums {
  readonly logMoment: Approximate;
  /** Of ln g, of its square, and of the square of its error. */
  readonly mean: number;
  readonly square: number;
  readonly lossOff: number;
}

/** A wider strip than this serves for no normal density. */
const WIDEST = 9;
/** Powers below e^LARGE are summed as what they are more than 1. */
const LARGE = 600;
/** A moment below it would be a difference of like numbers. */
const SMALL = 0.25;
const LOG_ROOT = 0.5 * Math.log(2 * Math.PI);

/**
 * E[g^w] - 1 as the sum of g^w - 1, so that no digits are lost where it is small. As E[g^w] >= 1 but for 0 < w < 1, errors
 * relative to the normal density are no larger relative to E[g^w]. null where powers are too large, or the moment too small.
 */
function byExcess({ nodes: { h, low, density, loss, lossError }, start, end }: Stretch, w: number): Sums | null {
  if (w * loss[w > 0 ? end - 1 : start]! > LARGE) return null;
  let [excess, total, placeError, powerError, mean, square, lossOff] = [0, 0, 0, 0, 0, 0, 0];
  for (let i = start; i < end; i++) {
    const u = (low + i) * h;
    const value = loss[i]!;
    const error = lossError[i]!;
    const plain = density[i]!;
    const part = plain * Math.expm1(w * value);
    const weight = plain + part;
    const much = Math.abs(part);
    const levered = weight * value;
    excess += part;
    total += much;
    placeError += much * (u * u + 32);
    powerError += weight * error + 2 * U * Math.abs(levered);
    mean += levered;
    square += levered * value;
    lossOff += weight * error * error;
  }
  const moment = 1 + excess;
  if (moment < SMALL) return null;
  const error = (placeError + (end - start) * total) * U + Math.abs(w) * powerError;
  const value = Math.log1p(excess);
  return {
    logMoment: { value, error: (error / moment) * (1 + 1e-9) + 8 * U * Math.abs(value) },
    mean: mean / moment,
    square: square / moment,
    lossOff: lossOff / moment,
  };
}

/** The same by logarithms. */
function byLogarithms({ nodes: { h, low, loss, lossError }, start, end }: Stretch, w: number): Sums {
  const exponent = (i: number): number => {
    const u = (low + i) * h;
    return -0.5 * u * u + w * loss[i]!;
  };
  let top = -Infinity;
  for (let i = start; i < end; i++) top = Math.max(top, exponent(i));
  let [sum, off, mean, square, lossOff] = [0, 0, 0, 0, 0];
  for (let i = start; i < end; i++) {
    const u = (low + i) * h;
    const value = loss[i]!;
    const error = lossError[i]!;
    const weight = Math.exp(exponent(i) - top);
    sum += weight;
    off += weight * ((2 * u * u + 4 * Math.abs(w * value) + 2 * Math.abs(top)) * U + Math.abs(w) * error);
    mean += weight * value;
    square += weight * value * value;
    lossOff += weight * error * error;
  }
  const value = top + Math.log(sum * h) - LOG_ROOT;
  const error = off / sum + (end - start + 32) * U + 8 * U * (Math.abs(top) + 16);
  return { logMoment: { value, error }, mean: mean / sum, square: square / sum, lossOff: lossOff / sum };
}

/**
 * The tilt w; null where it would take more than `most` nodes.
 *
 * The deviation: with m the mean by the nodes, let V be E[(ln g - m)^2]. At u + ia, |ln g - m| is at most that at u plus
 * k = b - ln cos(b/2), so that the rule is off by at most 2 off (V + k^2). As ln g has a slope of at most mu, and the ends are d
 * from m, what lies beyond them is at most 2 (d^2 + mu^2) times their probability, the tails being no heavier than normal
 * ones.
 */
export function tiltOf(nodesOf: NodesOf, w: number, most: number): Tilt | null {
  const { noise } = nodesOf;
  const { mu } = noise;
  const strip = { noise, w };
  const stepFor = (height: number): number => (2 * Math.PI * height) / (ALIAS + Math.LN2 + logGrowth(strip, height));
  const height = bestHeight(strip, WIDEST, stepFor);
  const stretch = nodesOf.for(w, stepFor(height), most);
  if (stretch === null) return null;
  const { nodes, start, end } = stretch;
  const off = Math.exp(logAlias(Math.LN2 + logGrowth(strip, height), height, nodes.h)) + CUT;
  const { logMoment, mean, square, lossOff } = byExcess(stretch, w) ?? byLogarithms(stretch, w);
  const wide = height * mu - Math.log(Math.cos((height * mu) / 2));
  const furthest = Math.max(mean - nodes.loss[start]!, nodes.loss[end - 1]! - mean);
  const rest = 4 * off * (wide * wide + furthest * furthest + mu * mu) + 1e-12 * square;
  const variance = Math.max(0, square - mean * mean) + rest;
  return {
    w,
    // A sum of the excess is off by that of the normal density too, which is at most `off` over SMALL times the moment.
    logMoment: { value: logMoment.value, error: logMoment.error + (2 + 1 / SMALL) * off },
    mean,
    deviation: (Math.sqrt(variance) + Math.sqrt(lossOff)) * (1 + 1e-6),
    stretch,
    height,
    off,
  };
}
