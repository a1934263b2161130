import type { AskedQuestion } from '../../composition/solve/asked.ts';
import { mechanismsIn } from '../../composition/solve/mechanisms.ts';
import type { SolvedName } from '../../composition/solve/solve.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { exactNode, type ExactForm } from '../../document/structure/normal-form.ts';
import { answerJson, queryJson, warningRow } from '../compose/json.ts';
import { jsonDecimal, jsonDocument, jsonForm, jsonMembers, jsonRounded, type Json } from '../kit/json-value.ts';
import { answerIn, solveStatement, type Diagnostics } from './statement.ts';

function questionJson(asked: AskedQuestion): Readonly<Record<string, Json>> {
  if (asked.kind === 'total') return { query: queryJson(asked.query), vary: [] };
  const { question } = asked;
  const { problem, budget } = question;
  const all = mechanismsIn(problem.entries);
  return {
    budget: { epsilon: jsonDecimal(budget.epsilon), delta: jsonDecimal(budget.delta) },
    vary: 'path' in question ? [question.path] : question.varied.flatMap((index) => all[index]?.path ?? []),
  };
}

/** A value of what was solved for, with all its digits; totals are doubles, rounded up. */
const valueJson = (name: SolvedName, value: Decimal | null): Json =>
  value === null
    ? null
    : name === 'total-epsilon' || name === 'total-delta'
      ? jsonRounded(value, 'up')
      : jsonDecimal(value);

function solutionJson(outcome: Diagnostics): Json {
  if (outcome.kind === 'never') return null;
  const { name, kind, exceeding } = outcome;
  const found = kind === 'cut' ? outcome.within : outcome;
  return {
    value: valueJson(name, found?.value ?? null),
    next: kind === 'cut' ? 'unknown' : outcome.next,
    exceeding: valueJson(name, exceeding),
    mechanisms: (found?.nodes ?? []).map(({ path, node }) => ({ path, ...jsonMembers(exactNode(node)) })),
  };
}

/** What was found as `dpcompose.solve/1`; `input` is the specification in normal form. */
export function solveJson(outcome: Diagnostics, asked: AskedQuestion, input: ExactForm, version: string): string {
  const { kind, name } = outcome;
  const answer = answerIn(outcome);
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
