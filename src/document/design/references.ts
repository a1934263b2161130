import type { Design } from '../../composition/design/design.ts';
import { toDescribe, type Described } from '../../composition/design/part.ts';
import { statementsOf } from '../../composition/design/data-flow.ts';
import type { PlanNode } from '../../composition/core/plan-node.ts';
import type { Adaptivity, Order } from '../../privacy/query.ts';
import { coverMistakes, submechanismMistakes } from './coverage.ts';
import { at } from './mistakes.ts';
import { messageMistakes } from './messages.ts';
import { variableMistakes } from './names.ts';
import type { Mistake } from '../core/input-error.ts';

/** Facts of a document that do not go together with a design of its mechanisms. */
export function settingMistakes({
  adaptivity,
  order,
}: {
  readonly adaptivity: Adaptivity;
  readonly order: Order;
}): Mistake[] {
  const conflict = (key: string, message: string): Mistake =>
    at([key], { code: 'conflicting-keys', message, hint: `Remove "${key}" or "design".` });
  return [
    ...(adaptivity === 'nonadaptive'
      ? [conflict('adaptivity', 'a design creates and asks along the way, so that adaptivity cannot be "nonadaptive"')]
      : []),
    ...(order === 'declared'
      ? [
          conflict(
            'order',
            'a design says itself in which order mechanisms are run, so that order cannot be "declared"',
          ),
        ]
      : []),
  ];
}

/**
 * References of a design that are wrong: names that stand for nothing or for two things, mechanisms of the
 * document that are not described, messages that do not have the parts they should have.
 */
export function designMistakes(design: Design, nodes: readonly PlanNode[]): Mistake[] {
  const statements = statementsOf(design);
  const described = toDescribe(nodes, new Set(design.submechanisms.map(({ mechanism }) => mechanism)));
  const byLabel = new Map(
    described.flatMap((each): [string, Described][] => (each.node.label === null ? [] : [[each.node.label, each]])),
  );
  return [
    ...variableMistakes(design, statements),
    ...coverMistakes(design, described),
    ...submechanismMistakes(design, byLabel, described),
    ...messageMistakes(design, statements, new Map([...byLabel].map(([label, { node }]) => [label, node]))),
  ];
}
