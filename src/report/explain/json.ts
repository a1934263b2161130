import type { AnswerExplanation } from '../../composition/compose/explain-answer.ts';
import { CODE_KINDS, type CodeKind } from '../codes/code.ts';
import {
  choice,
  described,
  documentText,
  identity,
  list,
  object,
  oneOf,
  optional,
  plain,
  published,
} from '../kit/codec.ts';
import { BRACKET, ASKED, askedAt, FLAG, NUMBER, TEXT } from '../kit/codecs.ts';
import type { Json } from '../kit/json-value.ts';
import type { Named } from '../theorems/named.ts';
import { THEOREM_FACTS } from '../theorems/theorem-json.ts';
import { bracketOf, fateText, winnerSentences, type FactsById } from './words.ts';

const OTHER = object({
  id: TEXT,
  name: TEXT,
  outcome: choice('ties', 'larger', 'claims-nothing', 'does-not-apply'),
  upper: optional(NUMBER),
  excess: optional(described('How much larger than the claim, relatively.', NUMBER)),
  code: optional(TEXT),
  why: TEXT,
});

const CODE = object({
  code: TEXT,
  kind: described('Where it is printed.', choice(...(Object.keys(CODE_KINDS) as CodeKind[]))),
  meaning: TEXT,
  remedy: TEXT,
  exit: described(
    'The exit code, where the code alone decides that.',
    plain<number | null>({ type: ['integer', 'null'] }),
  ),
});

const MEMBERS = { theorem: optional(THEOREM_FACTS), rule: optional(THEOREM_FACTS), codes: optional(list(CODE)) };
const NAMED = object({ ...identity('explain'), ...MEMBERS });

const named = described(
  'All that goes by a name: a bound or theorem of plans, a rule of ledgers, a code wherever it is printed.',
  {
    ...NAMED,
    schema: {
      ...NAMED.schema,
      anyOf: Object.keys(MEMBERS).map((key) => object({ [key]: plain<Json>({}) }).schema),
    },
  },
);

const ANSWER = object({
  ...identity('explain'),
  answer: object({ query: ASKED, claim: BRACKET, bound: TEXT, tight: FLAG, why: TEXT }),
  others: list(OTHER),
});

/** An explanation. */
export const EXPLAIN = published(
  'explain',
  'What a theorem, a rule or a code says, or why an answer is what it is.',
  oneOf(named, ANSWER),
);

/** All that goes by a name as `dpcompose.explain/1`. */
export const namedJson = ({ theorem, rule, codes }: Named, version: string): string =>
  documentText(NAMED, { version, theorem, rule, codes: codes.length === 0 ? null : codes });

/** Why an answer is what it is as `dpcompose.explain/1`. */
export function explainJson(explained: AnswerExplanation, facts: FactsById, version: string): string {
  const { bound, given, others, solveFor, tight } = explained;
  return documentText(ANSWER, {
    version,
    answer: {
      query: askedAt(solveFor, given),
      claim: bracketOf(explained),
      bound,
      tight,
      why: winnerSentences(explained, facts).join(' '),
    },
    others: others.map(({ id, name, fate }) => ({
      ...fate,
      id,
      name,
      outcome: fate.kind,
      why: fateText(id, fate, facts),
    })),
  });
}
