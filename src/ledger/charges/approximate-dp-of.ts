import type { EpsilonDelta } from '../../privacy/mechanisms/record.ts';
import { epsilonDeltaOf, hasPurePart } from '../../privacy/mechanisms/records.ts';
import { isMechanism, type Guarantee } from '../core/guarantee.ts';

/** As epsilonDeltaOf; null where no single (e, d) is behind a guarantee, as with Gaussian noise. */
export const approximateDpOf = (guarantee: Guarantee): EpsilonDelta | null =>
  isMechanism(guarantee) && hasPurePart(guarantee) ? epsilonDeltaOf(guarantee) : null;
