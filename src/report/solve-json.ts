import type { AskedQuestion } from '../composition/vary/asked.ts';
import { mechanismsIn } from '../composition/vary/mechanisms.ts';
import { exactNode, type ExactForm } from '../spec/normal-form.ts';
import { answerJson, queryJson, warningRow } from './json.ts';
import { jsonDecimal, jsonDocument, jsonForm, jsonMembers, jsonRounded, type Json } from './json-value.ts';
import { solveStatement, type Findings } from './solve-statement.ts';

function questionJson(asked: AskedQuestion): Readonly<Record<string, Json>> {
  if (asked.kind === 'total') return { query: queryJson(asked.query), vary: [] };
  const { problem, varied, budget } = asked.question;
  const all = mechanismsIn(problem.entries);
  return {
    budget: { epsilon: jsonDecimal(budget.epsilon), delta: jsonDecimal(budget.delta) },
    vary: varied.flatMap((index) => all[index]?.path ?? []),
  };
}

function solutionJson(outcome: Findings): Json {
  if (outcome.kind === 'never') return null;
  const { name, value, entries, next } = outcome;
  return {
    value: name === 'total-epsilon' || name === 'total-delta' ? jsonRounded(value, 'up') : jsonDecimal(value),
    next,
    mechanisms: entries.map(({ path, entry }) => ({ path, ...jsonMembers(exactNode(entry)) })),
  };
}

/** What was found as `dpcompose.solve/1`; `input` is the specification in normal form. */
export function solveJson(outcome: Findings, asked: AskedQuestion, input: ExactForm, version: string): string {
  const { kind, name, answer } = outcome;
  return jsonDocument({
    schema: 'dpcompose.solve/1',
    version,
    input: jsonForm(input),
    ...questionJson(asked),
    find: name,
    outcome: kind,
    message: solveStatement(outcome, asked),
    solution: solutionJson(outcome),
    answer: answer === null ? null : answerJson(answer),
    warnings: (answer?.warnings ?? []).map(warningRow),
  });
}
