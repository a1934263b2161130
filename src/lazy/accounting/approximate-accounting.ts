import { approximateGaussianDelta } from './approximate-gaussian.ts';
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
import { likelyCounts } from './approximate-count.ts';
import { approximateResponsesDelta } from './approximate-responses.ts';
import { FEW } from './exact-bounded-range.ts';
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

/** The same where it only says which counts matter. */
const COARSE = 0.02;

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

/** About delta of a count of Gaussians, from the law of that count where it matters at this x. */
function byGaussians(muSquared: number, parts: readonly ApproximateResampling[], near: Nearby): DeltaAt {
  const moment = gaussianMoment(muSquared);
  const all = momentOfParts(moment, parts);
  return (x) => {
    const tilt = moment(aboutLambda((order) => all(order) + conversionFactor(order) - order * x, near, COARSE));
    const law = parts
      .map(({ rounds, probability }) => likelyCounts(rounds, probability, tilt))
      .reduce((known, next) =>
        known.flatMap((a) =>
          next.map((b) => ({ count: a.count + b.count, probability: a.probability * b.probability })),
        ),
      );
    return law.reduce((sum, { count, probability }) => {
      const mu = Math.sqrt(count * muSquared);
      return sum + (mu === 0 ? 0 : probability * approximateGaussianDelta(mu, x));
    }, 0);
  };
}

function deltaAfterFlag(
  step: ApproximateStep,
  parts: readonly ApproximateResampling[],
  near: Nearby,
): readonly DeltaAt[] {
  switch (step.kind) {
    case 'gaussian':
      return [byGaussians(step.muSquared, parts, near)];
    case 'randomized-response':
      return [approximateResponsesDelta(step.epsilon, parts, near)];
    case 'bounded-range': {
      const few = parts.reduce((sum, { rounds, probability }) => sum + rounds * probability, 0) <= FEW;
      return [byMoment(step, parts, near), ...(few ? [approximateResponsesDelta(step.epsilon, parts, near)] : [])];
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
