import { logBinomialProbability, type Probability } from './binomial.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from './rounding.ts';

/** The probabilities of a binomial distribution where they matter. */
export interface BinomialWindow {
  /** Index of the first weight. */
  readonly first: number;
  readonly weights: Float64Array;
  /** Bound on the relative error of every weight. */
  readonly relativeError: number;
  /** Bound on the probability outside the window. */
  readonly leak: number;
}

/** Relative to the mode, where the window ends. */
const EDGE = 2 ** -84;

/**
 * The binomial probabilities C(n,i) p^i (1-p)^(n-i) around the mode down to 2^-84 of it: O(sqrt n) of them, by ratios
 * of neighbours from the mode outward. Beyond an edge the ratios keep falling, so a geometric series bounds the rest.
 */
export function binomialWindow(n: number, p: Probability): BinomialWindow {
  const mode = Math.min(n, Math.floor((n + 1) * p.value));
  const log = logBinomialProbability(n, mode, p);
  const peak = Math.exp(log.value);
  const walk = (direction: 1 | -1): { weights: number[]; rest: number } => {
    const odds = direction > 0 ? p.value / p.complement : p.complement / p.value;
    const weights: number[] = [];
    let weight = peak;
    for (let i = mode; ; i += direction) {
      if (i === (direction > 0 ? n : 0)) return { weights, rest: 0 };
      const ratio = (direction > 0 ? (n - i) / (i + 1) : i / (n - i + 1)) * odds;
      weight *= ratio;
      if (weight < EDGE * peak && ratio < 1) return { weights, rest: (2 * weight) / (1 - ratio) };
      weights.push(weight);
    }
  };
  const down = walk(-1);
  const up = walk(1);
  const weights = new Float64Array([...down.weights.reverse(), peak, ...up.weights]);
  const turns = Math.max(down.weights.length, up.weights.length);
  return {
    first: mode - down.weights.length,
    weights,
    relativeError: log.error + 2 * (ELEMENTARY_ERROR + Math.abs(log.value) * U) + turns * (8 * U + 2 * p.error),
    leak: down.rest + up.rest,
  };
}
