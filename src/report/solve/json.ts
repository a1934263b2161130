import type { RiskLimit } from '../../composition/risk/limits.ts';
import type { Budget } from '../../composition/compose/compose.ts';
import type { AskedQuestion, SolvedName } from '../../composition/solve/solve.ts';
import { mechanismsIn } from '../../composition/solve/mechanisms.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { exactNode, type ExactForm } from '../../document/structure/normal-form.ts';
import { ANSWER } from '../compose/answer-json.ts';
import {
  choice,
  described,
  document,
  documentText,
  is,
  list,
  object,
  oneOf,
  optional,
  orNull,
  type Codec,
  type ValueOf,
} from '../kit/codec.ts';
import { BUDGET, FORM, GIVEN, INPUT, QUERY, TEXT } from '../kit/codecs.ts';
import { jsonDecimal, jsonRounded } from '../kit/json-value.ts';
import { WARNING } from '../refusal/bound-row-json.ts';
import { answerIn, solveStatement, type Diagnostics } from './statement.ts';

/** A value of what was solved for, with all its digits; totals are doubles, rounded up. */
const VALUE: Codec<{ readonly name: SolvedName; readonly value: Decimal }, number> = {
  schema: GIVEN.schema,
  encode: ({ name, value }) =>
    name === 'total-epsilon' || name === 'total-delta' ? jsonRounded(value, 'up') : jsonDecimal(value),
};

/** What a search found, and what is known beyond it. */
export const SOLUTION = object({
  value: described(
    'With all its digits. Certified to be within the budget; null where none was found before time was up.',
    orNull(VALUE),
  ),
  next: described(
    'What is known of the next larger value (of noise: the next smaller).',
    choice('exceeds', 'undecided', 'refused', 'none', 'unknown'),
  ),
  exceeding: described(
    'The first larger value (of noise: smaller) known to exceed the budget for certain; null where none is known.',
    orNull(VALUE),
  ),
  mechanisms: list(described('A mechanism or part that varies, with that value.', FORM)),
});

export const RISK_LIMIT = described(
  'How well neighbouring data may be told apart, instead of a budget.',
  oneOf(
    object({ measure: is('advantage'), most: GIVEN }),
    object({ measure: is('true-positive-rate'), falsePositiveRate: GIVEN, most: GIVEN }),
  ),
);

/** A budget, or a limit of a risk, as members. */
export const limitIn = (budget: Budget | RiskLimit) => {
  if (!('measure' in budget)) return { budget };
  return { limit: budget.measure === 'advantage' ? budget : { ...budget, falsePositiveRate: budget.at } };
};

/** A solution. */
export const SOLVE = document('solve', 'What fits into a budget, as solve --json prints it.', {
  input: INPUT,
  budget: optional(described('What may be spent, with all digits.', BUDGET)),
  limit: optional(RISK_LIMIT),
  query: optional(described('What was asked of all mechanisms together, instead of a budget.', QUERY)),
  vary: described('The places of the mechanisms or parts that vary.', list(TEXT)),
  find: choice<SolvedName>(
    ...(['count', 'multiple', 'epsilon', 'rho', 'mu', 'scale', 'sigma', 'factor'] as const),
    ...(['instances', 'sparsity', 'users', 'differing', 'total-epsilon', 'total-delta'] as const),
  ),
  outcome: described(
    'unbounded: every value is within the budget; never: none is shown to be; cut: time was up, and the answer lies between value and exceeding.',
    choice('solved', 'unbounded', 'never', 'cut'),
  ),
  message: TEXT,
  solution: orNull(SOLUTION),
  answer: described('What certifies it; null where nothing is left to compose.', orNull(ANSWER)),
  warnings: list(WARNING),
});

function questionOf(asked: AskedQuestion): Pick<ValueOf<typeof SOLVE>, 'budget' | 'limit' | 'query' | 'vary'> {
  if (asked.kind === 'total') return { query: asked.query, vary: [] };
  const { question } = asked;
  const { problem, budget } = question;
  const all = mechanismsIn(problem.entries);
  return {
    ...limitIn(budget),
    vary: 'path' in question ? [question.path] : question.varied.flatMap((index) => all[index]?.path ?? []),
  };
}

/** What a search found; null where nothing fits. */
export function solutionIn(outcome: Diagnostics): ValueOf<typeof SOLUTION> | null {
  if (outcome.kind === 'never') return null;
  const { name, kind, exceeding } = outcome;
  const found = kind === 'cut' ? outcome.within : outcome;
  return {
    value: found && { name, value: found.value },
    next: kind === 'cut' ? 'unknown' : outcome.next,
    exceeding: exceeding && { name, value: exceeding },
    mechanisms: (found?.nodes ?? []).map(({ path, node }) => ({ path, ...exactNode(node) })),
  };
}

/** A solution as `dpcompose.solve/1`; `input` is the specification in normal form. */
export function solveJson(outcome: Diagnostics, asked: AskedQuestion, input: ExactForm, version: string): string {
  const answer = answerIn(outcome);
  return documentText(SOLVE, {
    version,
    input,
    ...questionOf(asked),
    find: outcome.name,
    outcome: outcome.kind,
    message: solveStatement(outcome, asked),
    solution: solutionIn(outcome),
    answer,
    warnings: answer?.warnings ?? [],
  });
}
