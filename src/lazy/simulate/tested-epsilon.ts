import { clopperPearson } from '../../numeric/clopper-pearson.ts';

/** The chance that a tested bound holds. */
export const CONFIDENCE = 0.95;

/** The interval of Clopper and Pearson has a risk on both sides; only the lower one counts here. */
const TWO_SIDED = 1 - 2 * (1 - CONFIDENCE);

/** What rounding may have done to a sum of logarithms, per unit of it. */
const ROUNDING = 1e-9;

/** The epsilon below which nothing holds at delta, where the loss is at least `threshold` with probability `mass` or more. */
function epsilonOf(threshold: number, mass: number, delta: number): number {
  if (mass <= delta) return 0;
  if (threshold === Infinity) return Infinity;
  const certain = threshold - ROUNDING * (1 + Math.abs(threshold));
  return Math.max(0, certain + Math.log1p(-delta / mass));
}

/** The threshold on the loss that promises most, from losses that are not used again. */
export function chooseThreshold(losses: Float64Array, delta: number): { threshold: number; promise: number } {
  const sorted = losses.slice().sort().reverse();
  let best = { threshold: Infinity, promise: 0 };
  for (let count = 1; count <= sorted.length; count = Math.max(count + 1, Math.floor(count * 1.1))) {
    const threshold = sorted[count - 1]!;
    if (threshold <= best.promise) break;
    const mass = clopperPearson(count, sorted.length, TWO_SIDED).lower;
    const promise = epsilonOf(threshold, mass, delta);
    if (promise > best.promise) best = { threshold, promise };
  }
  return best;
}

/**
 * An epsilon below which no claim at delta holds, wrong with a chance of at most 1 - {@link CONFIDENCE}: with P and Q the laws
 * of all that is seen, E the event that ln(P/Q) is at least t, and a <= P(E), for every smaller epsilon
 * P(E) - e^epsilon Q(E) >= P(E) (1 - e^(epsilon - t)) > delta, where epsilon = t + ln(1 - delta / a).
 *
 * `losses` are ln(P/Q) of independent runs under P, which the threshold must not depend on.
 *
 * Source: derived; a is the lower limit of Clopper and Pearson (1934).
 */
export function testedEpsilon(losses: Float64Array, threshold: number, delta: number): number {
  const count = losses.reduce((sum, loss) => sum + (loss >= threshold ? 1 : 0), 0);
  return count === 0 ? 0 : epsilonOf(threshold, clopperPearson(count, losses.length, TWO_SIDED).lower, delta);
}
