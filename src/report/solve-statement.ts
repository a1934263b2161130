import { ALL_BOUNDS } from '../composition/bounds.ts';
import type { Answer } from '../composition/outcome.ts';
import type { AskedQuestion } from '../composition/vary/asked.ts';
import type { SolvedName, SolveOutcome } from '../composition/vary/solve.ts';
import type { Next } from '../composition/vary/varied.ts';
import { givenText, upperText } from './number.ts';
import { grouped } from './prose.ts';

/** What was found, or why there is nothing. */
export type Findings = Exclude<SolveOutcome, { kind: 'refused' }>;

const NOISE: readonly SolvedName[] = ['scale', 'sigma'];

const isTotal = (name: SolvedName): boolean => name.startsWith('total-');

/** `largest count`, `smallest sigma`, `smallest total epsilon`. */
export function soughtText(name: SolvedName): string {
  if (isTotal(name)) return `smallest ${name.replace('-', ' ')}`;
  if (name === 'multiple') return 'largest whole multiple of the counts';
  if (name === 'factor') return 'largest common factor of the parameters';
  return `${NOISE.includes(name) ? 'smallest' : 'largest'} ${name}`;
}

/** A value that was found, as a reader sees it. */
export const valueText = ({ name, value }: Extract<Findings, { value: unknown }>): string =>
  name === 'count' || name === 'multiple' ? grouped(BigInt(value.toFixed())) : givenText(value);

/** `within (1, 1e-6)`, `at delta 1e-6`. */
function limitText(asked: AskedQuestion): string {
  if (asked.kind === 'within') {
    const { epsilon, delta } = asked.question.budget;
    return `within (${givenText(epsilon)}, ${givenText(delta)})`;
  }
  const { query } = asked;
  return query.solveFor === 'epsilon' ? `at delta ${givenText(query.delta)}` : `at epsilon ${givenText(query.epsilon)}`;
}

/** The theorem that decides: `by dp-optimal (NAME) [REFERENCE]`. */
function theoremText({ bound }: Answer): string {
  const row = ALL_BOUNDS.find(({ id }) => id === bound);
  return row === undefined ? `by ${bound}` : `by ${bound}: ${row.name} [${row.reference}]`;
}

const pairText = ({ query, epsilon, delta }: Answer): string =>
  query.solveFor === 'epsilon'
    ? `(${upperText(epsilon)}, ${givenText(query.delta)})`
    : `(${givenText(query.epsilon)}, ${upperText(delta)})`;

function nextText(name: SolvedName, next: Next): string {
  const one =
    name === 'count' || name === 'multiple'
      ? 'One more'
      : `The next ${NOISE.includes(name) ? 'smaller' : 'larger'} one`;
  switch (next) {
    case 'exceeds':
      return `${one} exceeds the budget: no correct claim is that small.`;
    case 'undecided':
      return `${one} is not certified; whether it exceeds the budget is not known.`;
    case 'refused':
      return `${one} is covered by no theorem.`;
    case 'none':
      return 'It is the largest there is.';
    case 'unknown':
      return 'The search was cut short: a larger one may be within the budget.';
  }
}

function totalText(outcome: Extract<Findings, { value: unknown }>, answer: Answer): string {
  const sure =
    outcome.next === 'exceeds'
      ? 'No smaller one can be claimed for this class'
      : 'How much smaller it could be is told by dpcompose compose';
  return `Certified ${theoremText(answer)}. ${sure}.`;
}

/** What was found and what certifies it, in plain words. */
export function solveStatement(outcome: Findings, asked: AskedQuestion): string {
  const { name } = outcome;
  const sought = soughtText(name);
  const limit = limitText(asked);
  if (outcome.kind === 'never') {
    const { solveFor } = outcome.answer.query;
    const { upper } = outcome.answer[solveFor];
    if (isTotal(name)) return `There is no finite ${solveFor} ${limit}.`;
    const least = upper === Infinity ? 'no finite epsilon' : `${solveFor} ${upperText(outcome.answer[solveFor])}`;
    const held = name === 'count' || name === 'multiple' ? 'What does not vary' : 'The least that was tried';
    return `There is no ${sought} ${limit}. ${held} has ${least} already.`;
  }
  if (outcome.kind === 'unbounded') {
    return `There is no ${sought} ${limit}: all up to ${valueText(outcome)} are.`;
  }
  const { answer } = outcome;
  const first = `The ${sought} ${limit} is ${valueText(outcome)}.`;
  if (isTotal(name) && answer !== null) return `${first} ${totalText(outcome, answer)}`;
  const shown =
    answer === null
      ? 'Nothing is left to compose.'
      : `With it the composition is ${pairText(answer)}-differentially private, ${theoremText(answer)}.`;
  return `${first} ${shown} ${nextText(name, outcome.next)}`;
}
