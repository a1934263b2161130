import { decimalFromDouble, ZERO, type Decimal } from '../numeric/decimal.ts';
import { asUpper, relativeWidth, type Bracket } from '../numeric/enclosure.ts';
import { unlessInterrupted } from '../numeric/watch.ts';

/**
 * adaptive: each mechanism may depend on earlier outputs, the parameters are fixed in advance;
 * nonadaptive: all mechanisms are fixed in advance;
 * parameters: the parameters are chosen adaptively too.
 */
export type Adaptivity = 'adaptive' | 'nonadaptive' | 'parameters';

/**
 * any: who chooses the mechanisms may choose their order too;
 * declared: they are run in the order in which they are listed.
 */
export type Order = 'any' | 'declared';

/** The order as far as it matters: where all mechanisms are fixed in advance it does not. */
export const effectiveOrder = (adaptivity: Adaptivity, order: Order = 'any'): Order =>
  adaptivity === 'nonadaptive' ? 'any' : order;

/** A query: for the smallest epsilon at a delta in [0, 1], or the smallest delta at a real epsilon. */
export type Query =
  { readonly solveFor: 'epsilon'; readonly delta: Decimal } | { readonly solveFor: 'delta'; readonly epsilon: Decimal };

/** The query that solves for one of epsilon and delta, the other one given. */
export const queryAt = (solveFor: Query['solveFor'], value: Decimal): Query =>
  solveFor === 'epsilon' ? { solveFor, delta: value } : { solveFor, epsilon: value };

/** The two directions in which neighbours that differ by a record are composed, each apart. */
export interface Directions<T> {
  /** The record is in the data that are looked at. */
  readonly remove: T;
  /** It is not. */
  readonly add: T;
}

/** The privacy curve of a composition as one theorem sees it; both functions decrease, and both err on the safe side. */
export interface PrivacyCurve {
  /** The smallest delta at `epsilon` (any real): upper is a valid claim, lower is certain for the class composed. */
  delta(epsilon: Decimal): Bracket;
  /** The smallest epsilon >= 0 at `delta` in [0, 1]; upper is Infinity where no epsilon will do. */
  epsilon(delta: Decimal): Bracket;
  /** Where it is the larger of two, since neighbours differ by a record: the curves where that is removed and where it is added. */
  readonly directions?: Directions<PrivacyCurve>;
  /**
   * Single pairs of distributions, each of which mechanisms of the class have, and of which this curve is the largest at
   * every real epsilon, both ways round: one that is its own exchange, or two of which each is the exchange of the other;
   * absent where none are known.
   */
  readonly pairs?: readonly PrivacyCurve[];
}

/** The curve of one pair of distributions that mechanisms of the class have, and of the same exchanged. */
export const ofOnePair = (curve: PrivacyCurve): PrivacyCurve => ({ ...curve, pairs: [curve] });

/** An enclosure this narrow leaves nothing to gain. */
const EXACT = 1e-9;

/**
 * A curve whose claims are never above those for an adversary with more freedom, which hold too: the smaller of the two upper
 * ends, with the lower end of its own.
 *
 * @param freer - the curve for more freedom, made when it is first needed; null where there is none
 */
export function boundedByFreer(own: PrivacyCurve, freer: () => PrivacyCurve | null): PrivacyCurve {
  let cachedFreer: { readonly curve: PrivacyCurve | null } | null = null;
  const lesser = (value: Bracket, of: (curve: PrivacyCurve) => Bracket): Bracket => {
    if (relativeWidth(value) <= EXACT) return value;
    const freerValue = unlessInterrupted(() => {
      cachedFreer ??= { curve: freer() };
      return cachedFreer.curve && of(cachedFreer.curve);
    });
    if (freerValue === null || !(freerValue.upper < value.upper)) return value;
    const { lower } = value;
    return { lower, upper: asUpper(Math.max(freerValue.upper, lower ?? 0)) };
  };
  return {
    delta: (epsilon: Decimal) => lesser(own.delta(epsilon), (curve) => curve.delta(epsilon)),
    epsilon: (delta: Decimal) => lesser(own.epsilon(delta), (curve) => curve.epsilon(delta)),
  };
}

/** A curve whose epsilon is 0 wherever delta at 0 is known to be small enough, which may be known better than where epsilon ends. */
export const askedAtZero = (curve: PrivacyCurve): PrivacyCurve => ({
  ...curve,
  epsilon(delta) {
    const value = curve.epsilon(delta);
    const { lower, upper } = value;
    if (upper === 0 || (lower !== null && lower > 0)) return value;
    const atZero = unlessInterrupted(() => curve.delta(ZERO).upper);
    return atZero !== null && delta.gte(decimalFromDouble(atZero)) ? { lower, upper: asUpper(0) } : value;
  },
});
