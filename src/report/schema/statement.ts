import { ANSWER, QUERY } from './answer.ts';
import { BRACKET_OR_NULL, list, NOTICE, published, record, TEXT } from './common.ts';
import { THEOREM } from './theorem.ts';

const SECTION_IDS = [
  'guarantee',
  'meaning',
  'protected',
  'against',
  'group',
  'mechanisms',
  'reasons',
  'assumptions',
  'not-covered',
  'implementation',
];

/** What `statement --json` prints. */
export const STATEMENT_SCHEMA = published(
  'statement',
  'What is promised to whom, on what it rests, and what it leaves out, as statement --json prints it.',
  record({
    schema: { const: 'dpcompose.statement/1' },
    version: TEXT,
    input: { type: 'object', description: 'The specification in normal form.' },
    query: QUERY,
    answer: ANSWER,
    theorems: list(THEOREM),
    conditions: list(record({ id: TEXT, state: { enum: ['met', 'assumed', 'failing'] }, description: TEXT })),
    group: {
      description:
        'What was asked, of data so many neighbouring steps apart; mechanisms: each at that distance; curve: step by step.',
      anyOf: [
        record({
          distance: { type: 'integer', minimum: 1 },
          claim: BRACKET_OR_NULL,
          method: { enum: ['mechanisms', 'curve'] },
          reference: TEXT,
        }),
        { type: 'null' },
      ],
    },
    sections: list(record({ id: { enum: SECTION_IDS }, title: TEXT, paragraphs: list(TEXT), items: list(TEXT) })),
    warnings: list(NOTICE),
  }),
);
