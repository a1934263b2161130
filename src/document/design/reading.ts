import { Decimal } from '../../numeric/decimal.ts';
import type { Argument, Design, Noise, Statement, Submechanism, Times } from '../../composition/design/design.ts';
import type { ParsedDesign, ParsedStatement } from './schema.ts';

const times = (value: Decimal | 'unbounded'): Times => (value === 'unbounded' ? value : value.toNumber());

const NONE = new Decimal(0);

type ParsedSubmechanism = ParsedDesign['submechanisms'][number];
type ParsedArguments = NonNullable<ParsedSubmechanism['data']>;

const toArguments = (parsed: ParsedArguments | undefined): Argument[] =>
  (parsed ?? []).map(({ name, change }) => ({ name, change: change ?? NONE }));

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
