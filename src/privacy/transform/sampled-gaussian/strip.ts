import { likelihoodAt, logOfRest, type SampledGaussian } from './likelihood.ts';

/**
 * The trapezoid rule for integrals of phi(u) g(u)^(w + it), phi the normal density, t >= 0.
 *
 * At u + ia, with b = a mu and s = rate e^l / g, g is g(u) (1 - s + s e^ib): of modulus g(u) r, r^2 = 1 - 4 s (1 - s) sin^2(b/2)
 * between cos^2(b/2) and 1, and of argument A between 0 and b, as long as 0 <= b < pi. So there the integrand has no
 * singularity, and its modulus is e^(a^2 / 2) r^w e^(-tA) phi g^w, at most, whatever t is,
 *
 *   growth(a) E[g^w] if it is integrated,   growth(a) = e^(a^2 / 2) cos(b/2)^min(w, 0).
 *
 * For w < 0 and b <= pi/2 the modulus of g is no less than its real part, which is at least rest, and E[g^w] >= 1 by Jensen's
 * inequality, so that e^(a^2 / 2) rest^w will do too. For t = 0 the same holds at u - ia.
 *
 * By Poisson summation a rule of step h is off by at most 1 / (e^(2 pi d / h) - 1) times the integral of the modulus on a line at
 * distance d, for the lines above and below.
 */
export interface Strip {
  readonly noise: SampledGaussian;
  /** The tilt. */
  readonly w: number;
}

/** ln growth(a). */
export function logGrowth({ noise, w }: Strip, a: number): number {
  const b = a * noise.mu;
  if (w >= 0) return (a * a) / 2;
  const grown = w * Math.log(Math.cos(b / 2));
  return (a * a) / 2 + (b < Math.PI / 2 ? Math.min(grown, w * logOfRest(noise)) : grown);
}

/** ln of what a rule is off by for one line, its integral e^logSize, at a distance. */
export const logAlias = (logSize: number, distance: number, h: number): number => {
  const turns = (2 * Math.PI * distance) / h;
  return logSize - turns - Math.log1p(-Math.exp(-turns)) + 1e-9;
};

/** -ln of what a rule may be off by: less than roundings are. */
export const ALIAS = 40;

/** Nodes reach so far beyond where the integrand is large; see `rangeOf`. */
export const REACH = 9.3;
/** Bounds what lies beyond them, relative to E[g^w]: 2 e^(-REACH^2 / 2). */
export const CUT = 2 * Math.exp((-REACH * REACH) / 2) * (1 + 1e-9);
/** How near a mode is looked for. */
const NEAR = 0.5;
/** Below a singularity by this part. */
const BELOW = 0.97;
const LOWER = 0.85;

/** The height below `most` for which `step` is largest, about. */
export function bestHeight({ noise: { mu } }: Strip, most: number, step: (height: number) => number): number {
  let height = Math.min(most, (BELOW * Math.PI) / mu);
  while (step(height * LOWER) > step(height)) height *= LOWER;
  return height;
}

const DIGITS = 5;

/** A number of few binary digits at most x, so that its multiples are exact, and that tilts like each other have it in common. */
export function shortStep(x: number): number {
  const unit = 2 ** (Math.floor(Math.log2(x)) - DIGITS + 1);
  return Math.floor(x / unit) * unit;
}

/** For w < 0: at most where g^w phi is largest, and less by no more than NEAR. There u = w mu s(u), which falls with u. */
export function leastMode(noise: SampledGaussian, w: number): number {
  const mean = (u: number): number => w * noise.mu * likelihoodAt(noise, u).share;
  let [low, high] = [mean(0), 0];
  while (high - low > NEAR) {
    const middle = (low + high) / 2;
    if (mean(middle) > middle) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Where the nodes are: all of the integral but a part of 2 e^(-REACH^2 / 2) lies between them, and so does the sum.
 *
 * For w >= 0, g^w rises. Left of -R the integral is at most g(-R)^w Q(R), Q the normal tail, and right of 0 at least g(0)^w / 2. And
 * g^w phi is e^(w (w-1) mu^2 / 2) (rate + rest e^-l)^w phi(u - w mu), whose power falls, so that right of w mu + R is at most
 * 2 Q(R) of it again. For w < 0 the integrand is log-concave, with a curvature of at least 1, as ln g is convex. Its tails are
 * then lighter than normal ones about its mode, which is where u = w mu s(u); again 2 Q(R). All these bounds are integrals of what
 * falls, so they bound the rest of the sum. Q(R) <= e^(-R^2 / 2) / 2.
 */
export function rangeOf(noise: SampledGaussian, w: number): { from: number; to: number } {
  if (w >= 0) return { from: -REACH, to: w * noise.mu + REACH };
  // To the right as far as the normal density itself, which is summed too.
  return { from: leastMode(noise, w) - REACH - 1e-9, to: REACH };
}
