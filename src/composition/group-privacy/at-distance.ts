import type { Entry, Mechanism } from '../../privacy/mechanism.ts';
import { deltaOfSteps } from './geometric.ts';

/** The largest whole sensitivity of discrete noise, of which each unit has a loss that is listed. */
const LARGEST_WHOLE_SENSITIVITY = 1_000_000;

function mechanismAt(mechanism: Mechanism, distance: number): Mechanism | null {
  switch (mechanism.type) {
    case 'dp': {
      const { epsilon, delta } = mechanism;
      return { ...mechanism, epsilon: epsilon.times(distance), delta: deltaOfSteps(epsilon, delta, distance) };
    }
    case 'bounded-range':
      return { ...mechanism, epsilon: mechanism.epsilon.times(distance) };
    case 'laplace':
    case 'gaussian':
      return { ...mechanism, sensitivity: mechanism.sensitivity.times(distance) };
    case 'discrete-laplace':
    case 'discrete-gaussian': {
      const sensitivity = mechanism.sensitivity.times(distance);
      return sensitivity.lte(LARGEST_WHOLE_SENSITIVITY) ? { ...mechanism, sensitivity } : null;
    }
    case 'zcdp':
      return { ...mechanism, rho: mechanism.rho.times(distance).times(distance) };
    case 'gdp':
      return { ...mechanism, mu: mechanism.mu.times(distance) };
    case 'rdp':
    case 'finite-pair':
      return null;
  }
}

/**
 * What a mechanism guarantees for data that are `distance` neighbouring steps apart, in its own class; null where its class
 * tells nothing of that, and of continual mechanisms.
 *
 * (e, d)-DP: (k e, d sum_{i<k} e^(i e)) (Vadhan 2017, Lemma 2.2, by its proof). Noise: k times the sensitivity (triangle
 * inequality). rho-zCDP: k^2 rho (Bun, Steinke 2016, Prop 1.9). mu-GDP: k mu (Dong, Roth, Su 2022, Thm 2.14). e-bounded
 * range: k e, as the range of a sum of loss functions is at most the sum of their ranges (derived).
 */
export function entryAt(entry: Entry, distance: number): Entry | null {
  if (entry.kind === 'continual') return null;
  const mechanism = mechanismAt(entry.mechanism, distance);
  return mechanism && { ...entry, mechanism };
}
