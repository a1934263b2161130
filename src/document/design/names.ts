import { definitionsIn, placeOf, type Located } from '../../composition/design/data-flow.ts';
import type { Design } from '../../composition/design/design.ts';
import { at, repeated, twice, unknownName } from './mistakes.ts';
import type { Mistake } from '../core/input-error.ts';
import { quote } from '../core/quote.ts';

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
export function variableMistakes(design: Design, statements: readonly Located[]): Mistake[] {
  const inputs = design.inputs.map(({ name }) => name);
  const given = [...inputs, ...design.constants];
  const defined = definitionsIn(statements);
  const known = [...new Set([...given, ...defined.map(({ variable }) => variable)])];
  const all = new Set(known);
  const constants = design.constants.map((name, index) => ({ name, index }));
  return [
    ...repeated(inputs).map(({ name, index }) => at(['design', 'inputs', index, 'name'], twice(name, 'inputs'))),
    ...constants
      .filter(({ name, index }) => inputs.includes(name) || design.constants.indexOf(name) < index)
      .map(({ name, index }) => at(['design', 'constants', index], twice(name, 'inputs or constants'))),
    ...defined.flatMap(({ variable, how, at: place }) => {
      if (!given.includes(variable)) return [];
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
            'Set it, list it in "inputs", or list it in "constants" if it is fixed in advance or public, such as a parameter or the time.';
          return [
            at([...placeOf(place), key, index], unknownName(name, 'an input, a constant or a variable', known, hint)),
          ];
        }),
      ),
    ),
  ];
}
