import {
  claimedDifference,
  overlap,
  type Change,
  type Comparison,
  type PricedChange,
  isIncrease,
  type MatchedNodes,
  type PlacedNode,
} from '../composition/diff/compare.ts';
import type { Bracket } from '../numeric/enclosure.ts';
import type { Setting } from '../composition/core/setting.ts';
import { refusalMessage } from './refusal/messages.ts';
import { signedText, upperText, givenIn, queryText } from './kit/number.ts';
import { nodeText } from './plan/words.ts';
import { grouped } from './kit/prose.ts';
import { exactNode, type ExactForm } from '../document/structure/normal-form.ts';
import { ANSWER } from './compose/json.ts';
import { BRACKET, COUNT, FLAG, INPUT, NEAREST, QUERY, TEXT } from './kit/codecs.ts';
import { jsonMembers, type Json } from './kit/json-value.ts';
import { WARNING, REFUSAL_MEMBERS, refusalMembers } from './refusal/refusal.ts';
import { code, paragraph, quiet, type Output } from './kit/page.ts';
import { table } from './kit/table.ts';
import * as json from './kit/codec.ts';

/** The facts on which settings differ: `discrete: assumed -> stated`. */
function settingText(before: Setting, after: Setting): string {
  const names = Object.keys(before) as (keyof Setting)[];
  const changed = names.filter((name) => before[name] !== after[name]);
  return changed.map((name) => `${name}: ${before[name]} -> ${after[name]}`).join(', ');
}

/** A change in words: `+` for added, `-` for removed, `~` for changed, and the elements before and after. */
function changeText(change: Change): { readonly mark: '+' | '-' | '~'; readonly what: string } {
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
      return { mark: '~', what: `target: ${givenIn(change.before)} -> ${givenIn(change.after)}` };
  }
}

/** How much more is claimed: `+0.5`, `-0.25`, `0`; `infinity` where one of both is. */
function differenceText(before: Bracket, after: Bracket): string {
  const difference = claimedDifference(before, after);
  if (difference !== null) return signedText(difference);
  if (before.upper === after.upper) return '0';
  return after.upper === Infinity ? '+infinity' : '-infinity';
}

/** The cost of a change alone, as cells: the total with it, and the difference to the total before. */
function costCells({ total }: PricedChange, before: Bracket): readonly [string, string] {
  return 'refusal' in total ? ['refused', ''] : [upperText(total.value), differenceText(before, total.value)];
}

/** Why a change alone is not covered: one sentence each. */
const refusedAlone = ({ changes }: Comparison): string[] =>
  changes.flatMap(({ change, total }) =>
    'refusal' in total ? [`${changeText(change).what}: ${refusalMessage(total.refusal)}`] : [],
  );

/** The totals before and after, in one sentence, and what has to be known to read the rest. */
function diffStatement({ query, before, after, changes, unchanged, incomparable }: Comparison): string {
  const { solveFor } = query;
  const [one, other] = [before[solveFor], after[solveFor]];
  const moved = changes.some(({ change }) => change.kind === 'target');
  const difference = differenceText(one, other);
  const sentences = [
    `${queryText(query)}: ${upperText(one)} before (${before.bound}), ${upperText(other)} after (${after.bound})${moved ? ' at its own target' : ''}, ${difference === '0' ? 'no difference' : `a difference of ${difference}`}.`,
    ...(difference !== '0' && before.tight && after.tight && overlap(one, other)
      ? ['The intervals of both overlap: the true values may be equal.']
      : []),
    ...(incomparable ? ['The targets differ; both are compared at that of the first.'] : []),
    ...(changes.length === 0
      ? ['No change affects the privacy loss.']
      : [
          `${grouped(changes.length)} ${changes.length === 1 ? 'change' : 'changes'}, ${grouped(unchanged)} unchanged.`,
          ...(changes.length > 1
            ? ['Each number is the total before, with only that change; the effects need not add up.']
            : []),
        ]),
  ];
  return sentences.join(' ');
}

const DIFFERENCE = json.described(
  'The difference of the guarantees, as the nearest double; null if either is infinite.',
  json.orNull(NEAREST),
);

const SIDE = json.object({ input: INPUT, answer: ANSWER, warnings: json.list(WARNING) });

const CHANGE = json.object({
  change: json.choice('added', 'removed', 'changed', 'adaptivity', 'order', 'setting', 'target'),
  description: TEXT,
  before: json.plain<Json>({}),
  after: json.plain<Json>({}),
  alone: json.described('The total before with this change alone.', json.orNull(BRACKET)),
  difference: DIFFERENCE,
  refusal: json.optional(
    json.described('Why this change alone is not covered.', {
      ...json.object(REFUSAL_MEMBERS),
      schema: { type: 'object' },
    }),
  ),
});

/** A comparison of two specifications. */
export const DIFF = json.document(
  'diff',
  'How a change of the specification changes the privacy loss: the output of diff --json.',
  {
    query: QUERY,
    message: TEXT,
    before: SIDE,
    after: SIDE,
    difference: DIFFERENCE,
    increase: json.described('Whether the guarantee is larger after than before, by more than rounding.', FLAG),
    incomparable: json.described('Whether the targets differ, so that both are compared at that of the first.', FLAG),
    unchanged: json.described('The number of unchanged elements.', COUNT),
    changes: json.list(CHANGE),
  },
);

const isNodes = (change: Change): change is Extract<Change, MatchedNodes> =>
  change.kind === 'added' || change.kind === 'removed' || change.kind === 'changed';

const nodeJson = (placed: PlacedNode | null): Json =>
  placed === null ? null : { path: `mechanisms[${placed.index}]`, ...jsonMembers(exactNode(placed.node)) };

function sides(change: Change): Readonly<Record<'before' | 'after', Json>> {
  if (isNodes(change)) return { before: nodeJson(change.before), after: nodeJson(change.after) };
  if (change.kind === 'target') return { before: QUERY.encode(change.before), after: QUERY.encode(change.after) };
  return { before: change.before as Json, after: change.after as Json };
}

const priced = (
  total: PricedChange['total'],
  before: Bracket,
): Pick<json.ValueOf<typeof CHANGE>, 'alone' | 'difference'> =>
  'refusal' in total
    ? { alone: null, difference: null }
    : { alone: total.value, difference: claimedDifference(before, total.value) };

/** The cost of a changed specification: each change alone, and the totals in a sentence; inputs are in normal form. */
export function diffOutput(
  comparison: Comparison,
  inputs: { readonly before: ExactForm; readonly after: ExactForm },
): Output {
  const { query, before, after, changes } = comparison;
  const [one, other] = [before[query.solveFor], after[query.solveFor]];
  const message = diffStatement(comparison);
  const rows = changes.map((change) => {
    const [total, difference] = costCells(change, one);
    return { ...changeText(change.change), total, difference };
  });
  return {
    page: () => [
      table(rows, [
        [`  ${query.solveFor} with only this change`, ({ mark, total }) => `${mark} ${total}`],
        'difference',
        ['change', ({ what }) => what],
      ]),
      paragraph(rows.length === 0 ? null : `Each ${query.solveFor} is the total before, with only that change.`),
      paragraph(message),
      ...refusedAlone(comparison).map(quiet),
    ],
    markdown: () => [
      paragraph(message),
      table(rows, [
        ['change', ({ mark, what }) => [code(mark), ` ${what}`]],
        [`${query.solveFor} with only this change`, ({ total }) => total, { right: true }],
        ['difference', ({ difference }) => difference, { right: true }],
      ]),
      ...refusedAlone(comparison).map(paragraph),
    ],
    json: (version) =>
      json.documentText(DIFF, {
        ...comparison,
        version,
        message,
        before: { input: inputs.before, answer: before, warnings: before.warnings },
        after: { input: inputs.after, answer: after, warnings: after.warnings },
        difference: claimedDifference(one, other),
        increase: isIncrease(one, other),
        changes: changes.map(({ change, total }) => ({
          change: change.kind,
          description: changeText(change).what,
          ...sides(change),
          ...priced(total, one),
          refusal: 'refusal' in total ? refusalMembers(total.refusal) : null,
        })),
      }),
  };
}
