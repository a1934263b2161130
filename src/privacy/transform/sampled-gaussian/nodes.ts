import { likelihoodAt, type SampledGaussian } from './likelihood.ts';
import { rangeOf, shortStep } from './strip.ts';

/** Places u = k h of the noise, k = low, low + 1, ..., that stand for the normal density. */
export interface Nodes {
  readonly h: number;
  readonly low: number;
  readonly size: number;
  /** h phi(u), with a relative error of u^2 / 2 + 20 roundings. */
  readonly density: Float64Array;
  /** See Likelihood. */
  readonly loss: Float64Array;
  readonly lossError: Float64Array;
  readonly share: Float64Array;
}

/** The nodes among which those of a rule are: from the index `start` on. */
export interface Stretch {
  readonly nodes: Nodes;
  readonly start: number;
  readonly end: number;
}

const ROOT = Math.sqrt(2 * Math.PI);

function nodesBetween(noise: SampledGaussian, h: number, low: number, high: number): Nodes {
  const size = high - low + 1;
  const array = (): Float64Array => new Float64Array(size);
  const nodes = { h, low, size, density: array(), loss: array(), lossError: array(), share: array() };
  for (let i = 0; i < size; i++) {
    const u = (low + i) * h;
    const { loss, lossError, share } = likelihoodAt(noise, u);
    nodes.density[i] = (h / ROOT) * Math.exp(-0.5 * u * u);
    nodes.loss[i] = loss;
    nodes.lossError[i] = lossError;
    nodes.share[i] = share;
  }
  return nodes;
}

/** The nodes of sampled Gaussian noise for steps and tilts, which have them in common. */
export class NodesOf {
  readonly noise: SampledGaussian;
  readonly #known = new Map<number, Nodes>();

  constructor(noise: SampledGaussian) {
    this.noise = noise;
  }

  /** The nodes of the tilt w, no further apart than `step`; null where there are more than `most`. */
  for(w: number, step: number, most: number): Stretch | null {
    const h = shortStep(step);
    const { from, to } = rangeOf(this.noise, w);
    if (!((to - from) / h < most)) return null;
    const [low, high] = [Math.floor(from / h), Math.ceil(to / h)];
    const nodes = this.#covering(h, low, high);
    return { nodes, start: low - nodes.low, end: high - nodes.low + 1 };
  }

  #covering(h: number, low: number, high: number): Nodes {
    const known = this.#known.get(h);
    const last = known ? known.low + known.size - 1 : high;
    if (known && low >= known.low && high <= last) return known;
    const made = nodesBetween(this.noise, h, Math.min(low, known?.low ?? low), Math.max(high, last));
    this.#known.set(h, made);
    return made;
  }
}
