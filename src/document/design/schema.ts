import * as z from 'zod/mini';
import { issueOf, published } from '../core/fields.ts';
import { atMost, inOneForm, noNumber } from '../core/forms.ts';
import {
  atMostTimes,
  change,
  coveredMessages,
  differing,
  functionSensitivity,
  nameField,
  noiseScaleOf,
} from './fields.ts';

/** More names or parts than this in one list are more than a person describes; longer lists are not looked into. */
const MOST = 300;
/** More statements than this are more than a person writes. */
const MOST_STATEMENTS = 300;

const SHORTEN = 'Describe equal parts together.';

const listOf = <S extends z.ZodMiniType>(item: S, name: string, description: string) =>
  z.pipe(atMost(MOST, name, 'items', SHORTEN), z.array(item)).register(published, { maxItems: MOST, description });

const objects = <S extends z.ZodMiniType>(item: S, name: string, description: string) =>
  listOf(z.pipe(noNumber('each item'), item), name, description);

const label = z.optional(z.string());
const variable = nameField('the name of a variable', 'c');
const mechanism = nameField('the label of a mechanism', 'svt');

const variables = (name: string, description: string) => z.optional(listOf(variable, name, description));

const input = z
  .strictObject({ name: nameField('the name of an input', 'x'), differing, change, label })
  .register(published, {
    description:
      'A stream of input values; between neighbors at most "differing" of them differ, each by at most "change".',
  });

const argument = z
  .strictObject({ name: nameField('the name of an argument', 'row'), change: z.optional(change) })
  .register(published, {
    description: 'A part of a message, and the change in it that the guarantee covers (0: it must be the same).',
  });

const noise = inOneForm(
  z.strictObject({
    on: nameField('what the noise is added to', 'the threshold'),
    laplace: z.optional(noiseScaleOf('laplace')),
    gaussian: z.optional(noiseScaleOf('gaussian')),
  }),
  [{ needs: ['on', 'laplace'] }, { needs: ['on', 'gaussian'] }],
  {
    what: 'noise',
    choices: 'laplace or gaussian',
    example: '"laplace": 6',
    conflict: 'conflicting-keys',
    description:
      'Noise that an instance draws, shown to those who implement it. The guarantee is not computed from it. If the mechanism is noise itself, it is the same noise.',
  },
);

const submechanism = z
  .strictObject({
    mechanism,
    data: z.optional(objects(argument, 'data', 'The first message of an instance, sent when it is created.')),
    receives: z.optional(objects(argument, 'receives', 'The arguments of each later message to an instance.')),
    differing: z.optional(coveredMessages),
    noise: z.optional(objects(noise, 'noise', 'Noise that an instance draws.')),
  })
  .register(published, {
    description:
      'Messages that a mechanism of this document (named by its label) accepts, and the difference between neighbors that its guarantee covers.',
  });

const OWN_KEYS = {
  create: z.optional(mechanism),
  data: variables('data', 'The first message of the new instance.'),
  send: z.optional(listOf(variable, 'send', 'The values of the message, in the order of "receives".')),
  which: variables('which', 'The variable that decides which instance receives the message; by default the newest.'),
  answer: z.optional(variable),
  set: z.optional(variable),
  from: variables('from', 'The variables that it is computed from; for a new instance, its first message.'),
  sensitivity: z.optional(functionSensitivity),
  change: z.optional(change),
  differing: z.optional(differing),
  add: z.optional(listOf(variable, 'add', 'The amount added to the variable "to".')),
  to: z.optional(nameField('the label of a mechanism or the name of a sum', 'svt')),
  if: z.optional(listOf(variable, 'if', 'The variables that the condition depends on.')),
  atMost: z.optional(atMostTimes),
};
const OUTPUT = { output: z.optional(listOf(variable, 'output', 'The variables that are output.')) };

/** A validated statement as it was written; which of the keys are there says what it does. */
export interface ParsedStatement extends z.output<z.ZodMiniObject<typeof OWN_KEYS & typeof OUTPUT>> {
  readonly then?: readonly ParsedStatement[] | undefined;
}

const statements = z.lazy((): z.ZodMiniType<ParsedStatement[]> =>
  objects(statement, 'a list of statements', 'The statements, in this order.'),
);

const statement = inOneForm(
  z.strictObject({ ...OWN_KEYS, then: z.optional(statements), ...OUTPUT }),
  [
    { needs: ['create'], allows: ['from', 'data'] },
    { needs: ['send', 'to'], allows: ['which', 'answer'] },
    { needs: ['set'], allows: ['from', 'sensitivity'] },
    { needs: ['set', 'change', 'differing'], allows: ['from'] },
    { needs: ['add', 'to'] },
    { needs: ['if', 'then'], allows: ['atMost'] },
    { needs: ['output'] },
  ],
  {
    what: 'a statement',
    choices: 'create, send with to, set, add with to, if with then, or output',
    example: '{"send": ["x"], "to": "svt", "answer": "a"}',
    conflict: 'conflicting-keys',
    description:
      'One statement: create an instance of a sub-mechanism; send a message to one, whose answer may become a variable; set a variable to a function of others; add to a sum; do something if a function of variables says so; output variables.',
  },
);

const block = (description: string) => z.optional(statements).register(published, { description });

const procedure = z.strictObject({
  start: block('Runs once, before everything else.'),
  input: block('Runs for each input.'),
  round: block('Runs at times that the mechanism chooses, without a new input.'),
});

/** How many statements there are, however deep, in a procedure as it was read. */
function statementsIn(value: unknown): number {
  let count = 0;
  const open: unknown[] = typeof value === 'object' && value !== null ? Object.values(value) : [];
  for (let list = open.pop(); list !== undefined; list = open.pop()) {
    if (!Array.isArray(list)) continue;
    count += list.length;
    if (count > MOST_STATEMENTS) return count;
    for (const item of list as unknown[]) {
      if (typeof item === 'object' && item !== null && 'then' in item) open.push(item.then);
    }
  }
  return count;
}

const notTooLong = z.transform((value, context): unknown => {
  if (statementsIn(value) <= MOST_STATEMENTS) return value;
  const message = `procedure must hold at most ${MOST_STATEMENTS} statements, also counting those under conditions`;
  const hint = 'Describe equal statements together.';
  context.issues.push(issueOf({ code: 'out-of-range', message, hint }, value));
  return z.NEVER;
});

const design = z
  .strictObject({
    inputs: objects(input, 'inputs', 'The inputs of the mechanism.').check(z.minLength(1)),
    constants: variables('constants', 'What is fixed in advance or public: parameters, functions, the time.'),
    submechanisms: objects(
      submechanism,
      'submechanisms',
      'The mechanisms of the document that the procedure creates and sends to.',
    ),
    procedure: z.pipe(notTooLong, z.pipe(noNumber('procedure'), procedure)),
  })
  .register(published, {
    description:
      'The pseudocode of a mechanism that runs the mechanisms of this document: what it does with its inputs, variables and functions named only.',
  });

/** The `design` of a document. */
export const designSchema = z.pipe(noNumber('design'), design);

/** A validated design as it was written. */
export type ParsedDesign = z.infer<typeof design>;

const KEYS = {
  design: Object.keys(design.shape),
  inputs: Object.keys(input.shape),
  submechanisms: Object.keys(submechanism.shape),
  argument: Object.keys(argument.shape),
  noise: Object.keys(noise.shape),
  procedure: Object.keys(procedure.shape),
  statement: Object.keys(statement.shape),
};

/** The keys that an object of a design may have; `path` leads to it from the document. */
export function designKeys(path: readonly (string | number)[]): readonly string[] {
  const [, part] = path;
  if (part === undefined) return KEYS.design;
  if (part === 'procedure') return path.length === 2 ? KEYS.procedure : KEYS.statement;
  if (part === 'inputs') return KEYS.inputs;
  const inner = path[3];
  if (inner === undefined) return KEYS.submechanisms;
  return inner === 'noise' ? KEYS.noise : KEYS.argument;
}
