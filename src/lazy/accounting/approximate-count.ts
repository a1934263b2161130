/** A count with about its probability. */
export interface LikelyCount {
  readonly count: number;
  readonly probability: number;
}

/** So many standard deviations of a law are listed on each side, and two counts more. */
const REACH = 8;

/** A wider window is told apart in so many counts only: one in a standard deviation says as much as all of them. */
const MOST_LISTED = 20;

/** About ln C(n, k) q^k (1-q)^(n-k), by Stirling's formula and its first correction. */
function logProbability(n: number, k: number, q: number): number {
  const part = (x: number, share: number): number => (x === 0 ? 0 : x * Math.log(x / (n * share)));
  const root = (x: number): number => (x === 0 ? 0 : Math.log(2 * Math.PI * x) / 2 + 1 / (12 * x));
  return root(n) - root(k) - root(n - k) - part(k, q) - part(n - k, 1 - q);
}

/**
 * About the law of Bin(n, q), where it matters when the probability of k is multiplied by something that grows about as
 * e^(k tilt).
 */
export function likelyCounts(n: number, q: number, tilt: number): LikelyCount[] {
  if (q >= 1) return [{ count: n, probability: 1 }];
  if (n === 0 || q <= 0) return [{ count: 0, probability: 1 }];
  const grown = q * Math.exp(Math.min(tilt, 500));
  const tilted = grown / (1 - q + grown);
  const reach = REACH * Math.sqrt(n * tilted * (1 - tilted)) + 2;
  const [from, to] = [Math.max(0, Math.floor(n * tilted - reach)), Math.min(n, Math.ceil(n * tilted + reach))];
  const step = Math.max(1, Math.ceil((to - from) / MOST_LISTED));
  const counts = Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
  return counts.map((count) => ({ count, probability: step * Math.exp(logProbability(n, count, q)) }));
}
