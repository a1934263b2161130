import type { Argument, Change, Design, Noise, Statement, Submechanism, Times } from '../composition/design/design.ts';
import type { NormalValue } from './normal-value.ts';

type Form = Readonly<Record<string, NormalValue>>;

const changeText = (change: Change): string => change.toString();
const timesValue = (times: Times): NormalValue => times;

/** A member of an object; nothing where the list is empty. */
const list = (key: string, items: readonly NormalValue[]): Form => (items.length === 0 ? {} : { [key]: items });

const argumentForm = ({ name, change }: Argument): Form => ({ name, change: changeText(change) });
const noiseForm = ({ on, distribution, scale }: Noise): Form => ({ on, [distribution]: scale.toString() });

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
        ...(sensitivity === null ? {} : { sensitivity: sensitivity.toString() }),
        ...(declared === null
          ? {}
          : { change: changeText(declared.change), differing: timesValue(declared.differing) }),
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

/** The `design` of a document in normal form: every default filled in, empty lists left out. */
export function designForm({ inputs, constants, submechanisms, procedure }: Design): Form {
  const { start, input, round } = procedure;
  return {
    inputs: inputs.map(({ name, differing, change, label }) => ({
      name,
      differing: timesValue(differing),
      change: changeText(change),
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
