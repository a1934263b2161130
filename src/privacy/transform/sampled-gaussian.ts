import type { Approximate } from '../../numeric/approximate.ts';
import type { LineTransform, LogRatio, LossTransform } from '../../numeric/contour/transform.ts';
import { UNKNOWN_LINE } from '../../numeric/contour/unknown-line.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import { coarseLogMoment } from './sampled-gaussian/coarse-moment.ts';
import { decayOf } from './sampled-gaussian/decay.ts';
import type { SampledGaussian } from './sampled-gaussian/likelihood.ts';
import { NodesOf } from './sampled-gaussian/nodes.ts';
import { shiftedOn, type Shifted } from './sampled-gaussian/shifted.ts';
import { tiltOf, type Tilt } from './sampled-gaussian/tilt.ts';

export { logOfRest, type SampledGaussian } from './sampled-gaussian/likelihood.ts';

/** One Gaussian mechanism on a Poisson sample, for neighbours of which one has a record more. */
export interface SampledGaussianLosses {
  /** ln g under rate P + rest Q: the loss where the record is removed. */
  readonly remove: LossTransform;
  /** -ln g under Q: the loss where it is added. */
  readonly add: LossTransform;
  /** ln E_Q[g^w] for any real w: w = alpha (remove) or 1 - alpha (add) is the Renyi divergence of order alpha, times alpha - 1. */
  readonly logMoment: (w: number) => Approximate;
}

/** Tilts and lines that are kept. */
const KEPT = 64;
/** Of a line so many values are kept. */
const KEPT_ON_LINE = 512;
/** About as many nodes as a rule has. */
const TERMS = 100;
/** A moment between bounds so near to each other, relatively, is not integrated. */
const NARROW = 1e-13;
/** More nodes than this are too many where the best line is looked for. */
const FEW_NODES = 2 ** 11;
const MANY_NODES = 2 ** 19;

/** The function, remembering its values: a line is asked for the same ones whatever width is wanted. */
function remembering(make: () => Shifted): Shifted {
  const known = new Map<number, LogRatio>();
  let shifted: Shifted | null = null;
  return (t, ratio) => {
    const found = known.get(t);
    if (found !== undefined) {
      Object.assign(ratio, found);
      return;
    }
    shifted ??= make();
    shifted(t, ratio);
    if (known.size < KEPT_ON_LINE) known.set(t, { ...ratio });
  };
}

/**
 * Poisson-sampled Gaussian noise, with g = rest + rate dP/dQ, P = N(mu, 1) and Q = N(0, 1): M(z) = E_Q[g^(z+1)] of the loss
 * where the record is removed, E_Q[g^-z] where it is added. Moments are trapezoid sums over the noise with a bound on their
 * error (see Strip), which both directions have in common.
 *
 * Source: Zhu, Dong, Wang 2022, Theorem 11, is that these two losses are the dominating ones; the enclosure is derived.
 */
export function sampledGaussianLosses(noise: SampledGaussian): SampledGaussianLosses {
  const nodesOf = new NodesOf(noise);
  const tilts = new LruCache<Tilt | null>(KEPT);
  const fewAt = (w: number): Tilt | null => tilts.get(String(w), () => tiltOf(nodesOf, w, FEW_NODES));

  const logMoment = (w: number, tiltAt: (w: number) => Tilt | null): Approximate => {
    const coarse = coarseLogMoment(noise, w);
    if (coarse.error <= NARROW * Math.abs(coarse.value)) return coarse;
    const fine = tiltAt(w)?.logMoment ?? coarse;
    return fine.error < coarse.error ? fine : coarse;
  };

  /** The line of -ln g has the conjugate moments of that of ln g. */
  const lines = (sign: 1 | -1): ((w: number) => LineTransform) => {
    const known = new LruCache<LineTransform>(KEPT);
    const lineOf = (w: number): LineTransform => {
      const tilt = fewAt(w);
      if (tilt === null) return UNKNOWN_LINE;
      const shifted = remembering(() => shiftedOn(nodesOf, tilt));
      let decay: ReturnType<typeof decayOf> | null = null;
      return {
        deviation: tilt.deviation,
        mean: sign * tilt.mean,
        logMost: (t, radius, enough) => (decay ??= decayOf(noise, tilt))(t - radius, enough),
        at(t, ratio) {
          shifted(t, ratio);
          ratio.angle *= sign;
        },
      };
    };
    return (w) => known.get(String(w), () => lineOf(w));
  };
  const [rising, falling] = [lines(1), lines(-1)];
  return {
    remove: { terms: TERMS, isSlowToDecay: true, logMoment: (c) => logMoment(c + 1, fewAt), on: (c) => rising(c + 1) },
    add: { terms: TERMS, isSlowToDecay: true, logMoment: (c) => logMoment(-c, fewAt), on: (c) => falling(-c) },
    // Many nodes are not kept.
    logMoment: (w) => logMoment(w, () => fewAt(w) ?? tiltOf(new NodesOf(noise), w, MANY_NODES)),
  };
}
