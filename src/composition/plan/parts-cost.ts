import { totalEpsilon } from '../../privacy/pure.ts';
import { Decimal, ONE } from '../../numeric/decimal.ts';
import { failureOf } from '../../bounds/core/entries.ts';
import { mechanismKey } from '../../privacy/mechanism-key.ts';
import { compareQuotients, type Quotient } from '../../privacy/mechanisms/record.ts';
import { hasPurePart, pureEpsilon, recordOf } from '../../privacy/mechanisms/records.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { groupBy } from '../core/collections.ts';
import {
  isDp,
  onlyDeltas,
  withoutDeltas,
  asOne,
  NOTHING,
  ONE_SET,
  setsOf,
  setsRepeated,
  setsTogether,
  type Cost,
} from './cost.ts';
import { parallelSets } from '../theorems/parallel.ts';
import type { Theorem } from '../theorems/theorem.ts';
import { splitCreated } from './instances-cost.ts';
import type { Context } from './resolved-node.ts';

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
  for (const [family, list] of groupBy(ranked, (run) => run.family)) {
    let from = 0;
    const sorted = list.sort((a, b) => compareQuotients(b.rank, a.rank));
    runs.set(
      family,
      sorted.map(({ entry, rank }) => ({ entry, rank, from, to: (from += entry.count) })),
    );
  }
  return runs;
}

/** At every place the `limit` largest of what the parts have there. */
function largestAtEachPlace(parts: readonly (readonly Run[])[], limit: number): Entry[] {
  const ends = [...new Set(parts.flatMap((runs) => runs.flatMap(({ from, to }) => [from, to])))].sort((a, b) => a - b);
  const cursors = parts.map(() => 0);
  return ends.slice(0, -1).flatMap((from, index) => {
    const count = ends[index + 1]! - from;
    const candidates = parts.flatMap((runs, part) => {
      while ((runs[cursors[part]!]?.to ?? Infinity) <= from) cursors[part]!++;
      return runs[cursors[part]!] ?? [];
    });
    const largest = candidates.sort((a, b) => compareQuotients(b.rank, a.rank)).slice(0, limit);
    return largest.map(({ entry }) => ({ ...entry, count }));
  });
}

/**
 * Mechanisms that dominate any `limit` of several lists, whichever they are and whenever that is decided: class by class
 * and place by place (the largest of each list, then the second largest, ...) the `limit` largest parameters, and the
 * deltas of the `limit` lists that are likeliest to fail. Never more than all lists together. Classes that do not compare
 * are all paid.
 *
 * Derived: RR(e, d) is a post-processing of RR(e, 0) and RR(0, d), and a mechanism of one that dominates it; at each
 * place any choice of `limit` lists holds at most the `limit` largest that are there. (For (e, d)-DP mechanisms, one to a
 * list: the largest epsilons and, separately, the largest deltas.)
 */
function largestParts(parts: readonly (readonly Entry[])[], limit: number): readonly Entry[] {
  if (limit >= parts.length) return parts.flat();
  const counts = parts.map((part) => part.reduce((sum, { count }) => sum + count, 0));
  if (counts.some((count) => count > Number.MAX_SAFE_INTEGER)) return parts.flat();
  const runs = parts.map(runsOf);
  const families = [...new Set(runs.flatMap((partRuns) => [...partRuns.keys()]))];
  const deltas = parts
    .map(onlyDeltas)
    .filter((list) => list.length > 0)
    .map((list) => ({ list, failure: failureOf(list).upper }))
    .sort((a, b) => b.failure.cmp(a.failure))
    .slice(0, limit);
  return [
    ...families.flatMap((family) =>
      largestAtEachPlace(
        runs.map((partRuns) => partRuns.get(family) ?? []),
        limit,
      ),
    ),
    ...deltas.flatMap(({ list }) => list),
  ];
}

/** Some `limit` of several lists, those that seem largest: one of the choices that {@link largestParts} dominates. */
function someParts(parts: readonly (readonly Entry[])[], limit: number): readonly Entry[] {
  const epsilons = parts.map((part) =>
    totalEpsilon(
      part.flatMap(({ mechanism, count }) =>
        hasPurePart(mechanism) ? [{ epsilon: pureEpsilon(mechanism), count }] : [],
      ),
    ),
  );
  return [...parts.keys()]
    .sort((a, b) => epsilons[b]!.cmp(epsilons[a]!) || failureOf(parts[b]!).upper.cmp(failureOf(parts[a]!).upper))
    .slice(0, limit)
    .flatMap((index) => parts[index]!);
}

/** The cost of parts of the data together, and how often delta is paid. */
interface PartsTotal {
  readonly cost: Cost;
  readonly theorems: readonly Theorem[];
  readonly sets: Decimal;
}

/** More choices of parts than this are not dominated one by one. */
const MOST_CHOICES = 16;

/** More instances than this are not looked at one by one: each family is paid whole, as a part is. */
const MOST_LISTS = 1000;

/** Every choice of so many of several lists. */
function choicesOf(lists: readonly (readonly Entry[])[], limit: number): readonly (readonly Entry[])[] {
  if (limit === 0) return [[]];
  return lists.flatMap((list, index) => choicesOf(lists.slice(index + 1), limit - 1).map((tail) => [...list, ...tail]));
}

const hasFewChoices = (lists: readonly unknown[], limit: number): boolean =>
  limit < lists.length && setsOf(lists.length, limit).lte(MOST_CHOICES);

/** One mechanism in place of the parts that differ; null where none is known. */
function chosen(
  lists: readonly (readonly Entry[])[],
  limit: number,
  { choose, side }: Context,
): readonly Entry[] | null {
  // Of samples the largest profile takes the worse order of neighbours at each epsilon, and only one of them is attained.
  const isAbove =
    side === 'attained' && lists.some((list) => list.some(({ mechanism }) => mechanism.type === 'sampled'));
  // A choice composes by its whole profile, which of conversations those with an (e, d)-DP guarantee alone do.
  const isOpen = lists.some((list) =>
    list.some(({ kind, mechanism }) => kind !== 'noninteractive' && mechanism.type !== 'dp'),
  );
  const choice =
    hasFewChoices(lists, limit) && !isAbove && !(side === 'claim' && isOpen) ? choose(choicesOf(lists, limit)) : null;
  return choice === null ? null : [choice];
}

/** The cost of parts whatever their data, or of those in one set of parts, once for each such set. */
function createdTotal(
  parts: readonly Cost[],
  limit: number,
  partSets: readonly Decimal[],
  context: Context,
): PartsTotal {
  const created = parts.map((part) => splitCreated(part.created));
  const all = parts.flatMap((part) => part.created);
  // What instances inside the parts that differ pay for their sets is paid whatever the parts pay.
  const inside = setsRepeated(Decimal.max(...partSets), limit);
  const plain: PartsTotal = { cost: { differing: [], created: all }, theorems: [], sets: inside };
  if (context.side === 'attained' || created.every(({ others }) => others.length === 0)) return plain;
  const sets = setsTogether([setsOf(parts.length, limit), inside]);
  if (sets.isFinite()) context.otherwise('sets');
  if (context.way.late !== 'sets') return plain;
  const some = largestParts(
    created.map(({ others }) => others),
    limit,
  );
  const failures = created.flatMap((part) => part.failures);
  return { cost: { differing: [], created: [...failures, ...some] }, theorems: [parallelSets], sets };
}

/** A part of the data, or a family of instances, `instances` of which may differ and are counted. */
interface Part {
  readonly cost: Cost;
  readonly sets: Decimal;
  readonly instances: number;
}

/** Mechanisms that one instance pays if it differs, and those that are paid once, whichever of them differ. */
interface PerInstance {
  readonly perInstance: readonly Entry[];
  readonly once: readonly Entry[];
}

/** Divides what differing instances pay together by their number: all pay the same, a cap on their deltas apart. */
function paidPerInstance({ cost, instances }: Part): PerInstance {
  const shared = ({ count }: Entry): boolean => count % instances === 0;
  return {
    perInstance: cost.differing.filter(shared).map((entry) => ({ ...entry, count: entry.count / instances })),
    once: cost.differing.filter((entry) => !shared(entry)),
  };
}

/** The cost of parts of the data of which at most `limit`, as they are counted, get different data. */
export function partsTotal(parts: readonly Part[], limit: number, context: Context): PartsTotal {
  if (limit === 0) return { cost: NOTHING, theorems: [], sets: ONE_SET };
  const { side, way } = context;
  const copies = parts.map(({ instances }) => Math.min(limit, instances));
  const isLong = copies.reduce((sum, count) => sum + count, 0) > Math.max(MOST_LISTS, parts.length);
  const split = parts.map((part) => paidPerInstance(isLong ? { ...part, instances: 1 } : part));
  const lists = split.flatMap(({ perInstance }, index) =>
    Array.from({ length: isLong ? 1 : copies[index]! }, () => perInstance),
  );
  const paid = parts.map(({ cost }, index) => ({
    differing: split[index]!.perInstance,
    // No choice is known that reaches the caps of several families at once.
    created: side === 'attained' ? cost.created : [...cost.created, ...split[index]!.once],
  }));
  const sets = parts.map((part) => part.sets);
  const created = createdTotal(paid, limit, sets, context);
  const withCreated = (differing: readonly Entry[]): PartsTotal => ({
    ...created,
    cost: { differing, created: created.cost.created },
  });
  const choice = way.parts === 'chosen' ? chosen(lists, limit, context) : null;
  if (choice !== null) return withCreated(choice);
  if (side === 'attained') return withCreated(someParts(lists, limit));
  if (limit < lists.length) context.otherwise('summed');
  if (hasFewChoices(lists, limit)) context.otherwise('chosen');
  const ones = lists.flatMap((list) => asOne([list], list[0]?.label ?? null) ?? []);
  const summed = way.parts === 'summed' && limit < lists.length && ones.length === lists.length;
  return withCreated(largestParts(summed ? ones.map((entry) => [entry]) : lists, limit));
}
