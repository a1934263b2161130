import { Decimal } from '../numeric/decimal.ts';
import { quotientUp } from '../numeric/quotient.ts';
import { failureOfPair, largestLossOf, swapped } from './finite-pair.ts';
import type { Mechanism, Rdp } from './mechanism.ts';

/** Mechanisms with an (e, d)-DP guarantee of finite e. */
export const WITH_PURE_PART = ['dp', 'bounded-range', 'laplace', 'discrete-laplace', 'finite-pair'] as const;

export type WithPurePart = Extract<Mechanism, { type: (typeof WITH_PURE_PART)[number] }>;

/**
 * The e of the (e, d)-DP guarantee of a mechanism: e-bounded range is e-DP, Laplace noise (continuous or discrete)
 * (sensitivity / scale)-DP, the quotient rounded up at 60 digits; of a finite pair its largest finite loss, in either
 * direction, rounded up at 40.
 */
export function pureEpsilon(mechanism: WithPurePart): Decimal {
  switch (mechanism.type) {
    case 'dp':
    case 'bounded-range':
      return mechanism.epsilon;
    case 'laplace':
    case 'discrete-laplace':
      return quotientUp(mechanism.sensitivity, mechanism.scale);
    case 'finite-pair':
      return Decimal.max(largestLossOf(mechanism), largestLossOf(swapped(mechanism)));
  }
}

/** (infinity, e)-Renyi DP is (e, 0)-DP: the e of that order; null where it is not given. */
export const pureEpsilonOfRdp = ({ orders }: Rdp): Decimal | null =>
  orders.find(({ alpha }) => !alpha.isFinite())?.epsilon ?? null;

/** The (e, d) of an (e, d)-DP guarantee. */
export interface EpsilonDelta {
  readonly epsilon: Decimal;
  readonly delta: Decimal;
}

/**
 * The (e, d)-DP guarantee behind a mechanism of bounded loss: {@link pureEpsilon}, with the d of (e, d)-DP, and the larger
 * chance of an infinite loss of a finite pair.
 */
export function epsilonDeltaOf(mechanism: WithPurePart): EpsilonDelta {
  const epsilon = pureEpsilon(mechanism);
  if (mechanism.type === 'dp') return { epsilon, delta: mechanism.delta };
  if (mechanism.type !== 'finite-pair') return { epsilon, delta: new Decimal(0) };
  return { epsilon, delta: Decimal.max(failureOfPair(mechanism), failureOfPair(swapped(mechanism))) };
}

export const hasPurePart = (mechanism: Mechanism): mechanism is WithPurePart =>
  WITH_PURE_PART.some((type) => type === mechanism.type);
