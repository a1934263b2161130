import type { PlanNode } from '../../composition/core/plan-node.ts';
import { definitionsIn, placeOf, statementsOf, those, type Located } from '../../composition/design/data-flow.ts';
import type { Design, Submechanism } from '../../composition/design/design.ts';
import { partOf, toDescribe, type Described, type Part } from '../../composition/design/part.ts';
import type { Adaptivity, Order } from '../../privacy/curve.ts';
import type { Mistake, Path } from '../core/input-error.ts';
import { quote } from '../core/quote.ts';
import { at, coverMistakes, repeated, submechanismMistakes, twice, unknownName } from './coverage.ts';

/** A list of names in a statement, and the key it stands under. */
interface Mention {
  readonly key: string;
  readonly names: readonly string[];
}

function mentionsIn({ statement }: Located): Mention[] {
  switch (statement.does) {
    case 'create':
      return [
        { key: 'from', names: statement.from },
        { key: 'data', names: statement.data },
      ];
    case 'send':
      return [
        { key: 'send', names: statement.values },
        { key: 'which', names: statement.which },
      ];
    case 'set':
      return [{ key: 'from', names: statement.from }];
    case 'add':
      return [{ key: 'add', names: statement.terms }];
    case 'if':
      return [{ key: 'if', names: statement.on }];
    case 'output':
      return [{ key: 'output', names: statement.values }];
  }
}

/** Names of inputs, constants and variables that stand for nothing, or for two things. */
function variableMistakes(design: Design, statements: readonly Located[]): Mistake[] {
  const inputs = design.inputs.map(({ name }) => name);
  const fixedVariables = [...inputs, ...design.constants];
  const defined = definitionsIn(statements);
  const variables = [...new Set([...fixedVariables, ...defined.map(({ variable }) => variable)])];
  const all = new Set(variables);
  const constants = design.constants.map((name, index) => ({ name, index }));
  return [
    ...repeated(inputs).map(({ name, index }) => at(['design', 'inputs', index, 'name'], twice(name, 'inputs'))),
    ...constants
      .filter(({ name, index }) => inputs.includes(name) || design.constants.indexOf(name) < index)
      .map(({ name, index }) => at(['design', 'constants', index], twice(name, 'inputs or constants'))),
    ...defined.flatMap(({ variable, how, at: place }) => {
      if (!fixedVariables.includes(variable)) return [];
      const key = how === 'computed' ? 'set' : how === 'added' ? 'to' : 'answer';
      const what = inputs.includes(variable) ? 'an input' : 'a constant';
      const message = `${quote(variable)} is ${what}, which a procedure cannot change`;
      return [
        at([...placeOf(place), key], { code: 'duplicate-name', message, hint: 'Give the variable another name.' }),
      ];
    }),
    ...statements.flatMap((place) =>
      mentionsIn(place).flatMap(({ key, names }) =>
        names.flatMap((name, index) => {
          if (all.has(name)) return [];
          const hint =
            'Set it, or list it in "inputs". If it is fixed in advance or public, such as a parameter or the time, list it in "constants".';
          return [
            at(
              [...placeOf(place), key, index],
              unknownName(name, 'an input, a constant or a variable', variables, hint),
            ),
          ];
        }),
      ),
    ),
  ];
}

/** A list of values whose length is not that of the arguments it is for. */
function lengthMistake(path: Path, values: number, takes: readonly { name: string }[], who: string): Mistake[] {
  if (values === takes.length) return [];
  const names = takes.length === 0 ? 'none' : takes.map(({ name }) => name).join(', ');
  return [
    at(path, {
      code: 'unequal-lengths',
      message: `${quote(who)} takes ${takes.length} ${takes.length === 1 ? 'value' : 'values'} here (${names}), got ${values}`,
      hint: 'Give one value for each, in their order.',
    }),
  ];
}

/** Statements that create or send what their sub-mechanism does not take. */
function messageMistakes(
  design: Design,
  statements: readonly Located[],
  nodes: ReadonlyMap<string, PlanNode>,
): Mistake[] {
  const submechanisms = new Map(design.submechanisms.map((submechanism) => [submechanism.mechanism, submechanism]));
  const names = [...submechanisms.keys()];
  const created = new Set(those(statements, 'create').map(({ statement }) => statement.mechanism));
  const kindOf = (mechanism: string): Part['kind'] | null => {
    const node = nodes.get(mechanism);
    return node === undefined ? null : (partOf(node)?.kind ?? null);
  };
  const submechanismNamed = (mechanism: string, path: Path): Submechanism | Mistake =>
    submechanisms.get(mechanism) ??
    at(path, unknownName(mechanism, 'described in design.submechanisms', names, 'Describe it there.'));
  return [
    ...those(statements, 'create').flatMap((located) => {
      const place = placeOf(located);
      const { mechanism, data } = located.statement;
      const submechanism = submechanismNamed(mechanism, [...place, 'create']);
      if ('problem' in submechanism) return [submechanism];
      if (kindOf(mechanism) === 'noninteractive') {
        const message = `${quote(mechanism)} answers once: each message to it is an instance of its own, and none is created before`;
        const hint = 'Remove this, or set "kind" to "interactive" or "continual".';
        return [at([...place, 'create'], { code: 'conflicting-keys', message, hint })];
      }
      return lengthMistake([...place, 'data'], data.length, submechanism.data, mechanism);
    }),
    ...those(statements, 'send').flatMap((located) => {
      const place = placeOf(located);
      const { mechanism, values } = located.statement;
      const submechanism = submechanismNamed(mechanism, [...place, 'to']);
      if ('problem' in submechanism) return [submechanism];
      if (kindOf(mechanism) !== 'noninteractive' && !created.has(mechanism)) {
        const message = `${quote(mechanism)} gets messages but is never created`;
        return [at([...place, 'to'], { code: 'missing-key', message, hint: `Add {"create": ${quote(mechanism)}}.` })];
      }
      return lengthMistake([...place, 'send'], values.length, submechanism.receives, mechanism);
    }),
  ];
}

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
      ? [conflict('adaptivity', 'a design creates and asks adaptively, so that adaptivity cannot be "nonadaptive"')]
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
    described.flatMap((item): [string, Described][] => (item.node.label === null ? [] : [[item.node.label, item]])),
  );
  return [
    ...variableMistakes(design, statements),
    ...coverMistakes(design, described),
    ...submechanismMistakes(design, byLabel, described),
    ...messageMistakes(design, statements, new Map([...byLabel].map(([label, { node }]) => [label, node]))),
  ];
}
