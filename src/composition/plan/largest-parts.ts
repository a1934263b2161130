import { totalEpsilon } from '../../privacy/pure-group.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { failureOf } from '../../bounds/core/entries.ts';
import { mechanismKey } from '../../privacy/mechanism-key.ts';
import { compareQuotients, type Quotient } from '../../privacy/mechanisms/quotient.ts';
import { hasPurePart, pureEpsilon, recordOf } from '../../privacy/mechanisms/records.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { groupBy } from '../core/collections.ts';
import { isDp, onlyDeltas, withoutDeltas } from './approximate-dp.ts';

const ONE = new Decimal(1);
const whole = (numerator: Decimal): Quotient => ({ numerator, denominator: ONE });

/** The class of a mechanism within which a larger parameter dominates, and that parameter. */
function rankOf({ mechanism, kind }: Entry): { readonly family: string; readonly rank: Quotient } {
  if (mechanism.type === 'dp') return { family: 'dp', rank: whole(mechanism.epsilon) };
  const strength = recordOf(mechanism).strength?.(mechanism);
  return strength === undefined
    ? { family: `${kind} ${mechanismKey(mechanism)}`, rank: whole(ONE) }
    : { family: `${kind} ${mechanism.type}`, rank: strength };
}

/** Equal mechanisms of one part, and the places `from`..`to` they take among its mechanisms of that class. */
interface Run {
  readonly entry: Entry;
  readonly rank: Quotient;
  readonly from: number;
  readonly to: number;
}

/** The mechanisms of a part, class by class, the largest first; their deltas are left out. */
function runsOf(part: readonly Entry[]): Map<string, Run[]> {
  const ranked = withoutDeltas(part)
    .filter((entry) => !isDp(entry) || !entry.mechanism.epsilon.isZero())
    .map((entry) => ({ entry, ...rankOf(entry) }));
  const runs = new Map<string, Run[]>();
  for (const [family, list] of groupBy(ranked, (each) => each.family)) {
    let from = 0;
    const sorted = list.sort((a, b) => compareQuotients(b.rank, a.rank));
    runs.set(
      family,
      sorted.map(({ entry, rank }) => ({ entry, rank, from, to: (from += entry.count) })),
    );
  }
  return runs;
}

/** At every place the `most` largest of what the parts have there. */
function largestAtEachPlace(parts: readonly (readonly Run[])[], most: number): Entry[] {
  const ends = [...new Set(parts.flatMap((runs) => runs.flatMap(({ from, to }) => [from, to])))].sort((a, b) => a - b);
  const cursors = parts.map(() => 0);
  return ends.slice(0, -1).flatMap((from, index) => {
    const count = ends[index + 1]! - from;
    const here = parts.flatMap((runs, part) => {
      while ((runs[cursors[part]!]?.to ?? Infinity) <= from) cursors[part]!++;
      return runs[cursors[part]!] ?? [];
    });
    const largest = here.sort((a, b) => compareQuotients(b.rank, a.rank)).slice(0, most);
    return largest.map(({ entry }) => ({ ...entry, count }));
  });
}

/**
 * Mechanisms that dominate any `most` of several lists, whichever they are and whenever that is decided: class by class
 * and place by place (the largest of each list, then the second largest, ...) the `most` largest parameters, and the
 * deltas of the `most` lists that are likeliest to fail. Never more than all lists together. Classes that do not compare
 * are all paid.
 *
 * Derived: RR(e, d) is a post-processing of RR(e, 0) and RR(0, d), and a mechanism of one that dominates it; at each
 * place any choice of `most` lists holds at most the `most` largest that are there. (For (e, d)-DP mechanisms, one to a
 * list: the largest epsilons and, separately, the largest deltas.)
 */
export function largestParts(parts: readonly (readonly Entry[])[], most: number): readonly Entry[] {
  if (most >= parts.length) return parts.flat();
  const counts = parts.map((part) => part.reduce((sum, { count }) => sum + count, 0));
  if (counts.some((count) => count > Number.MAX_SAFE_INTEGER)) return parts.flat();
  const runs = parts.map(runsOf);
  const families = [...new Set(runs.flatMap((each) => [...each.keys()]))];
  const deltas = parts
    .map(onlyDeltas)
    .filter((list) => list.length > 0)
    .map((list) => ({ list, failure: failureOf(list).upper }))
    .sort((a, b) => b.failure.cmp(a.failure))
    .slice(0, most);
  return [
    ...families.flatMap((family) =>
      largestAtEachPlace(
        runs.map((each) => each.get(family) ?? []),
        most,
      ),
    ),
    ...deltas.flatMap(({ list }) => list),
  ];
}

/** Some `most` of several lists, those that seem largest: one of the choices that {@link largestParts} dominates. */
export function someParts(parts: readonly (readonly Entry[])[], most: number): readonly Entry[] {
  const epsilons = parts.map((part) =>
    totalEpsilon(
      part.flatMap(({ mechanism, count }) =>
        hasPurePart(mechanism) ? [{ epsilon: pureEpsilon(mechanism), count }] : [],
      ),
    ),
  );
  return [...parts.keys()]
    .sort((a, b) => epsilons[b]!.cmp(epsilons[a]!) || failureOf(parts[b]!).upper.cmp(failureOf(parts[a]!).upper))
    .slice(0, most)
    .flatMap((index) => parts[index]!);
}
