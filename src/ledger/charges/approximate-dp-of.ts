import { epsilonDeltaOf, hasPurePart, type EpsilonDelta, type WithPurePart } from '../../privacy/pure-guarantee.ts';
import type { Guarantee } from '../core/guarantee.ts';

const isMechanismWithPurePart = (guarantee: Guarantee): guarantee is WithPurePart =>
  guarantee.type !== 'approximate-zcdp' && guarantee.type !== 'approximate-rdp' && hasPurePart(guarantee);

/** As epsilonDeltaOf; null where no single (e, d) is behind a guarantee, as with Gaussian noise. */
export const approximateDpOf = (guarantee: Guarantee): EpsilonDelta | null =>
  isMechanismWithPurePart(guarantee) ? epsilonDeltaOf(guarantee) : null;
