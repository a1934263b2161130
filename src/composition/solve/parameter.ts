import { Decimal } from '../../numeric/decimal.ts';
import { LARGEST_DISCRETE_SIGMA } from '../../privacy/discrete-gaussian-pair.ts';
import type { Mechanism } from '../../privacy/mechanism.ts';

/** The number by which a mechanism is made more or less private. factor: of the epsilons at several Renyi orders. */
export type ParameterName = 'epsilon' | 'rho' | 'mu' | 'scale' | 'sigma' | 'factor';

/** A parameter of a mechanism that may vary. */
export interface Parameter {
  readonly name: ParameterName;
  readonly value: Decimal;
  /** Whether more of it is more private, as of noise. */
  readonly isNoise: boolean;
  /**
   * Whether a less private value is known to cost at least as much at every epsilon. Guarantees grow into larger classes;
   * Laplace, Gaussian and discrete Laplace noise is less noise of its kind with more added to it (the quotients of their
   * characteristic functions are mixtures of 1 and such noise, in the discrete case with weights a'^n - a a'^(n-1) >= 0).
   * Of discrete Gaussian noise it is not so: at epsilon 3.8815 sigma 0.4787 has a delta of 0.08575, and 0.48 one of 0.08635.
   */
  readonly isSteady: boolean;
  readonly smallest: Decimal;
  readonly largest: Decimal;
  /** The mechanism with another value of it. */
  readonly replaced: (value: Decimal) => Mechanism;
}

const SMALLEST = new Decimal('1e-300');
const LARGEST = new Decimal('1e300');
const SMALLEST_DISCRETE_SIGMA = new Decimal('0.01');
const LIMITS = { smallest: SMALLEST, largest: LARGEST };

/**
 * The parameter by which a mechanism is made more or less private, its other numbers held: epsilon, rho, mu, or the
 * scale or sigma of noise; null for finite pairs, which have none.
 */
export function parameterOf(mechanism: Mechanism): Parameter | null {
  const guarantee = { ...LIMITS, isNoise: false, isSteady: true } as const;
  const noise = { ...LIMITS, isNoise: true, isSteady: true } as const;
  switch (mechanism.type) {
    case 'dp':
    case 'bounded-range':
      return {
        ...guarantee,
        name: 'epsilon',
        value: mechanism.epsilon,
        replaced: (epsilon) => ({ ...mechanism, epsilon }),
      };
    case 'zcdp':
      return { ...guarantee, name: 'rho', value: mechanism.rho, replaced: (rho) => ({ ...mechanism, rho }) };
    case 'gdp':
      return { ...guarantee, name: 'mu', value: mechanism.mu, replaced: (mu) => ({ ...mechanism, mu }) };
    case 'laplace':
      if (mechanism.byEpsilon === true) {
        return {
          ...guarantee,
          name: 'epsilon',
          value: mechanism.sensitivity,
          replaced: (epsilon) => ({ ...mechanism, sensitivity: epsilon }),
        };
      }
      return { ...noise, name: 'scale', value: mechanism.scale, replaced: (scale) => ({ ...mechanism, scale }) };
    case 'discrete-laplace':
      return { ...noise, name: 'scale', value: mechanism.scale, replaced: (scale) => ({ ...mechanism, scale }) };
    case 'gaussian':
      return { ...noise, name: 'sigma', value: mechanism.sigma, replaced: (sigma) => ({ ...mechanism, sigma }) };
    case 'discrete-gaussian':
      return {
        ...noise,
        isSteady: false,
        smallest: SMALLEST_DISCRETE_SIGMA,
        largest: new Decimal(LARGEST_DISCRETE_SIGMA),
        name: 'sigma',
        value: mechanism.sigma,
        replaced: (sigma) => ({ ...mechanism, sigma }),
      };
    case 'rdp': {
      const { orders } = mechanism;
      const [only, ...more] = orders;
      if (only !== undefined && more.length === 0) {
        const { alpha, epsilon: value } = only;
        return {
          ...guarantee,
          name: 'epsilon',
          value,
          replaced: (epsilon) => ({ ...mechanism, orders: [{ alpha, epsilon }] }),
        };
      }
      return {
        ...guarantee,
        name: 'factor',
        value: new Decimal(1),
        replaced: (factor) => ({
          ...mechanism,
          orders: orders.map(({ alpha, epsilon }) => ({ alpha, epsilon: epsilon.times(factor) })),
        }),
      };
    }
    case 'finite-pair':
      return null;
  }
}
