import type { LinearVariance } from '../../bounds/bounded-range/adaptive-gaussian.ts';
import { minimumNear } from '../../numeric/convex/minimum-near.ts';
import {
  conversionFactor,
  gaussianMoment,
  millsRatio,
  mirroredDelta,
  momentOfParts,
  rangeMoment,
  responseMoment,
  type ApproximateMoment,
  type ApproximateResampling,
  type Nearby,
} from './approximate-moments.ts';
import { FEW, varianceAbove } from './exact-bounded-range.ts';
import { chosenLambda } from './moment-bound.ts';

/** So many standard deviations of the tilted loss are told apart, and so many of its Fourier transform are summed. */
const WINDOW = 18;
const REACH = 7;

/** The least tilt, over that which moves the loss by a standard deviation, and how finely its pole is resolved. */
const LEAST_TILT = 0.5;
const RESOLUTION = 26;

/** Beyond this tilted weights under- or overflow. */
const LARGEST_TILT = 40;

/** How close the tilt is to the best one, in its logarithm: any near it will do. */
const TILT_TOLERANCE = 0.05;

/** ln of what is too little to matter. */
const NEGLIGIBLE = -25;

/**
 * About delta at x >= 0 of rounds in which with these chances a randomized response of this epsilon is played: its loss
 * lies on the multiples of epsilon, so delta is an integral over one period of the transform of that loss, tilted to where
 * it matters, times that of (1 - e^(x - loss)) over the multiples beyond x, a difference of two geometric series.
 */
function approximateResponsesDelta(
  epsilon: number,
  parts: readonly ApproximateResampling[],
  near: Nearby,
): (x: number) => number {
  const [up, down] = [1 / (1 + Math.exp(-epsilon)), 1 / (1 + Math.exp(epsilon))];
  const all = momentOfParts(responseMoment(epsilon), parts);
  const largest = parts.reduce((sum, { rounds }) => sum + rounds, 0);
  const spread = epsilon * Math.sqrt(parts.reduce((sum, { rounds, probability }) => sum + rounds * probability, 0));
  return (x) => {
    const first = Math.floor(x / epsilon) + 1;
    if (first > largest) return 0;
    const exponent = (order: number): number => all(order) + conversionFactor(order) - order * x;
    const [from, to] = [LEAST_TILT / spread, LARGEST_TILT / epsilon];
    const lambda = minimumNear(exponent, near.tilt, { from, to, tolerance: TILT_TOLERANCE });
    near.tilt = lambda;
    const [risen, fallen] = [up * Math.exp(lambda * epsilon), down * Math.exp(-lambda * epsilon)];
    const scale = all(lambda);
    let [mean, variance, logOpposite] = [0, 0, 0];
    for (const { rounds, probability: q } of parts) {
      const [norm, drift] = [1 + q * (risen + fallen - 1), q * (risen - fallen)];
      mean += (rounds * drift) / norm;
      variance += rounds * ((q * (risen + fallen)) / norm - (drift / norm) ** 2);
      logOpposite += rounds * Math.log(Math.abs(1 - q * (1 + risen + fallen)) / norm);
    }
    const deviation = Math.sqrt(Math.max(0, variance));
    const window = WINDOW * deviation + Math.abs(mean - first) + RESOLUTION / Math.min(1, lambda * epsilon);
    const period = 4 * Math.ceil(window / 4 + 2);
    const reach = Math.ceil((REACH * period) / (2 * Math.PI * deviation));
    // Where something is resampled in nearly every round losses are nearly all even, or odd: a second peak half a turn away.
    const whole = 4 * reach >= period;
    const half = whole ? period / 2 : reach;
    const peaks = whole || logOpposite < NEGLIGIBLE ? [0] : [0, period / 2];
    const [decay, further] = [Math.exp(-lambda * epsilon), Math.exp(-(lambda + 1) * epsilon)];
    const rise = Math.exp(x - first * epsilon);
    /** The real part of one term: that of -k is the same. */
    const termAt = (k: number): number => {
      const angle = (2 * Math.PI * k) / period;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      let [logSize, turn] = [-scale, -angle * first];
      for (const { rounds, probability: q } of parts) {
        const re = 1 - q + q * (risen + fallen) * cos;
        const im = q * (risen - fallen) * sin;
        logSize += (rounds / 2) * Math.log(re * re + im * im);
        turn += rounds * Math.atan2(im, re);
      }
      if (logSize < 2 * NEGLIGIBLE) return 0;
      // 1 / (1 - decay e^(-i angle)) less rise / (1 - further e^(-i angle)).
      const near = 1 + decay * (decay - 2 * cos);
      const far = 1 + further * (further - 2 * cos);
      const re = (1 - decay * cos) / near - (rise * (1 - further * cos)) / far;
      const im = (-decay * sin) / near + (rise * further * sin) / far;
      return Math.exp(logSize) * (re * Math.cos(turn) - im * Math.sin(turn));
    };
    let sum = 0;
    for (const peak of peaks) {
      sum += termAt(peak);
      for (let k = 1; k < half; k++) sum += 2 * termAt(peak + k);
      sum += (whole ? 1 : 2) * termAt(peak + half);
    }
    return Math.max(0, (sum / period) * Math.exp(scale - lambda * first * epsilon));
  };
}

/** The guarantee of a resampling, in doubles: see ResamplingGuarantee. */
export type ApproximateStep =
  | { readonly kind: 'randomized-response'; readonly epsilon: number }
  | { readonly kind: 'bounded-range'; readonly epsilon: number }
  | { readonly kind: 'gaussian'; readonly muSquared: number };

/** L2P in doubles: how x is kept (see KeepProbability), and what a resampling is. */
interface ApproximateRun {
  readonly transitions: number;
  readonly fakeSwitch: number;
  readonly logMost: number;
  readonly logLeast: number;
  readonly change: number;
  readonly step: ApproximateStep;
}

/** In ln lambda: less close than where the result is certified. */
const TOLERANCE = 2e-4;

/** The same where it only says which losses matter. */
const COARSE = 0.02;

/** Beyond this e^h would overflow. */
const LARGEST_MOMENT = 500;

function aboutLambda(exponent: (lambda: number) => number, near: Nearby, tolerance = TOLERANCE): number {
  near.lambda = chosenLambda(exponent, { near: near.lambda, tolerance });
  return near.lambda;
}

function momentOf(step: ApproximateStep): ApproximateMoment {
  switch (step.kind) {
    case 'randomized-response':
      return responseMoment(step.epsilon);
    case 'bounded-range':
      return rangeMoment(step.epsilon);
    case 'gaussian':
      return gaussianMoment(step.muSquared);
  }
}

type DeltaAt = (x: number) => number;

function byMoment(step: ApproximateStep, parts: readonly ApproximateResampling[], near: Nearby): DeltaAt {
  const all = momentOfParts(momentOf(step), parts);
  return (x) => {
    const exponent = (lambda: number): number => all(lambda) + conversionFactor(lambda) - lambda * x;
    return Math.exp(Math.min(0, exponent(aboutLambda(exponent, near))));
  };
}

/** From so many deviations below its mean on a loss exceeds an epsilon for certain, as far as doubles go. */
const FAR_BELOW = -30;

/**
 * About delta of Gaussians of mu^2 = first + each k, k the count: their loss, tilted to where it matters, is taken to be
 * normal, as it is for a count that is known.
 */
function byGaussians({ first, each }: LinearVariance, parts: readonly ApproximateResampling[], near: Nearby): DeltaAt {
  const moment = gaussianMoment(each);
  const [counted, certain] = [momentOfParts(moment, parts), gaussianMoment(first)];
  return (x) => {
    const exponent = (order: number): number => counted(order) + certain(order) - order * x;
    const lambda = aboutLambda((order) => exponent(order) + conversionFactor(order), near, COARSE);
    const slope = lambda + 0.5;
    const grown = Math.expm1(Math.min(LARGEST_MOMENT, moment(lambda)));
    let [mean, variance] = [first * slope, first];
    for (const { rounds, probability } of parts) {
      const tilted = (probability * (1 + grown)) / (1 + probability * grown);
      mean += rounds * tilted * each * slope;
      variance += rounds * tilted * each * (1 + (1 - tilted) * each * slope * slope);
    }
    const deviation = Math.sqrt(variance);
    const at = (x - mean) / deviation;
    if (at < FAR_BELOW) return 1;
    const tail = millsRatio(at + lambda * deviation) - millsRatio(at + (lambda + 1) * deviation);
    return (Math.exp(exponent(lambda) - (at * at) / 2) * tail) / Math.sqrt(2 * Math.PI);
  };
}

function deltaAfterFlag(
  step: ApproximateStep,
  parts: readonly ApproximateResampling[],
  near: Nearby,
): readonly DeltaAt[] {
  switch (step.kind) {
    case 'gaussian':
      return [byGaussians({ first: 0, each: step.muSquared }, parts, near)];
    case 'randomized-response':
      return [approximateResponsesDelta(step.epsilon, parts, near)];
    case 'bounded-range': {
      const mean = parts.reduce((sum, { rounds, probability }) => sum + rounds * probability, 0);
      const variance = varianceAbove(step.epsilon, mean);
      return [
        ...(variance === null ? [] : [byGaussians(variance, parts, near)]),
        ...(variance === null || mean <= FEW ? [byMoment(step, parts, near)] : []),
        ...(mean <= FEW ? [approximateResponsesDelta(step.epsilon, parts, near)] : []),
      ];
    }
  }
}

/** About the delta that exactAccounting gives, from above, at an epsilon of at least 0. */
export function approximateDelta(run: ApproximateRun, epsilon: number, near: Nearby = { lambda: 1, tilt: 1 }): number {
  const { transitions, fakeSwitch: p, logMost, logLeast, change, step } = run;
  if (transitions === 0) return 0;
  const keepMass = (1 - p) * Math.exp(logMost);
  const keptLess = keepMass * Math.exp(-change);
  const [switched, switchedMore] = [p - (1 - p) * Math.expm1(logMost), p - (1 - p) * Math.expm1(logMost - change)];
  const loss = Math.log1p((keepMass * -Math.expm1(-change)) / switched);
  const parts = [
    { rounds: 1, probability: 1 },
    { rounds: transitions - 1, probability: p - (1 - p) * Math.expm1(logLeast) },
    { rounds: transitions, probability: p },
  ].filter(({ rounds, probability }) => rounds > 0 && probability > 0);
  const deltas = deltaAfterFlag(step, parts, near).map((of) => {
    const after = mirroredDelta(of);
    return Math.max(
      switchedMore * after(epsilon - loss) + keptLess * after(epsilon + change),
      keepMass * after(epsilon - change) + switched * after(epsilon + loss),
    );
  });
  return Math.min(1, ...deltas);
}
