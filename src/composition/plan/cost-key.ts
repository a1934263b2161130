import { mechanismKey, mergeEqual } from '../../privacy/mechanism-key.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { entriesOf, type Cost } from './cost.ts';

const known = new WeakMap<Cost, string>();

/** A text that is equal for costs of the same mechanisms, as often and of the same kinds. */
export function costKey(cost: Cost): string {
  const before = known.get(cost);
  if (before !== undefined) return before;
  const key = mergeEqual(entriesOf(cost))
    .map(({ mechanism, kind, count }) => `${kind} ${mechanismKey(mechanism)} x ${count}`)
    .sort()
    .join('; ');
  known.set(cost, key);
  return key;
}

const sameEntries = (a: readonly Entry[], b: readonly Entry[]): boolean =>
  a.length === b.length &&
  a.every(({ mechanism, kind, count }, index) => {
    const other = b[index]!;
    return mechanism === other.mechanism && kind === other.kind && count === other.count;
  });

/** Whether two costs are of the same mechanisms; lists of the very same mechanisms need no texts. */
export function sameCost(a: Cost, b: Cost): boolean {
  const listed = sameEntries(a.differing, b.differing) && sameEntries(a.created, b.created);
  return listed || costKey(a) === costKey(b);
}
