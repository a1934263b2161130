import { ANSWER, PLAN_TOTALS, QUERY } from './answer.ts';
import { GIVEN, list, NOTICE, NUMBER, published, record, TEXT, type JsonSchema } from './common.ts';
import { NODE } from './plan.ts';
import { THEOREM } from './theorem.ts';

const PROPERTIES = ['destination', 'response', 'neighbouring-mapping'];

/** The state of each property; open: it can only be said once the destination property holds. */
export const DESIGN_PROPERTIES: JsonSchema = record(
  Object.fromEntries(PROPERTIES.map((property) => [property, { enum: ['holds', 'fails', 'open'] }])),
);

/** How one variable reaches another; decided: it decides whether the other is set. */
const HOW: JsonSchema = { enum: ['computed', 'added', 'decided'] };

/** The way of the input to a variable, from the variable down. */
const CHAIN: JsonSchema = list(record({ variable: TEXT, from: TEXT, how: HOW, path: TEXT }));

/** How many; unbounded: without an end that is known in advance. */
const TIMES: JsonSchema = { anyOf: [{ type: 'integer', minimum: 0 }, { const: 'unbounded' }] };

/** A number of times, or how far values differ; any: without limit. */
const LIMIT: JsonSchema = { anyOf: [NUMBER, { enum: ['unbounded', 'any'] }] };

/** One way in which a design fails a property. */
export const DESIGN_VIOLATION: JsonSchema = record(
  {
    code: TEXT,
    property: { enum: PROPERTIES },
    path: TEXT,
    mechanism: TEXT,
    variable: TEXT,
    variables: list(record({ name: TEXT, chain: CHAIN })),
    limits: {
      description: 'Of what is a matter of numbers: what was found, and what is covered.',
      ...record({ found: LIMIT, covered: LIMIT }),
    },
    message: TEXT,
    remedy: TEXT,
  },
  ['mechanism', 'variable', 'variables', 'limits'],
);

const CHANGE: JsonSchema = { anyOf: [GIVEN, { const: 'any' }], description: 'A number with all its digits, or "any".' };

const SUBMECHANISM: JsonSchema = record({
  mechanism: TEXT,
  kind: { enum: ['noninteractive', 'interactive', 'continual'] },
  instances: { ...TIMES, description: 'How many instances there may be.' },
  differing: {
    description: 'In how many messages neighbours may differ, and to how many instances.',
    ...record({ messages: TIMES, instances: TIMES }),
  },
  arguments: list(record({ name: TEXT, change: CHANGE, covered: CHANGE })),
  noise: list(record({ on: TEXT, distribution: { enum: ['laplace', 'gaussian'] }, scale: NUMBER, exact: TEXT })),
});

/** What `design --json` prints of a design that has its properties. */
export const DESIGN_SCHEMA = published(
  'design',
  'A mechanism that runs sub-mechanisms, why it is as private as they are together, and what that costs, as design --json prints it.',
  {
    $defs: { node: NODE },
    ...record(
      {
        schema: { const: 'dpcompose.design/1' },
        version: TEXT,
        input: { type: 'object', description: 'The specification in normal form.' },
        query: QUERY,
        properties: DESIGN_PROPERTIES,
        variables: list(
          record({
            name: TEXT,
            tainted: { type: 'boolean' },
            reached: {
              description:
                'From where the input reaches it, on a shortest way; null where it does not, and of an input.',
              anyOf: [record({ from: TEXT, how: HOW, path: TEXT }), { type: 'null' }],
            },
          }),
        ),
        submechanisms: list(SUBMECHANISM),
        theorem: THEOREM,
        answer: ANSWER,
        plan: PLAN_TOTALS,
        tree: { $ref: '#/$defs/node' },
        trusted: { ...list(TEXT), description: 'What the description says and the program cannot check.' },
        errorShape: {
          description:
            'Of a ready design, the order in which its error grows, up to constants that are not known: no bound on the error.',
          anyOf: [
            record({ order: TEXT, where: TEXT, value: { anyOf: [{ type: 'number' }, { type: 'null' }] } }),
            { type: 'null' },
          ],
        },
        warnings: list(NOTICE),
      },
      ['plan'],
    ),
  },
);
