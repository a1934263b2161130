import type { Argument, Design, Noise, Statement, Submechanism } from '../../composition/design/design.ts';
import type { ExactValue } from '../core/exact-value.ts';

type Form = Readonly<Record<string, ExactValue>>;

/** A member of an object; nothing where the list is empty. */
const list = (key: string, items: readonly ExactValue[]): Form => (items.length === 0 ? {} : { [key]: items });

const argumentForm = ({ name, change }: Argument): Form => ({ name, change });
const noiseForm = ({ on, distribution, scale }: Noise): Form => ({ on, [distribution]: scale });

const submechanismForm = ({ mechanism, data, receives, differing, noise }: Submechanism): Form => ({
  mechanism,
  ...list('data', data.map(argumentForm)),
  ...list('receives', receives.map(argumentForm)),
  differing,
  ...list('noise', noise.map(noiseForm)),
});

function statementForm(statement: Statement): Form {
  switch (statement.does) {
    case 'create':
      return { create: statement.mechanism, ...list('from', statement.from), ...list('data', statement.data) };
    case 'send': {
      const { values, mechanism, which, answer } = statement;
      return { send: values, to: mechanism, ...list('which', which), ...(answer === null ? {} : { answer }) };
    }
    case 'set': {
      const { variable, from, sensitivity, declared } = statement;
      return {
        set: variable,
        from,
        ...(sensitivity === null ? {} : { sensitivity }),
        ...(declared === null ? {} : { change: declared.change, differing: declared.differing }),
      };
    }
    case 'add':
      return { add: statement.terms, to: statement.variable };
    case 'if': {
      const { on, atMost, then } = statement;
      return { if: on, ...(atMost === 'unbounded' ? {} : { atMost }), then: then.map(statementForm) };
    }
    case 'output':
      return { output: statement.values };
  }
}

/** The `design` of a document in normal form with exact numbers: every default filled in, empty lists left out. */
export function exactDesign({ inputs, constants, submechanisms, procedure }: Design): Form {
  const { start, input, round } = procedure;
  return {
    inputs: inputs.map(({ name, differing, change, label }) => ({
      name,
      differing,
      change,
      ...(label === null ? {} : { label }),
    })),
    ...list('constants', constants),
    submechanisms: submechanisms.map(submechanismForm),
    procedure: {
      ...list('start', start.map(statementForm)),
      ...list('input', input.map(statementForm)),
      ...list('round', round.map(statementForm)),
    },
  };
}
