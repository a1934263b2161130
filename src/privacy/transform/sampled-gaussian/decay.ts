import { UNIT_ROUNDOFF as U } from '../../../numeric/rounding.ts';
import type { SampledGaussian } from './likelihood.ts';
import { logAlias, logGrowth } from './strip.ts';
import type { Tilt } from './tilt.ts';

/** How the moments fall along a line: ln of a bound on |E[g^(w + it)]| / E[g^w] for all t from a place on, sought until it is `enough`. */
export type Decay = (t: number, enough: number) => number;

const MOST_TRIES = 8;
/** From one height to the next that is tried. */
const FACTOR = 1.5;

/**
 * With the integral taken over u + ia, 0 < b = a mu <= pi/2, where the argument of g is at least s sin b and its modulus
 * g r, r^2 = 1 - 4 s (1 - s) sin^2(b/2),
 *
 *   |E[g^(w + it)]| <= e^(a^2 / 2) E[g^w r^w e^(-t s sin b)] <= e^(a^2 / 2) E[g^w e^(-x s)],   x = t sin b + 4 min(w, 0) ln(1 / cos(b/2)),
 *
 * for any a; it falls with t. (The argument, as a function of s, is convex up to 1/2 and concave beyond, and its chords from 0
 * to 1/2 and to 1 are above its tangent at 0; -ln r is convex in 4 s (1 - s) <= 4 s.) The last is a sum over the nodes of
 * the tilt: at u + ia, Re s > 0, so that the rule is off by no more than where x = 0.
 */
export function decayOf(noise: SampledGaussian, { w, logMoment, stretch, height, off }: Tilt): Decay {
  const { mu } = noise;
  const { nodes, start, end } = stretch;
  const share = nodes.share.subarray(start, end);
  const size = end - start;
  const weights = new Float64Array(size);
  let [sum, error, mean, square] = [0, 0, 0, 0];
  for (let i = 0; i < size; i++) {
    const u = (nodes.low + start + i) * nodes.h;
    const power = w * nodes.loss[start + i]!;
    const weight = nodes.h * Math.exp(-0.5 * u * u + power - logMoment.value);
    weights[i] = weight;
    sum += weight;
    mean += weight * share[i]!;
    square += weight * share[i]! * share[i]!;
    // Of the weight, and of x s e^(-xs) <= 1, in which s has a relative error of that of e^l and 16 roundings.
    const roundings = 2 * u * u + 4 * Math.abs(power) + 4 * mu * (Math.abs(u) + mu) + 64;
    error += weight * (roundings * U + Math.abs(w) * nodes.lossError[start + i]!);
  }
  mean /= sum;
  const variance = Math.max(0, square / sum - mean * mean);
  const slack = 2 * (error / sum) + (4 * Math.abs(logMoment.value) + 4 * size) * U;
  const right = Math.min(height, Math.PI / 2 / mu);
  const rest = Math.exp(logAlias(Math.LN2 + logGrowth({ noise, w }, right), right, nodes.h)) + 4 * off;
  const highest = Math.PI / 2 / mu;
  const at = (t: number, a: number): number => {
    const x = t * Math.sin(a * mu) - 4 * Math.min(w, 0) * Math.log(Math.cos((a * mu) / 2));
    if (!(x > 0)) return 0;
    let left = 0;
    for (let i = 0; i < size; i++) left += weights[i]! * Math.exp(-x * share[i]!);
    return (a * a) / 2 + Math.log(left / sum + rest) + slack;
  };
  return (t, enough) => {
    if (!(t > 0)) return 0;
    // The best height if the share were normal.
    const slope = t * mu;
    let a = Math.min(highest, (slope * mean) / (1 + slope * slope * variance));
    let best = at(t, a);
    let factor = FACTOR;
    for (let tries = 0; tries < MOST_TRIES && best > enough; tries++) {
      const next = Math.min(highest, a * factor);
      const found = next === a ? Infinity : at(t, next);
      if (found < best) [best, a] = [found, next];
      else if (tries === 0) factor = 1 / FACTOR;
      else break;
    }
    return Math.min(0, best);
  };
}
