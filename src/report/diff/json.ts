import {
  claimedDifference,
  isIncrease,
  type Change,
  type Comparison,
  type PricedChange,
} from '../../composition/diff/compare.ts';
import type { MatchedNodes, PlacedNode } from '../../composition/diff/match-nodes.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import { exactNode, type ExactForm } from '../../document/structure/normal-form.ts';
import { changeText, diffStatement } from './words.ts';
import { answerJson, queryJson, refusalRow, warningRow } from '../compose/json.ts';
import { jsonBracket, jsonDocument, jsonForm, jsonMembers, jsonNumber, type Json } from '../kit/json-value.ts';

const isNodes = (change: Change): change is Extract<Change, MatchedNodes> =>
  change.kind === 'added' || change.kind === 'removed' || change.kind === 'changed';

const nodeJson = (placed: PlacedNode | null): Json =>
  placed === null ? null : { path: `mechanisms[${placed.index}]`, ...jsonMembers(exactNode(placed.node)) };

function sides(change: Change): Readonly<Record<'before' | 'after', Json>> {
  if (isNodes(change)) return { before: nodeJson(change.before), after: nodeJson(change.after) };
  if (change.kind === 'target') return { before: queryJson(change.before), after: queryJson(change.after) };
  return { before: change.before as Json, after: change.after as Json };
}

const differenceJson = (before: Bracket, after: Bracket): Json => {
  const difference = claimedDifference(before, after);
  return difference === null ? null : jsonNumber(difference.toNumber());
};

function changeJson({ change, total }: PricedChange, before: Bracket): Json {
  const priced =
    'refusal' in total
      ? { alone: null, difference: null, refusal: refusalRow(total.refusal) }
      : { alone: jsonBracket(total.value), difference: differenceJson(before, total.value) };
  return { change: change.kind, description: changeText(change).what, ...sides(change), ...priced };
}

/** What a change of specification costs as `dpcompose.diff/1`; the inputs are the specifications in normal form. */
export function diffJson(
  comparison: Comparison,
  inputs: { readonly before: ExactForm; readonly after: ExactForm },
  version: string,
): string {
  const { query, before, after, changes, unchanged, incomparable } = comparison;
  const [one, other] = [before[query.solveFor], after[query.solveFor]];
  return jsonDocument({
    schema: 'dpcompose.diff/1',
    version,
    query: queryJson(query),
    message: diffStatement(comparison),
    before: { input: jsonForm(inputs.before), answer: answerJson(before), warnings: before.warnings.map(warningRow) },
    after: { input: jsonForm(inputs.after), answer: answerJson(after), warnings: after.warnings.map(warningRow) },
    difference: differenceJson(one, other),
    increase: isIncrease(one, other),
    incomparable,
    unchanged,
    changes: changes.map((change) => changeJson(change, one)),
  });
}
