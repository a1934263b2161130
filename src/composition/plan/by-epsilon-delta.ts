import type { Entry } from '../../privacy/mechanism.ts';
import { epsilonDeltaOf, hasPurePart } from '../../privacy/mechanisms/records.ts';

/** A mechanism by the (e, d)-DP guarantee behind it alone; as it is where it has none. */
export function byEpsilonDelta(entry: Entry): Entry {
  const { mechanism } = entry;
  if (!hasPurePart(mechanism) || mechanism.type === 'dp') return entry;
  return { ...entry, mechanism: { type: 'dp', ...epsilonDeltaOf(mechanism) } };
}
