import type { ExactForm } from '../../document/structure/normal-form.ts';
import { ANSWER, THEOREM } from '../compose/answer-json.ts';
import { choice, described, document, documentText, from, list, object, orNull } from '../kit/codec.ts';
import { BRACKET, GIVEN, INPUT, QUERY, TEXT, whole } from '../kit/codecs.ts';
import { CONDITION_STATE, conditionRow } from '../plan/json.ts';
import { WARNING } from '../refusal/bound-row-json.ts';
import { privacySections, type Section } from './privacy-statement.ts';
import type { PrivacyStatement } from './stated.ts';

const SECTION = object({
  id: choice<Section['id']>(
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
  ),
  title: TEXT,
  paragraphs: list(TEXT),
  items: list(TEXT),
});

const RISK = described(
  'How often somebody who sees everything tells two neighbouring data sets apart: upper for everybody, lower attained on some mechanisms of the classes.',
  object({
    advantage: described('The largest true-positive rate minus false-positive rate.', BRACKET),
    guess: described('Where both are equally likely.', object({ prior: GIVEN, success: BRACKET })),
    tests: list(object({ falsePositiveRate: GIVEN, truePositiveRate: BRACKET })),
  }),
);

/** A privacy statement. */
export const STATEMENT = document(
  'statement',
  'What is promised to whom, on what it rests, and what it leaves out, as statement --json prints it.',
  {
    input: INPUT,
    query: QUERY,
    answer: ANSWER,
    risk: RISK,
    theorems: list(THEOREM),
    conditions: list(from(object({ id: TEXT, state: CONDITION_STATE, description: TEXT }), conditionRow)),
    group: described(
      'What was asked, of data so many neighbouring steps apart; mechanisms: each at that distance; curve: step by step.',
      orNull(
        object({
          distance: whole(1),
          claim: orNull(BRACKET),
          method: choice('mechanisms', 'curve'),
          reference: TEXT,
        }),
      ),
    ),
    sections: list(SECTION),
    warnings: list(WARNING),
  },
);

/** A privacy statement as `dpcompose.statement/1`. */
export function privacyStatementJson(statement: PrivacyStatement, input: ExactForm, version: string): string {
  const { stated } = statement;
  const { answer } = stated;
  return documentText(STATEMENT, { ...answer, ...stated, version, input, sections: privacySections(statement) });
}
