import type { AskedQuestion } from '../composition/vary/asked.ts';
import { mechanismsIn } from '../composition/vary/mechanisms.ts';
import { nodeForm, type NormalForm } from '../spec/normal-form.ts';
import { answerJson, queryJson, warningRow } from './json.ts';
import { jsonDocument, type Json } from './json-value.ts';
import { solveStatement, type Findings } from './solve-statement.ts';

function questionJson(asked: AskedQuestion): Readonly<Record<string, Json>> {
  if (asked.kind === 'total') return { query: queryJson(asked.query), vary: [] };
  const { problem, varied, budget } = asked.question;
  const all = mechanismsIn(problem.entries);
  return {
    budget: { epsilon: budget.epsilon.toString(), delta: budget.delta.toString() },
    vary: varied.flatMap((index) => all[index]?.path ?? []),
  };
}

function solutionJson(outcome: Findings): Json {
  if (outcome.kind === 'never') return null;
  const { name, value, entries, next } = outcome;
  return {
    value: name === 'count' || name === 'multiple' ? value.toNumber() : value.toString(),
    next,
    mechanisms: entries.map(({ path, entry }) => ({ path, ...nodeForm(entry) })),
  };
}

/** What was found as `dpcompose.solve/1`; `input` is the specification in normal form. */
export function solveJson(outcome: Findings, asked: AskedQuestion, input: NormalForm, version: string): string {
  const { kind, name, answer } = outcome;
  return jsonDocument({
    schema: 'dpcompose.solve/1',
    version,
    input,
    ...questionJson(asked),
    find: name,
    outcome: kind,
    message: solveStatement(outcome, asked),
    solution: solutionJson(outcome),
    answer: answer === null ? null : answerJson(answer),
    warnings: (answer?.warnings ?? []).map(warningRow),
  });
}
