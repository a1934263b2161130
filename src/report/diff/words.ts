import {
  claimedDifference,
  overlap,
  type Change,
  type Comparison,
  type PricedChange,
} from '../../composition/diff/compare.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import type { Setting } from '../../composition/core/setting.ts';
import type { Query } from '../../privacy/query.ts';
import { refusalMessage } from '../refusal/messages.ts';
import { givenText, signedText, upperText } from '../kit/number.ts';
import { nodeText } from '../plan/words.ts';
import { grouped } from '../kit/prose.ts';

const targetText = (query: Query): string =>
  query.solveFor === 'epsilon' ? `delta ${givenText(query.delta)}` : `epsilon ${givenText(query.epsilon)}`;

/** The facts on which settings differ: `discrete: assumed -> stated`. */
function settingText(before: Setting, after: Setting): string {
  const names = Object.keys(before) as (keyof Setting)[];
  const changed = names.filter((name) => before[name] !== after[name]);
  return changed.map((name) => `${name}: ${before[name]} -> ${after[name]}`).join(', ');
}

/** A change in words: `+` for added, `-` for removed, `~` for changed, and the elements before and after. */
export function changeText(change: Change): { readonly mark: '+' | '-' | '~'; readonly what: string } {
  switch (change.kind) {
    case 'added':
    case 'removed':
    case 'changed': {
      const { before, after } = change;
      const texts = [before, after].flatMap((placed) => (placed === null ? [] : [nodeText(placed.node)]));
      return { mark: change.kind === 'added' ? '+' : change.kind === 'removed' ? '-' : '~', what: texts.join(' -> ') };
    }
    case 'adaptivity':
      return { mark: '~', what: `adaptivity: ${change.before} -> ${change.after}` };
    case 'order':
      return { mark: '~', what: `order: ${change.before} -> ${change.after}` };
    case 'setting':
      return { mark: '~', what: settingText(change.before, change.after) };
    case 'target':
      return { mark: '~', what: `target: ${targetText(change.before)} -> ${targetText(change.after)}` };
  }
}

/** How much more is claimed: `+0.5`, `-0.25`, `0`; `infinity` where one of both is. */
export function differenceText(before: Bracket, after: Bracket): string {
  const difference = claimedDifference(before, after);
  if (difference !== null) return signedText(difference);
  if (before.upper === after.upper) return '0';
  return after.upper === Infinity ? '+infinity' : '-infinity';
}

/** The cost of a change alone, as cells: the total with it, and the difference to the total before. */
export function costCells({ total }: PricedChange, before: Bracket): readonly [string, string] {
  return 'refusal' in total ? ['refused', ''] : [upperText(total.value), differenceText(before, total.value)];
}

/** Why a change alone is not covered: one sentence each. */
export const refusedAlone = ({ changes }: Comparison): string[] =>
  changes.flatMap(({ change, total }) =>
    'refusal' in total ? [`${changeText(change).what}: ${refusalMessage(total.refusal)}`] : [],
  );

/** The totals before and after, in one sentence, and what has to be known to read the rest. */
export function diffStatement({ query, before, after, changes, unchanged, incomparable }: Comparison): string {
  const { solveFor } = query;
  const [one, other] = [before[solveFor], after[solveFor]];
  const at = targetText(query);
  const moved = changes.some(({ change }) => change.kind === 'target');
  const difference = differenceText(one, other);
  const sentences = [
    `${solveFor} at ${at}: ${upperText(one)} before (${before.bound}), ${upperText(other)} after (${after.bound})${moved ? ' at its own target' : ''}, ${difference === '0' ? 'no difference' : `a difference of ${difference}`}.`,
    ...(difference !== '0' && before.tight && after.tight && overlap(one, other)
      ? ['The enclosures of both have numbers in common: what they enclose may be equal.']
      : []),
    ...(incomparable ? ['The targets ask for different things; both are compared at that of the first.'] : []),
    ...(changes.length === 0
      ? ['Nothing that matters to the cost has changed.']
      : [
          `${grouped(changes.length)} ${changes.length === 1 ? 'change' : 'changes'}, ${grouped(unchanged)} unchanged.`,
          ...(changes.length > 1
            ? ['Each is told as the total before with that change alone; they need not add up.']
            : []),
        ]),
  ];
  return sentences.join(' ');
}
