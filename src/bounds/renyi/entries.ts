import { toLower, ZERO, type Decimal } from '../../numeric/decimal.ts';
import { totalEpsilon } from '../../privacy/pure.ts';
import type { Entry, Mechanism } from '../../privacy/mechanism.ts';
import { hasPurePart, isZeroLoss, pureEpsilon, WITH_PURE_PART } from '../../privacy/mechanisms/records.ts';
import { pureEpsilonOfRdp } from '../../privacy/mechanisms/guarantees.ts';
import { LARGEST_LAMBDA } from '../core/moment-curve.ts';

/** Types in the order in which they are listed: those whose loss has a named bound first. */
export const boundedFirst = (types: readonly Mechanism['type'][]): readonly Mechanism['type'][] => [
  ...new Set([...WITH_PURE_PART.filter((type) => type !== 'finite-pair'), ...types]),
];

function largestOf(mechanism: Mechanism): Decimal | null {
  if (isZeroLoss(mechanism)) return ZERO;
  if (mechanism.type === 'rdp') return pureEpsilonOfRdp(mechanism);
  return hasPurePart(mechanism) ? pureEpsilon(mechanism) : null;
}

/** sum of epsilons where every entry's losses are bounded; else null. */
export function largestLoss(entries: readonly Entry[]): Decimal | null {
  const pure = entries.flatMap(({ mechanism, count }) => {
    const epsilon = largestOf(mechanism);
    return epsilon === null ? [] : [{ epsilon, count }];
  });
  return pure.length === entries.length ? totalEpsilon(pure) : null;
}

/** An order minus 1; for the infinite one, the largest that is looked at. */
const lambdaOf = (alpha: Decimal): number =>
  alpha.isFinite() ? Math.min(toLower(alpha.minus(1)), LARGEST_LAMBDA) : LARGEST_LAMBDA;

/** The orders minus 1 at which some entry's Renyi guarantee changes, up to the smallest last one. */
export function orderBreakpoints(entries: readonly Entry[]): number[] {
  const lists = entries.flatMap(({ mechanism }) =>
    mechanism.type === 'rdp' ? [mechanism.orders.map(({ alpha }) => lambdaOf(alpha))] : [],
  );
  if (lists.length === 0) return [];
  const last = Math.min(...lists.map((list) => Math.max(...list)));
  return [...new Set(lists.flat())].filter((lambda) => lambda > 0 && lambda <= last).sort((a, b) => a - b);
}
