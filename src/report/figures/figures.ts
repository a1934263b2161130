import { boundedRange1 } from './bounded-range-1.ts';
import { boundedRange2 } from './bounded-range-2.ts';
import type { Figure } from './figure.ts';
import { lazyPlans } from './lazy-plans.ts';
import { lazyRates } from './lazy-rates.ts';

/** Every figure, in the order of the list. */
export const FIGURES: readonly Figure[] = [boundedRange1, boundedRange2, lazyRates, lazyPlans];
