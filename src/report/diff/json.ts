import {
  claimedDifference,
  isIncrease,
  type Change,
  type Comparison,
  type PricedChange,
  type MatchedNodes,
  type PlacedNode,
} from '../../composition/diff/compare.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import { exactNode, type ExactForm } from '../../document/structure/normal-form.ts';
import { ANSWER } from '../compose/answer-json.ts';
import {
  choice,
  described,
  document,
  documentText,
  list,
  object,
  optional,
  orNull,
  plain,
  type ValueOf,
} from '../kit/codec.ts';
import { BRACKET, COUNT, FLAG, INPUT, NEAREST, QUERY, TEXT } from '../kit/codecs.ts';
import { jsonMembers, type Json } from '../kit/json-value.ts';
import { WARNING } from '../refusal/bound-row-json.ts';
import { REFUSAL_MEMBERS, refusalMembers } from '../refusal/json.ts';
import { changeText, diffStatement } from './words.ts';

const DIFFERENCE = described(
  'How much more is claimed, as the nearest double; null where one of both claims is infinite.',
  orNull(NEAREST),
);

const SIDE = object({ input: INPUT, answer: ANSWER, warnings: list(WARNING) });

const CHANGE = object({
  change: choice('added', 'removed', 'changed', 'adaptivity', 'order', 'setting', 'target'),
  description: TEXT,
  before: plain<Json>({}),
  after: plain<Json>({}),
  alone: described('The total before with this change alone.', orNull(BRACKET)),
  difference: DIFFERENCE,
  refusal: optional(
    described('Why this change alone is not covered.', { ...object(REFUSAL_MEMBERS), schema: { type: 'object' } }),
  ),
});

/** A comparison of two specifications. */
export const DIFF = document('diff', 'What a change of specification costs, as diff --json prints it.', {
  query: QUERY,
  message: TEXT,
  before: SIDE,
  after: SIDE,
  difference: DIFFERENCE,
  increase: described('Whether more is claimed after than before, by more than rounding.', FLAG),
  incomparable: described(
    'Whether the targets ask for different things, so that both are compared at that of the first.',
    FLAG,
  ),
  unchanged: described('How many elements are as they were.', COUNT),
  changes: list(CHANGE),
});

const isNodes = (change: Change): change is Extract<Change, MatchedNodes> =>
  change.kind === 'added' || change.kind === 'removed' || change.kind === 'changed';

const nodeJson = (placed: PlacedNode | null): Json =>
  placed === null ? null : { path: `mechanisms[${placed.index}]`, ...jsonMembers(exactNode(placed.node)) };

function sides(change: Change): Readonly<Record<'before' | 'after', Json>> {
  if (isNodes(change)) return { before: nodeJson(change.before), after: nodeJson(change.after) };
  if (change.kind === 'target') return { before: QUERY.encode(change.before), after: QUERY.encode(change.after) };
  return { before: change.before as Json, after: change.after as Json };
}

const priced = (total: PricedChange['total'], before: Bracket): Pick<ValueOf<typeof CHANGE>, 'alone' | 'difference'> =>
  'refusal' in total
    ? { alone: null, difference: null }
    : { alone: total.value, difference: claimedDifference(before, total.value) };

/** The cost of a change as `dpcompose.diff/1`; the inputs are the specifications in normal form. */
export function diffJson(
  comparison: Comparison,
  inputs: { readonly before: ExactForm; readonly after: ExactForm },
  version: string,
): string {
  const { query, before, after, changes } = comparison;
  const [one, other] = [before[query.solveFor], after[query.solveFor]];
  return documentText(DIFF, {
    ...comparison,
    version,
    message: diffStatement(comparison),
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
  });
}
