import { Decimal, toLower } from '../../../numeric/decimal.ts';
import type { LowerBound } from '../../../numeric/enclosure.ts';
import { smallestWhole } from '../../../numeric/smallest-whole.ts';
import { failureProbability } from '../../../privacy/failure.ts';

/**
 * The impossibility lower bound of delta for so many continual (e, d)-DP instances of which one may differ:
 * 1 - (1 - d)^l, rounded down, for every epsilon.
 *
 * Each instance first answers, whatever its data, with a mark of probability d, and after the mark repeats what it is
 * sent. Whoever sees a mark sends that instance the data that differ: one of l instances has a mark with this
 * probability, and then everything is known. The instances are (0, d)-DP against adaptive adversaries.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Theorem 5.2 (which must be read for any number of instances, where it prints
 * one); that it holds for every epsilon, and the products for different d, are derived.
 */
export const revealedByOne = (delta: Decimal, instances: number): LowerBound =>
  toLower(failureProbability([{ delta, count: instances }]).lower);

/** No more instances than this are looked at. */
const MOST_COUNTED = 2 ** 52;

/**
 * The smallest number of such instances for which no epsilon is large enough at a target delta in [0, 1); Infinity where
 * doubles cannot count it or d is 0.
 */
export const fewestInstancesBeyond = (target: Decimal, delta: Decimal): number =>
  delta.isZero()
    ? Infinity
    : smallestWhole((count) => failureProbability([{ delta, count }]).lower.gt(target), MOST_COUNTED);

/** d of all that one instance may reveal in this way. */
export const deltaOf = (each: readonly { readonly delta: Decimal; readonly count: number }[]): Decimal =>
  Decimal.min(1, failureProbability(each).lower);
