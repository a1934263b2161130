import type { PricedNode, PricedPlan } from '../../composition/plan/price-plan.ts';
import { isEntry, type PlanNode } from '../../composition/core/plan-node.ts';
import { toLower } from '../../numeric/decimal.ts';
import type { ExactForm } from '../../document/structure/normal-form.ts';
import { answerJson, planTotals, queryJson, theoremJson, warningRow } from '../compose/json.ts';
import { jsonBracket, jsonDocument, jsonForm, jsonNumber, type Json } from '../kit/json-value.ts';
import { conditionText, nodeText } from './words.ts';

const kindOf = (node: PlanNode | null): string => {
  if (node === null) return 'plan';
  return isEntry(node) ? 'mechanism' : node.node;
};

/** A node of a plan, with those below it. */
export function nodeJson({ found, price, room, children }: PricedNode): Json {
  const { node, path, theorems, conditions } = found;
  const label = node?.label ?? null;
  return {
    node: kindOf(node),
    path,
    ...(label === null ? {} : { label }),
    description: nodeText(node),
    theorems: theorems.map(theoremJson),
    conditions: conditions.map(({ id, state }) => ({ id, state, description: conditionText(id) })),
    price: price === null ? null : { value: jsonBracket(price.value), bound: price.bound },
    ...(room === null
      ? {}
      : {
          room: {
            delta: jsonNumber(room.delta.toNumber()),
            instances: room.instances,
            remaining: jsonNumber(Math.max(0, toLower(room.remaining))),
          },
        }),
    children: children.map(nodeJson),
  };
}

/** A plan with the theorem, the preconditions and the price at every node, as `dpcompose.plan/1`. */
export function planJson({ answer, tree }: PricedPlan, input: ExactForm, version: string): string {
  return jsonDocument({
    schema: 'dpcompose.plan/1',
    version,
    input: jsonForm(input),
    query: queryJson(answer.query),
    answer: answerJson(answer),
    ...planTotals(answer),
    tree: nodeJson(tree),
    warnings: answer.warnings.map(warningRow),
  });
}
