import { ENCLOSURE, GIVEN, list, NUMBER, published, record, TEXT, type JsonSchema } from './common.ts';
import type { Json } from '../kit/json-value.ts';

const NULL: JsonSchema = { type: 'null' };
const BOOLEAN: JsonSchema = { type: 'boolean' };

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, NULL] });

const whole = (minimum: number): JsonSchema => ({ type: 'integer', minimum });

const INSTANCES: JsonSchema = {
  description: 'How many instances the adversary may create; null for no limit.',
  ...orNull(whole(1)),
};

const EXACT: JsonSchema = {
  description: 'An exact number, and doubles on both sides of it.',
  ...record({ exact: { type: 'string', pattern: '^[0-9]+(/[0-9]+)?$' }, lower: NUMBER, upper: NUMBER }),
};

const RATE: JsonSchema = {
  description: 'How often something happened, and the Clopper-Pearson interval for its probability.',
  ...record({ times: whole(0), of: whole(0), interval: orNull(ENCLOSURE) }),
};

const REPEATED: Readonly<Record<string, Json>> = {
  runs: whole(1),
  seed: whole(0),
  generator: { const: 'xoshiro128**' },
  confidence: { type: 'number' },
};

const SIMULATED: JsonSchema = {
  description: 'What came of conversations with the adversary; null without a simulation.',
  ...orNull(
    record({
      ...REPEATED,
      guessed: RATE,
      right: RATE,
      messages: record({ mean: NUMBER, most: whole(0) }),
    }),
  ),
};

const about = (attack: string): Readonly<Record<string, Json>> => ({
  schema: { const: 'dpcompose.attack/1' },
  version: TEXT,
  attack: { const: attack },
  reference: TEXT,
});

const REFUSES: JsonSchema = {
  description: 'The code with which plans are refused that this attack would break.',
  type: 'string',
};

const PARALLEL = record({
  ...about('parallel'),
  input: record({ deltas: list(GIVEN), instances: INSTANCES }),
  expected: record({
    success: ENCLOSURE,
    messages: record({ mean: ENCLOSURE, most: orNull(whole(1)) }),
  }),
  needed: list(record({ success: { type: 'number' }, instances: whole(1), messages: whole(1) })),
  simulated: SIMULATED,
  floor: {
    description: 'No delta below this holds, whatever epsilon; the supremum over any number of instances.',
    ...record({ epsilon: { const: 'any' }, delta: NUMBER, supremum: NUMBER }),
  },
  refuses: REFUSES,
});

const GATE = record({
  q: { description: 'With which probability an open gate tells the truth.', ...GIVEN },
  p: { description: 'With which probability a gate opens.', ...GIVEN },
  alone: { description: 'The divergence of one mechanism against every adaptive adversary.', ...ENCLOSURE },
  view: { description: 'The divergence of the view with the instances of the input.', ...ENCLOSURE },
  endless: { description: 'The divergence of the view without a limit of instances.', ...ENCLOSURE },
});

const RENYI = record({
  ...about('renyi'),
  input: record({ alpha: GIVEN, epsilon: GIVEN, target: GIVEN, instances: INSTANCES }),
  proving: GATE,
  printed: GATE,
  bound: orNull(record({ lower: NUMBER, upper: NUMBER })),
  expected: record({ opened: ENCLOSURE, messages: record({ mean: ENCLOSURE }) }),
  simulated: SIMULATED,
  refuses: REFUSES,
});

const LEARNED = record({ exact: EXACT, simulated: orNull(RATE) });

const OBLIVIOUS = record({
  ...about('oblivious'),
  input: record({ delta: GIVEN }),
  numbers: whole(1),
  simulated: orNull(record(REPEATED)),
  oblivious: LEARNED,
  adaptive: LEARNED,
  refuses: REFUSES,
});

const DIRECTIONS: Readonly<Record<string, Json>> = {
  factor: EXACT,
  delta: EXACT,
  forward: EXACT,
  backward: EXACT,
};

const VERIFY = record({
  ...about('verify'),
  input: { type: 'object', description: 'The document in normal form.' },
  properties: record({
    closedUnderSwapping: BOOLEAN,
    firstPairConsistent: BOOLEAN,
    longest: orNull(whole(0)),
  }),
  alone: list(record({ ...DIRECTIONS, oblivious: orNull(EXACT) })),
  guarantee: record({
    factor: EXACT,
    claimed: orNull(EXACT),
    exact: EXACT,
    swapped: EXACT,
    holds: BOOLEAN,
  }),
  together: {
    description: 'All copies together; null where there is one.',
    ...orNull(
      list(
        record({
          ...DIRECTIONS,
          bounds: list(
            record({
              id: { enum: ['first-pair', 'product', 'doubled', 'fixed'] },
              name: TEXT,
              reference: TEXT,
              delta: EXACT,
              applies: BOOLEAN,
              optimum: { enum: ['below', 'equal', 'above'] },
            }),
          ),
        }),
      ),
    ),
  },
});

/** What `attack --json` prints. */
export const ATTACK_SCHEMA = published(
  'attack',
  'What came of an attack: against a composition that is refused, or of all adversaries against a finite mechanism, as attack --json prints it.',
  { oneOf: [PARALLEL, RENYI, OBLIVIOUS, VERIFY] },
);
