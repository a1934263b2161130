import { binomialWindow } from '../../numeric/binomial-window.ts';
import { composeAtoms, noLoss, type LossAtoms } from '../../numeric/loss-atoms.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { PureGroup } from '../../privacy/pure-group.ts';
import { tiltGroup } from '../../privacy/tilted-randomized-response.ts';

/** The losses (c - 2i) e of one group, i the number of responses that came out "-", where they matter. */
function atomsOfGroup(group: PureGroup, tilt: number): LossAtoms {
  const { minus, logScale } = tiltGroup(group, tilt);
  const { first, weights, relativeError, leak } = binomialWindow(group.count, minus);
  const e = group.epsilon.toNumber();
  const losses = weights.map((_, i) => (group.count - 2 * (first + i)) * e);
  const largest = Math.max(Math.abs(losses[0]!), Math.abs(losses.at(-1)!));
  return { losses, weights, tilt, logScale, lossError: 2 * U * largest, relativeError, leak };
}

/** How many atoms a group has, before any are left out. */
export const atomCount = ({ count }: PureGroup): number => count + 1;

/** Every combination of the groups' losses: their number is the product of the groups'. */
export function atomsOfRandomizedResponses(groups: readonly PureGroup[], tilt: number): LossAtoms {
  return groups.map((group) => atomsOfGroup(group, tilt)).reduce(composeAtoms, noLoss(tilt));
}
