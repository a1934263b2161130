import { binomialWindow, type BinomialWindow } from '../../numeric/binomial.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { ReportLaw } from './report-law.ts';

/** Relative to the mode, where windows of counts end: deltas down to about its size are told apart. */
export const WINDOW_EDGE = 2 ** -200;

/** A value of what the rest tells: slope (n - N) + offset, with the weights of all N of a window. */
export interface RestNode {
  readonly slope: number;
  readonly offset: number;
  readonly weights: Float64Array;
  /** The sum of those. */
  readonly weight: number;
}

/** In descending order of weight. */
export interface RestNodes {
  readonly list: readonly RestNode[];
  readonly relativeError: number;
  /** Bound on the weight left out. */
  readonly leak: number;
}

/** Distance of nodes unless it is said: in deviations of G, and in parts of the number of reports that hide. */
const [IN_DEVIATIONS, IN_PARTS] = [0.25, 5e-4];
/** So many values are taken as they are; and deviations in which all of them lie. */
const [MOST_VALUES, REACH] = [200, 17];
/** About so many terms make the weights. */
const MOST_TERMS = 4e6;
const MOST_SECTIONS = 256;
/** Weights below this are left out. */
const SMALLEST = 1e-55;

/**
 * What the rest tells at its mean; or where it spreads, at nodes at equal distances from it, with the weights of a law that is larger
 * in convex order.
 *
 * [derived] The value (X - (E - 1) G)+ is convex in G: a law that is larger in convex order, as one with its mass moved to two nodes beside
 * it that keeps the mean, gives the larger delta at every E. G - c (n - N) of fewer trials is smaller in convex order than of more, by the
 * independent rest of them: so all N of a section take the law of its first, about their own mean. Few values stay as they are.
 */
export function restNodes(
  law: ReportLaw,
  window: Pick<BinomialWindow, 'first' | 'weights'>,
  { inDeviations = IN_DEVIATIONS, edge = WINDOW_EDGE } = {},
): RestNodes {
  const { users, rest, isSpread } = law;
  const { first, weights } = window;
  if (!isSpread) return { list: [{ slope: rest.value, offset: 0, weights, weight: 1 }], relativeError: 0, leak: 0 };
  const most = users - first;
  const deviation = Math.sqrt(most * rest.value * rest.complement);
  const isListed = rest.value * most + REACH * (deviation + 1) <= MOST_VALUES;
  const step = isListed ? 1 : Math.max(inDeviations * deviation, IN_PARTS * users * rest.value, 1e-3);
  const sections = isListed
    ? weights.length
    : Math.max(1, Math.min(weights.length, MOST_SECTIONS, Math.floor(MOST_TERMS / (34 * deviation + 1))));
  const size = Math.ceil(weights.length / sections);
  const byNode = new Map<number, Float64Array>();
  let [relativeError, leak] = [0, 0];
  for (let from = 0; from < weights.length; from += size) {
    const trials = users - first - from;
    const to = Math.min(from + size, weights.length);
    const own = trials === 0 ? null : binomialWindow(trials, rest, edge);
    const law = new Map<number, number>();
    const put = (node: number, weight: number): void => {
      law.set(node, (law.get(node) ?? 0) + weight);
    };
    (own?.weights ?? [1]).forEach((weight, i) => {
      const at = ((own?.first ?? 0) + i - (isListed ? 0 : rest.value * trials)) / step;
      const node = Math.floor(at);
      put(node, weight * (node + 1 - at));
      put(node + 1, weight * (at - node));
    });
    // The error of an offset counts as one of the value there.
    relativeError = Math.max(relativeError, (own?.relativeError ?? 0) + 1000 * U);
    leak = Math.max(leak, own?.leak ?? 0);
    for (const [node, share] of law) {
      if (share < SMALLEST) {
        leak += share;
        continue;
      }
      const list = byNode.get(node) ?? new Float64Array(weights.length);
      for (let k = from; k < to; k++) list[k] = weights[k]! * share;
      byNode.set(node, list);
    }
  }
  return {
    list: [...byNode]
      .map(([node, own]) => ({
        slope: isListed ? 0 : rest.value,
        offset: node * step,
        weights: own,
        weight: own.reduce((sum, x) => sum + x, 0),
      }))
      .sort((a, b) => b.weight - a.weight),
    relativeError,
    leak,
  };
}
