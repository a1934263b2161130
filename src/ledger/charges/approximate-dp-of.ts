import { Decimal } from '../../numeric/decimal.ts';
import { otherWay, oneWay } from '../../privacy/finite-pair.ts';
import type { FinitePairMechanism } from '../../privacy/mechanism.ts';
import { hasPurePart, pureEpsilon, type WithPurePart } from '../../privacy/pure-guarantee.ts';
import type { Guarantee } from '../guarantee.ts';

/** The (e, d) of an (e, d)-DP guarantee. */
export interface EpsilonDelta {
  readonly epsilon: Decimal;
  readonly delta: Decimal;
}

/** A mechanism whose loss is bounded, apart from a probability that it is infinite. */
export type WithLargestLoss = WithPurePart | FinitePairMechanism;

const ZERO = new Decimal(0);

/** The largest finite loss and the largest probability of an infinite one, in either direction. */
function ofPair(pair: FinitePairMechanism): EpsilonDelta {
  const [there, back] = [oneWay(pair), otherWay(pair)];
  return { epsilon: Decimal.max(there.largest, back.largest), delta: Decimal.max(there.failure, back.failure) };
}

/**
 * The (e, d)-DP guarantee behind a mechanism of bounded loss: e-bounded range is (e, 0)-DP, Laplace noise
 * (sensitivity / scale, 0)-DP, a finite pair (l, f)-DP with l its largest finite loss and f its probability of an infinite
 * one. Quotients and logarithms are rounded up.
 */
export function epsilonDeltaOf(mechanism: WithLargestLoss): EpsilonDelta {
  if (mechanism.type === 'finite-pair') return ofPair(mechanism);
  return { epsilon: pureEpsilon(mechanism), delta: mechanism.type === 'dp' ? mechanism.delta : ZERO };
}

/** As {@link epsilonDeltaOf}; null where no single (e, d) is behind a guarantee, as with Gaussian noise. */
export const approximateDpOf = (guarantee: Guarantee): EpsilonDelta | null =>
  guarantee.type === 'finite-pair' || isMechanismWithPurePart(guarantee) ? epsilonDeltaOf(guarantee) : null;

const isMechanismWithPurePart = (guarantee: Guarantee): guarantee is WithPurePart =>
  guarantee.type !== 'approximate-zcdp' && guarantee.type !== 'approximate-rdp' && hasPurePart(guarantee);
