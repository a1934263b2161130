import { BRACKET, list, NUMBER, published, record, TEXT, type JsonSchema } from './common.ts';

const BOOLEAN: JsonSchema = { type: 'boolean' };

/** What `self-test --json` prints. */
export const SELF_TEST_SCHEMA = published(
  'self-test',
  'Which golden values the program computes right, as self-test --json prints it.',
  {
    ...record({
      schema: { const: 'dpcompose.self-test/1' },
      version: TEXT,
      node: { ...TEXT, description: 'The version of node.' },
      passed: BOOLEAN,
      groups: list(
        record({
          id: TEXT,
          name: TEXT,
          rule: TEXT,
          values: { type: 'integer', minimum: 1 },
          passed: BOOLEAN,
          failures: list(
            record({
              what: TEXT,
              expected: NUMBER,
              got: { anyOf: [NUMBER, BRACKET, { type: 'null' }], description: 'A value, or an enclosure of it.' },
            }),
          ),
        }),
      ),
    }),
  },
);
