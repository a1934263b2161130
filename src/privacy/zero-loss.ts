import type { Mechanism } from './mechanism.ts';

/** Whether a mechanism says nothing about the data: its answers have the same distribution on neighbours. */
export function isZeroLoss(mechanism: Mechanism): boolean {
  switch (mechanism.type) {
    case 'dp':
      return mechanism.epsilon.isZero() && mechanism.delta.isZero();
    case 'bounded-range':
      return mechanism.epsilon.isZero();
    case 'laplace':
    case 'discrete-laplace':
    case 'gaussian':
    case 'discrete-gaussian':
      return mechanism.sensitivity.isZero();
    case 'zcdp':
      return mechanism.rho.isZero();
    case 'gdp':
      return mechanism.mu.isZero();
    case 'rdp':
      return mechanism.orders.some(({ epsilon }) => epsilon.isZero());
    case 'finite-pair':
      return mechanism.p.every((p, i) => p.eq(mechanism.q[i]!));
  }
}
