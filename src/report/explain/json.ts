import type { AnswerExplanation } from '../../composition/compose/explain-answer.ts';
import { fateText, winnerSentences, type FactsById } from './words.ts';
import { jsonDocument, jsonNumber } from '../kit/json-value.ts';

/** Why an answer is what it is as `dpcompose.explain/1`. */
export function explainJson(explained: AnswerExplanation, facts: FactsById, version: string): string {
  const { bound, given, lower, others, solveFor, tight, upper } = explained;
  return jsonDocument({
    schema: 'dpcompose.explain/1',
    version,
    answer: {
      query: { solveFor, [solveFor === 'epsilon' ? 'delta' : 'epsilon']: jsonNumber(given) },
      claim: { lower: lower === null ? null : jsonNumber(lower), upper: jsonNumber(upper) },
      bound,
      tight,
      why: winnerSentences(explained, facts).join(' '),
    },
    others: others.map(({ id, name, fate }) => ({
      id,
      name,
      outcome: fate.kind,
      ...('upper' in fate ? { upper: jsonNumber(fate.upper) } : {}),
      ...('excess' in fate ? { excess: jsonNumber(fate.excess) } : {}),
      ...('code' in fate ? { code: fate.code } : {}),
      why: fateText(id, fate, facts),
    })),
  });
}
