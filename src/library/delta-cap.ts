import { remainingDelta as remainingUnder, roomFor as roomUnder } from '../composition/theorems/parallel.ts';
import type { Decimal } from '../numeric/decimal.ts';
import { Arguments, listOf, record, whole } from './arguments.ts';
import { probability } from './read-mechanism.ts';

const readCreated = listOf(
  record<{ delta: Decimal; count: number }>(
    'instances that were created',
    { delta: probability, count: whole(1) },
    "{ delta: new Decimal('1e-6'), count: 1 }",
  ),
  'instances that were created',
  0,
);

/**
 * The delta that the next instance may have under a cap once instances with these deltas exist:
 * 1 - (1 - cap) / prod(1 - d_j), rounded down; negative once the cap is passed. Derived from Definition 5.3 (iii).
 *
 * @example
 * ```js
 * import { Decimal, remainingDelta } from 'dpcompose';
 *
 * const created = [{ delta: new Decimal('0.1'), count: 2 }];
 * console.log(remainingDelta(new Decimal('0.28'), created).toFixed(4)); // 0.1111
 * ```
 */
export function remainingDelta(
  cap: Decimal,
  created: readonly { readonly delta: Decimal; readonly count: number }[],
): Decimal {
  const args = new Arguments('remainingDelta');
  return remainingUnder(args.read('cap', cap, probability), args.read('created', created, readCreated));
}

/**
 * How many instances of one delta fit under a cap, as far as doubles can count; Infinity where delta is 0 or cap 1.
 *
 * @example
 * ```js
 * import { Decimal, roomFor } from 'dpcompose';
 *
 * console.log(roomFor(new Decimal('0.28'), new Decimal('0.1'))); // 3
 * ```
 */
export function roomFor(cap: Decimal, delta: Decimal): number {
  const args = new Arguments('roomFor');
  return roomUnder(args.read('cap', cap, probability), args.read('delta', delta, probability));
}
