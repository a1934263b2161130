import type { Decimal } from '../numeric/decimal.ts';
import { quotientUp } from '../numeric/quotient.ts';
import type { Mechanism } from './mechanism.ts';

/** Mechanisms with an (e, d)-DP guarantee of finite e. */
export const WITH_PURE_PART = ['dp', 'bounded-range', 'laplace', 'discrete-laplace'] as const;

export type WithPurePart = Extract<Mechanism, { type: (typeof WITH_PURE_PART)[number] }>;

/**
 * The e of the (e, d)-DP guarantee of a mechanism: e-bounded range is e-DP, Laplace noise (continuous or discrete)
 * (sensitivity / scale)-DP, the quotient rounded up at 60 digits.
 */
export function pureEpsilon(mechanism: WithPurePart): Decimal {
  switch (mechanism.type) {
    case 'dp':
    case 'bounded-range':
      return mechanism.epsilon;
    case 'laplace':
    case 'discrete-laplace':
      return quotientUp(mechanism.sensitivity, mechanism.scale);
  }
}

export const hasPurePart = (mechanism: Mechanism): mechanism is WithPurePart =>
  WITH_PURE_PART.some((type) => type === mechanism.type);
