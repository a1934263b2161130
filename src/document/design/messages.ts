import type { Design, Submechanism } from '../../composition/design/design.ts';
import { partOf, type Part } from '../../composition/design/part.ts';
import { placeOf, those, type Located } from '../../composition/design/data-flow.ts';
import type { PlanNode } from '../../composition/core/plan-node.ts';
import { at, unknownName } from './mistakes.ts';
import type { Mistake, Path } from '../core/input-error.ts';
import { quote } from '../core/quote.ts';

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
export function messageMistakes(
  design: Design,
  statements: readonly Located[],
  nodes: ReadonlyMap<string, PlanNode>,
): Mistake[] {
  const submechanisms = new Map(design.submechanisms.map((each) => [each.mechanism, each]));
  const names = [...submechanisms.keys()];
  const created = new Set(those(statements, 'create').map(({ statement }) => statement.mechanism));
  const kindOf = (mechanism: string): Part['kind'] | null => {
    const node = nodes.get(mechanism);
    return node === undefined ? null : (partOf(node)?.kind ?? null);
  };
  const known = (mechanism: string, path: Path): Submechanism | Mistake =>
    submechanisms.get(mechanism) ??
    at(path, unknownName(mechanism, 'described in design.submechanisms', names, 'Describe it there.'));
  return [
    ...those(statements, 'create').flatMap((located) => {
      const place = placeOf(located);
      const { mechanism, data } = located.statement;
      const submechanism = known(mechanism, [...place, 'create']);
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
      const submechanism = known(mechanism, [...place, 'to']);
      if ('problem' in submechanism) return [submechanism];
      if (kindOf(mechanism) !== 'noninteractive' && !created.has(mechanism)) {
        const message = `${quote(mechanism)} gets messages but is never created`;
        return [at([...place, 'to'], { code: 'missing-key', message, hint: `Add {"create": ${quote(mechanism)}}.` })];
      }
      return lengthMistake([...place, 'send'], values.length, submechanism.receives, mechanism);
    }),
  ];
}
