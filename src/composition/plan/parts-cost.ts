import { Decimal } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { parallelSets } from '../theorems/parallel-sets.ts';
import type { Theorem } from '../theorems/theorem.ts';
import { asOne } from './approximate-dp.ts';
import { NOTHING, type Cost } from './cost.ts';
import { splitCreated } from './instances-cost.ts';
import { largestParts, someParts } from './largest-parts.ts';
import type { Context } from './resolved-node.ts';
import { ONE_SET, setsOf, setsRepeated, setsTogether } from './sets.ts';

/** The cost of parts of the data together, and how often delta is paid. */
export interface PartsTotal {
  readonly cost: Cost;
  readonly theorems: readonly Theorem[];
  readonly sets: Decimal;
}

/** More choices of parts than this are not dominated one by one. */
const MOST_CHOICES = 16;

/** More instances than this are not looked at one by one: each family is paid whole, as a part is. */
const MOST_LISTS = 1000;

/** Every choice of so many of several lists. */
function choicesOf(lists: readonly (readonly Entry[])[], most: number): readonly (readonly Entry[])[] {
  if (most === 0) return [[]];
  return lists.flatMap((list, index) => choicesOf(lists.slice(index + 1), most - 1).map((rest) => [...list, ...rest]));
}

const hasFewChoices = (lists: readonly unknown[], most: number): boolean =>
  most < lists.length && setsOf(lists.length, most).lte(MOST_CHOICES);

/** One mechanism in place of the parts that differ; null where none is known. */
function chosen(
  lists: readonly (readonly Entry[])[],
  most: number,
  { choose, side }: Context,
): readonly Entry[] | null {
  // Of samples the largest profile takes the worse order of neighbours at each epsilon, and only one of them is attained.
  const isAbove =
    side === 'attained' && lists.some((list) => list.some(({ mechanism }) => mechanism.type === 'sampled'));
  // A choice composes by its whole profile, which of conversations those with an (e, d)-DP guarantee alone do.
  const isOpen = lists.some((list) =>
    list.some(({ kind, mechanism }) => kind !== 'noninteractive' && mechanism.type !== 'dp'),
  );
  const one =
    hasFewChoices(lists, most) && !isAbove && !(side === 'claim' && isOpen) ? choose(choicesOf(lists, most)) : null;
  return one === null ? null : [one];
}

/** The cost of parts whatever their data, or of those in one set of parts, once for each such set. */
function createdTotal(parts: readonly Cost[], most: number, each: readonly Decimal[], context: Context): PartsTotal {
  const created = parts.map((part) => splitCreated(part.created));
  const all = parts.flatMap((part) => part.created);
  // What instances inside the parts that differ pay for their sets is paid whatever the parts pay.
  const inside = setsRepeated(Decimal.max(...each), most);
  const plain: PartsTotal = { cost: { differing: [], created: all }, theorems: [], sets: inside };
  if (context.side === 'attained' || created.every(({ others }) => others.length === 0)) return plain;
  const sets = setsTogether([setsOf(parts.length, most), inside]);
  if (sets.isFinite()) context.otherwise('sets');
  if (context.way.late !== 'sets') return plain;
  const some = largestParts(
    created.map(({ others }) => others),
    most,
  );
  const failures = created.flatMap((part) => part.failures);
  return { cost: { differing: [], created: [...failures, ...some] }, theorems: [parallelSets], sets };
}

/** A part of the data, or a family of instances, `instances` of which may differ and are counted. */
export interface Part {
  readonly cost: Cost;
  readonly sets: Decimal;
  readonly instances: number;
}

/** Mechanisms that one instance pays if it differs, and those that are paid once, whichever of them differ. */
interface PerInstance {
  readonly each: readonly Entry[];
  readonly once: readonly Entry[];
}

/** Divides what differing instances pay together by their number: all pay the same, a cap on their deltas apart. */
function perInstance({ cost, instances }: Part): PerInstance {
  const shared = ({ count }: Entry): boolean => count % instances === 0;
  return {
    each: cost.differing.filter(shared).map((entry) => ({ ...entry, count: entry.count / instances })),
    once: cost.differing.filter((entry) => !shared(entry)),
  };
}

/** The cost of parts of the data of which at most `most`, as they are counted, get different data. */
export function partsTotal(parts: readonly Part[], most: number, context: Context): PartsTotal {
  if (most === 0) return { cost: NOTHING, theorems: [], sets: ONE_SET };
  const { side, way } = context;
  const copies = parts.map(({ instances }) => Math.min(most, instances));
  const isLong = copies.reduce((sum, each) => sum + each, 0) > Math.max(MOST_LISTS, parts.length);
  const split = parts.map((part) => perInstance(isLong ? { ...part, instances: 1 } : part));
  const lists = split.flatMap(({ each }, index) => Array.from({ length: isLong ? 1 : copies[index]! }, () => each));
  const paid = parts.map(({ cost }, index) => ({
    differing: split[index]!.each,
    // No choice is known that reaches the caps of several families at once.
    created: side === 'attained' ? cost.created : [...cost.created, ...split[index]!.once],
  }));
  const sets = parts.map((part) => part.sets);
  const created = createdTotal(paid, most, sets, context);
  const withCreated = (differing: readonly Entry[]): PartsTotal => ({
    ...created,
    cost: { differing, created: created.cost.created },
  });
  const one = way.parts === 'chosen' ? chosen(lists, most, context) : null;
  if (one !== null) return withCreated(one);
  if (side === 'attained') return withCreated(someParts(lists, most));
  if (most < lists.length) context.otherwise('summed');
  if (hasFewChoices(lists, most)) context.otherwise('chosen');
  const ones = lists.flatMap((list) => asOne([list], list[0]?.label ?? null) ?? []);
  const summed = way.parts === 'summed' && most < lists.length && ones.length === lists.length;
  return withCreated(largestParts(summed ? ones.map((one) => [one]) : lists, most));
}
