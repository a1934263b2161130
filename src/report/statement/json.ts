import type { ExactForm } from '../../document/structure/normal-form.ts';
import { answerJson, queryJson, theoremJson, warningRow } from '../compose/json.ts';
import { jsonBracket, jsonDocument, jsonForm } from '../kit/json-value.ts';
import { conditionText } from '../plan/words.ts';
import { privacySections, type PrivacyStatement } from './privacy-statement.ts';

/** A privacy statement as `dpcompose.statement/1`. */
export function privacyStatementJson(statement: PrivacyStatement, input: ExactForm, version: string): string {
  const { answer, theorems, conditions, group } = statement.stated;
  return jsonDocument({
    schema: 'dpcompose.statement/1',
    version,
    input: jsonForm(input),
    query: queryJson(answer.query),
    answer: answerJson(answer),
    theorems: theorems.map(theoremJson),
    conditions: conditions.map(({ id, state }) => ({ id, state, description: conditionText(id) })),
    group:
      group === null
        ? null
        : {
            distance: group.distance,
            claim: group.claim === null ? null : jsonBracket(group.claim),
            method: group.method,
            reference: group.reference,
          },
    sections: privacySections(statement).map(({ id, title, paragraphs, items }) => ({ id, title, paragraphs, items })),
    warnings: answer.warnings.map(warningRow),
  });
}
