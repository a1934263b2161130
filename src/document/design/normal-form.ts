import type { Argument, Design, Noise, Statement, Submechanism, Times } from '../../composition/design/design.ts';
import { ZERO, type Decimal } from '../../numeric/decimal.ts';
import type { ExactValue } from '../core/exact-value.ts';
import type { ParsedDesign, ParsedStatement } from './schema.ts';

const times = (value: Decimal | 'unbounded'): Times => (value === 'unbounded' ? value : value.toNumber());

type ParsedSubmechanism = ParsedDesign['submechanisms'][number];
type ParsedArguments = NonNullable<ParsedSubmechanism['data']>;

const toArguments = (parsed: ParsedArguments | undefined): Argument[] =>
  (parsed ?? []).map(({ name, change }) => ({ name, change: change ?? ZERO }));

function toNoise({ on, laplace, gaussian }: NonNullable<ParsedSubmechanism['noise']>[number]): Noise {
  if (laplace !== undefined) return { on, distribution: 'laplace', scale: laplace };
  if (gaussian !== undefined) return { on, distribution: 'gaussian', scale: gaussian };
  throw new Error('Validated noise has no distribution.');
}

const toSubmechanism = ({ mechanism, data, receives, differing, noise }: ParsedSubmechanism): Submechanism => ({
  mechanism,
  data: toArguments(data),
  receives: toArguments(receives),
  differing: differing?.toNumber() ?? 1,
  noise: (noise ?? []).map(toNoise),
});

function toStatement(parsed: ParsedStatement): Statement {
  const { create, send, set, add, to = '', from = [], output } = parsed;
  if (create !== undefined) return { does: 'create', mechanism: create, from, data: parsed.data ?? [] };
  if (send !== undefined) {
    return { does: 'send', values: send, mechanism: to, which: parsed.which ?? [], answer: parsed.answer ?? null };
  }
  if (set !== undefined) {
    const { change, differing, sensitivity = null } = parsed;
    const declared = change === undefined || differing === undefined ? null : { change, differing: times(differing) };
    return { does: 'set', variable: set, from, sensitivity, declared };
  }
  if (add !== undefined) return { does: 'add', variable: to, terms: add };
  if (output !== undefined) return { does: 'output', values: output };
  return {
    does: 'if',
    on: parsed.if ?? [],
    atMost: parsed.atMost?.toNumber() ?? 'unbounded',
    then: (parsed.then ?? []).map(toStatement),
  };
}

/** The normal form of a validated design: every default filled in. */
export function toDesign({ inputs, constants, submechanisms, procedure }: ParsedDesign): Design {
  const { start, input, round } = procedure;
  return {
    inputs: inputs.map(({ name, differing, change, label }) => ({
      name,
      differing: times(differing),
      change,
      label: label ?? null,
    })),
    constants: constants ?? [],
    submechanisms: submechanisms.map(toSubmechanism),
    procedure: {
      start: (start ?? []).map(toStatement),
      input: (input ?? []).map(toStatement),
      round: (round ?? []).map(toStatement),
    },
  };
}

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
