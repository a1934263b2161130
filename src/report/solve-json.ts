import type { AskedQuestion } from '../composition/vary/asked.ts';
import { mechanismsIn } from '../composition/vary/mechanisms.ts';
import type { SolvedName } from '../composition/vary/solve.ts';
import type { Decimal } from '../numeric/decimal.ts';
import { nodeForm, type NormalForm } from '../spec/normal-form.ts';
import { answerJson, queryJson, warningRow } from './json.ts';
import { jsonDocument, type Json } from './json-value.ts';
import { answerIn, isWhole, solveStatement, type Findings } from './solve-statement.ts';

function questionJson(asked: AskedQuestion): Readonly<Record<string, Json>> {
  if (asked.kind === 'total') return { query: queryJson(asked.query), vary: [] };
  const { question } = asked;
  const { problem, budget } = question;
  const all = mechanismsIn(problem.entries);
  return {
    budget: { epsilon: budget.epsilon.toString(), delta: budget.delta.toString() },
    vary: 'path' in question ? [question.path] : question.varied.flatMap((index) => all[index]?.path ?? []),
  };
}

/** A value of what was solved for: whole numbers are numbers, decimals exact texts. */
const valueJson = (name: SolvedName, value: Decimal | null): Json =>
  value === null ? null : isWhole(name) ? value.toNumber() : value.toString();

function solutionJson(outcome: Findings): Json {
  if (outcome.kind === 'never') return null;
  const { name, kind, exceeding } = outcome;
  const found = kind === 'cut' ? outcome.within : outcome;
  return {
    value: valueJson(name, found?.value ?? null),
    next: kind === 'cut' ? 'unknown' : outcome.next,
    exceeding: valueJson(name, exceeding),
    mechanisms: (found?.nodes ?? []).map(({ path, node }) => ({ path, ...nodeForm(node) })),
  };
}

/** What was found as `dpcompose.solve/1`; `input` is the specification in normal form. */
export function solveJson(outcome: Findings, asked: AskedQuestion, input: NormalForm, version: string): string {
  const { kind, name } = outcome;
  const answer = answerIn(outcome);
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
