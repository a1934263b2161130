import type { Decimal } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { LARGEST_WHOLE_SENSITIVITY, type Path } from '../../privacy/mechanisms/record.ts';
import { recordOf } from '../../privacy/mechanisms/records.ts';
import { deltaOfSteps } from './geometric.ts';

/** A path of so many steps, in exact decimals but for delta, which is rounded up. */
const pathOf = (distance: number): Path => {
  const times = (x: Decimal): Decimal => x.times(distance);
  return {
    times,
    timesSquare: (x) => times(times(x)),
    whole: (x) => (times(x).lte(LARGEST_WHOLE_SENSITIVITY) ? times(x) : null),
    delta: (epsilon, delta) => deltaOfSteps(epsilon, delta, distance),
  };
};

/**
 * The guarantee of a mechanism for data that are `distance` neighbouring steps apart, in its own class (see the `along` of
 * each type); null where its class tells nothing of that, and of continual mechanisms.
 */
export function entryAt(entry: Entry, distance: number): Entry | null {
  if (entry.kind === 'continual') return null;
  const mechanism = recordOf(entry.mechanism).along?.(entry.mechanism, pathOf(distance)) ?? null;
  return mechanism && { ...entry, mechanism };
}
