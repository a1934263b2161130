import type { LinearVariance } from '../../bounds/bounded-range/adaptive-gaussian.ts';
import { millsRatio } from './approximate-gaussian.ts';
import {
  conversionFactor,
  gaussianMoment,
  mirroredDelta,
  momentOfParts,
  rangeMoment,
  responseMoment,
  type ApproximateMoment,
  type ApproximateResampling,
  type Nearby,
} from './approximate-moments.ts';
import { approximateResponsesDelta } from './approximate-responses.ts';
import { FEW, varianceAbove } from './exact-bounded-range.ts';
import { chosenLambda } from './moment-bound.ts';

/** The guarantee of a resampling, in doubles: see ResamplingGuarantee. */
export type ApproximateStep =
  | { readonly kind: 'randomized-response'; readonly epsilon: number }
  | { readonly kind: 'bounded-range'; readonly epsilon: number }
  | { readonly kind: 'gaussian'; readonly muSquared: number };

/** L2P in doubles: how x is kept (see KeepProbability), and what a resampling is. */
export interface ApproximateRun {
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
  const kept = (1 - p) * Math.exp(logMost);
  const keptLess = kept * Math.exp(-change);
  const [switched, switchedMore] = [p - (1 - p) * Math.expm1(logMost), p - (1 - p) * Math.expm1(logMost - change)];
  const loss = Math.log1p((kept * -Math.expm1(-change)) / switched);
  const parts = [
    { rounds: 1, probability: 1 },
    { rounds: transitions - 1, probability: p - (1 - p) * Math.expm1(logLeast) },
    { rounds: transitions, probability: p },
  ].filter(({ rounds, probability }) => rounds > 0 && probability > 0);
  const deltas = deltaAfterFlag(step, parts, near).map((of) => {
    const after = mirroredDelta(of);
    return Math.max(
      switchedMore * after(epsilon - loss) + keptLess * after(epsilon + change),
      kept * after(epsilon - change) + switched * after(epsilon + loss),
    );
  });
  return Math.min(1, ...deltas);
}
