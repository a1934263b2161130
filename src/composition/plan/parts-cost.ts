import { failureOf } from '../../bounds/entries.ts';
import { largestLoss } from '../../bounds/renyi-entries.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { NOTHING, type Cost } from './cost.ts';
import { largestParts, someParts } from './largest-parts.ts';
import type { Context } from './resolved-node.ts';

/** One (e, d)-DP mechanism that dominates a list: the sum of all losses and the chance of a failure; null without limit. */
export function asOne(entries: readonly Entry[], label: string | null): Entry | null {
  const epsilon = largestLoss(entries);
  if (epsilon === null) return null;
  return {
    mechanism: { type: 'dp', epsilon, delta: failureOf(entries).upper },
    count: 1,
    kind: 'interactive',
    label,
  };
}

/** What parts of the data cost together of which at most `most` get different data. */
export function partsCost(parts: readonly Cost[], most: number, { side, parts: rule }: Context): Cost {
  if (most === 0) return NOTHING;
  const lists = parts.map(({ differing }) => differing);
  const ones = lists.flatMap((list) => asOne(list, list[0]?.label ?? null) ?? []);
  const summed = rule === 'summed' && most < parts.length && ones.length === parts.length;
  const select = side === 'claim' ? largestParts : someParts;
  return {
    differing: select(summed ? ones.map((one) => [one]) : lists, most),
    created: parts.flatMap(({ created }) => created),
  };
}
