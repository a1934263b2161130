import { ALL_BOUNDS } from '../bounds/all.ts';
import type { Answer } from '../composition/core/outcome.ts';
import type {
  AskedQuestion,
  Cut,
  Ended,
  Never,
  Solution,
  SolvedName,
  SolveOutcome,
} from '../composition/solve/solve.ts';
import type { Decimal } from '../numeric/decimal.ts';
import { givenText, lowerText, upperText, givenIn, pairText } from './kit/number.ts';
import { grouped } from './kit/prose.ts';
import type { RiskLimit } from '../composition/risk/limits.ts';
import type { Budget } from '../composition/compose/compose.ts';
import { mechanismsIn } from '../composition/solve/mechanisms.ts';
import { exactNode, type ExactForm } from '../document/structure/normal-form.ts';
import { ANSWER } from './compose/json.ts';
import { BUDGET, FORM, GIVEN, INPUT, QUERY, TEXT } from './kit/codecs.ts';
import { jsonDecimal, jsonRounded } from './kit/json-value.ts';
import { WARNING } from './refusal/refusal.ts';
import { paragraph, type Output } from './kit/page.ts';
import { table } from './kit/table.ts';
import { nodeText } from './plan/words.ts';
import { PARAMETER_NAMES } from '../privacy/mechanisms/record.ts';
import * as json from './kit/codec.ts';

/** The outcome of a search that was not refused: a solution, or why there is none. */
type Diagnostics = Exclude<SolveOutcome, { kind: 'refused' }>;

const NOISE: readonly SolvedName[] = ['scale', 'sigma', 'reports'];
const WHOLE: readonly SolvedName[] = ['count', 'multiple', 'reports', 'instances', 'sparsity', 'users', 'differing'];

const isTotal = (name: SolvedName): boolean => name.startsWith('total-');

/** Whether what is solved for is a whole number. */
const isWhole = (name: SolvedName): boolean => WHOLE.includes(name);

/** The unknowns of searches, in words. */
export type Nouns = Readonly<Record<SolvedName, string>>;

/** Those of a composition of which nothing more is known. */
export const NOUNS: Nouns = {
  count: 'count',
  multiple: 'whole multiple of the counts',
  factor: 'common factor of the parameters',
  epsilon: 'epsilon',
  'local-epsilon': 'local epsilon',
  rho: 'rho',
  mu: 'mu',
  scale: 'scale',
  sigma: 'sigma',
  reports: 'number of reports',
  instances: 'number of instances',
  sparsity: 'sparsity',
  users: 'number of users',
  differing: 'number of users with different data',
  'total-epsilon': 'total epsilon',
  'total-delta': 'total delta',
};

/** `largest count`, `smallest sigma`, `smallest total epsilon`. */
const soughtText = (name: SolvedName, nouns: Nouns): string =>
  `${isTotal(name) || NOISE.includes(name) ? 'smallest' : 'largest'} ${nouns[name]}`;

/** A value of what is solved for, as a reader sees it. */
const valueText = (name: SolvedName, value: Decimal): string =>
  isWhole(name) ? grouped(BigInt(value.toFixed())) : givenText(value);

/** A value that is shown to be within, where there is one to show. */
function solutionOf(outcome: Diagnostics): Solution | null {
  if (outcome.kind === 'never' || outcome.kind === 'unbounded') return null;
  return outcome.kind === 'cut' ? outcome.within : outcome;
}

/** The answer behind what was found; null where nothing is left to compose, or nothing was found. */
export const answerIn = (outcome: Diagnostics): Answer | null =>
  outcome.kind === 'cut' ? (outcome.within?.answer ?? null) : outcome.answer;

/** `within (1, 1e-6)`, `at delta 1e-6`. */
function limitText(request: AskedQuestion): string {
  if (request.kind === 'within') {
    const { budget } = request.question;
    if ('epsilon' in budget) return `within (${givenText(budget.epsilon)}, ${givenText(budget.delta)})`;
    const limit = `of at most ${givenText(budget.most)}`;
    return budget.measure === 'advantage'
      ? `with a membership advantage ${limit}`
      : `with a true-positive rate ${limit} at a false-positive rate of ${givenText(budget.at)}`;
  }
  return `at ${givenIn(request.query)}`;
}

/** The theorem that decides: `by dp-optimal (NAME) [REFERENCE]`. */
function theoremText({ bound }: Answer): string {
  const row = ALL_BOUNDS.find(({ id }) => id === bound);
  return row === undefined ? `by ${bound}` : `by ${bound}: ${row.name} [${row.reference}]`;
}

/** The certificate that a value is within the budget; `it`: the value in words. */
const shownText = ({ answer }: Solution, it: string): string =>
  answer === null
    ? 'Nothing is left to compose.'
    : `With ${it} the composition is ${pairText(answer.query, answer[answer.query.solveFor])}-differentially private, ${theoremText(answer)}.`;

const EXCEEDS = 'certainly exceeds the budget';

/** Where the answer lies: `at least 3 and below 5`. */
function betweenText(name: SolvedName, within: Decimal, exceeding: Decimal | null): string {
  const [sideWord, beyond] = NOISE.includes(name) ? ['at most', 'above'] : ['at least', 'below'];
  const end = `${sideWord} ${valueText(name, within)}`;
  return exceeding === null ? end : `${end} and ${beyond} ${valueText(name, exceeding)}`;
}

const exceedingText = (name: SolvedName, exceeding: Decimal): string => `${valueText(name, exceeding)} ${EXCEEDS}.`;

/** The solution where the cost is not monotone: a value beyond one that exceeds may be within again. */
function unsteadyText(outcome: Ended, limit: string, nouns: Nouns): string {
  const { name, value, exceeding } = outcome;
  const beyond =
    exceeding === null
      ? 'Whether a smaller one is within the budget is not known.'
      : `${exceedingText(name, exceeding)} A still smaller one may be within: discrete Gaussian noise does not always cost more where its sigma is smaller.`;
  return `A ${nouns[name]} of ${valueText(name, value)} is ${limit}. ${shownText(outcome, 'it')} ${beyond}`;
}

function solvedText(outcome: Ended, limit: string, nouns: Nouns): string {
  const { name, value, next, exceeding, isSteady, digits } = outcome;
  if (!isSteady) return unsteadyText(outcome, limit, nouns);
  const sought = soughtText(name, nouns);
  const it = valueText(name, value);
  const more = NOISE.includes(name) ? 'smaller' : 'larger';
  if (next === 'exceeds') {
    const to = digits === null ? '' : ` to ${grouped(digits)} ${digits === 1 ? 'digit' : 'digits'}`;
    const after = !isWhole(name) ? `The next ${more} one` : NOISE.includes(name) ? 'One less' : 'One more';
    return `The ${sought} ${limit} is ${it}${to}. ${shownText(outcome, 'it')} ${after} ${EXCEEDS}.`;
  }
  const unknown =
    next === 'refused'
      ? `For the next ${more} one no bound is computed.`
      : `Whether a ${more} one is within is not known.`;
  const beyond =
    exceeding === null
      ? unknown
      : `${exceedingText(name, exceeding)} Between the two it is open; a smaller --tolerance may tell.`;
  return `The ${sought} ${limit} is ${betweenText(name, value, exceeding)}. ${shownText(outcome, it)} ${beyond}`;
}

function cutText({ name, within, exceeding, isSteady }: Cut, limit: string, nouns: Nouns): string {
  const first = `--max-seconds ran out before the ${soughtText(name, nouns)} ${limit} was found.`;
  const beyond = exceeding === null ? '' : ` ${exceedingText(name, exceeding)}`;
  if (within === null) return `${first} None was shown to be within so far.${beyond}`;
  const between = isSteady ? ` It is ${betweenText(name, within.value, exceeding)}.` : '';
  return `${first}${between} ${shownText(within, valueText(name, within.value))}${beyond}`;
}

/** The impossibility lower bound, as a sentence. */
function leastText({ query, epsilon, delta }: Answer): string {
  const { lower } = query.solveFor === 'epsilon' ? epsilon : delta;
  return lower === null || lower === 0
    ? 'No lower bound is known.'
    : `No correct guarantee is below ${lowerText(lower)}.`;
}

function totalText(name: SolvedName, { value, answer }: Solution, limit: string, nouns: Nouns): string {
  const it = valueText(name, value);
  const certificate = answer === null ? '' : ` Certified ${theoremText(answer)}. ${leastText(answer)}`;
  return `The ${nouns[name]} ${limit} is at most ${it}.${certificate}`;
}

function neverText({ name, answer, isCertain, of }: Never, limit: string, nouns: Nouns): string {
  const { solveFor } = answer.query;
  const { lower, upper } = answer[solveFor];
  if (isTotal(name)) {
    return isCertain
      ? `There is no finite ${solveFor} ${limit}.`
      : `No finite ${solveFor} is known ${limit}: no bound that applies gives one.`;
  }
  const subject = of === 'held' ? 'what does not vary' : 'the least that was tried';
  if (isCertain) {
    const minimum =
      lower === null || lower === Infinity ? `no finite ${solveFor}` : `${solveFor} ${lowerText(lower)} or more`;
    return `There is no ${nouns[name]} ${limit}: ${subject} has ${minimum} already.`;
  }
  const claimed = upper === Infinity ? `no finite ${solveFor}` : `${solveFor} ${upperText(answer[solveFor])}`;
  return `No ${nouns[name]} is shown to be ${limit}: the upper bound for ${subject} is already ${claimed}. ${leastText(answer)}`;
}

function unboundedText({ name, value, isSteady }: Ended, limit: string, nouns: Nouns): string {
  const end = valueText(name, value);
  if (!isSteady) return `A ${nouns[name]} of ${end}, the smallest that is computed, is ${limit}.`;
  return NOISE.includes(name)
    ? `There is no smallest ${nouns[name]} ${limit}: all down to ${end} are.`
    : `There is no largest ${nouns[name]} ${limit}: all up to ${end} are.`;
}

/** The solution and its certificate, in plain words. */
export function solveStatement(outcome: Diagnostics, request: AskedQuestion, nouns: Nouns = NOUNS): string {
  const limit = limitText(request);
  const { name } = outcome;
  switch (outcome.kind) {
    case 'never':
      return neverText(outcome, limit, nouns);
    case 'unbounded':
      return unboundedText(outcome, limit, nouns);
    case 'cut':
      return isTotal(name) && outcome.within !== null
        ? `--max-seconds ran out. ${totalText(name, outcome.within, limit, nouns)}`
        : cutText(outcome, limit, nouns);
    case 'solved':
      return isTotal(name) ? totalText(name, outcome, limit, nouns) : solvedText(outcome, limit, nouns);
  }
}

/** A value of what was solved for, with all its digits; totals are doubles, rounded up. */
const VALUE: json.Codec<{ readonly name: SolvedName; readonly value: Decimal }, number> = {
  schema: GIVEN.schema,
  encode: ({ name, value }) =>
    name === 'total-epsilon' || name === 'total-delta' ? jsonRounded(value, 'up') : jsonDecimal(value),
};

/** What a search found, and what is known beyond it. */
export const SOLUTION = json.object({
  value: json.described(
    'With all its digits. Certified to be within the budget; null if none was found in time.',
    json.orNull(VALUE),
  ),
  next: json.described(
    'What is known about the next larger value (for noise: the next smaller).',
    json.choice('exceeds', 'undecided', 'refused', 'none', 'unknown'),
  ),
  exceeding: json.described(
    'The first larger value (of noise: smaller) known to exceed the budget for certain; null where none is known.',
    json.orNull(VALUE),
  ),
  mechanisms: json.list(json.described('The mechanism or part that varies, with that value.', FORM)),
});

export const RISK_LIMIT = json.described(
  'The limit on distinguishing neighboring data sets, instead of a budget.',
  json.oneOf(
    json.object({ measure: json.is('advantage'), most: GIVEN }),
    json.object({ measure: json.is('true-positive-rate'), falsePositiveRate: GIVEN, most: GIVEN }),
  ),
);

/** A budget, or a limit of a risk, as members. */
export const limitIn = (budget: Budget | RiskLimit) => {
  if (!('measure' in budget)) return { budget };
  return { limit: budget.measure === 'advantage' ? budget : { ...budget, falsePositiveRate: budget.at } };
};

/** A solution. */
export const SOLVE = json.document('solve', 'The parameter that meets a budget: the output of solve --json.', {
  input: INPUT,
  budget: json.optional(json.described('The budget, with all digits.', BUDGET)),
  limit: json.optional(RISK_LIMIT),
  query: json.optional(json.described('The limit on the risk of the composition, instead of a budget.', QUERY)),
  vary: json.described('The locations of the mechanisms or parts that vary.', json.list(TEXT)),
  find: json.choice<SolvedName>(
    ...(['count', 'multiple', ...PARAMETER_NAMES] as const),
    ...(['instances', 'sparsity', 'users', 'differing', 'total-epsilon', 'total-delta'] as const),
  ),
  outcome: json.described(
    'unbounded: every value is within the budget; never: none is shown to be; cut: --max-seconds ran out, and the answer lies between value and exceeding.',
    json.choice('solved', 'unbounded', 'never', 'cut'),
  ),
  message: TEXT,
  solution: json.orNull(SOLUTION),
  answer: json.described('The composition that certifies it; null if nothing is composed.', json.orNull(ANSWER)),
  warnings: json.list(WARNING),
});

function questionOf(request: AskedQuestion): Pick<json.ValueOf<typeof SOLVE>, 'budget' | 'limit' | 'query' | 'vary'> {
  if (request.kind === 'total') return { query: request.query, vary: [] };
  const { question } = request;
  const { problem, budget } = question;
  const all = mechanismsIn(problem.entries);
  return {
    ...limitIn(budget),
    vary: 'path' in question ? [question.path] : question.varied.flatMap((index) => all[index]?.path ?? []),
  };
}

/** What a search found; null where nothing fits. */
export function solutionIn(outcome: Diagnostics): json.ValueOf<typeof SOLUTION> | null {
  if (outcome.kind === 'never') return null;
  const { name, kind, exceeding } = outcome;
  const solution = kind === 'cut' ? outcome.within : outcome;
  return {
    value: solution && { name, value: solution.value },
    next: kind === 'cut' ? 'unknown' : outcome.next,
    exceeding: exceeding && { name, value: exceeding },
    mechanisms: (solution?.nodes ?? []).map(({ path, node }) => ({ path, ...exactNode(node) })),
  };
}

/**
 * A solution: its certificate in a few sentences, and the nodes that vary with it; `input` is the specification in normal
 * form.
 */
export function solveOutput(outcome: Diagnostics, request: AskedQuestion, input: ExactForm): Output {
  const answer = answerIn(outcome);
  const message = solveStatement(outcome, request);
  return {
    page: () => [
      paragraph(message),
      table(solutionOf(outcome)?.nodes ?? [], [
        ['place', ({ path }) => path],
        ['mechanism', ({ node }) => nodeText(node)],
      ]),
    ],
    json: (version) =>
      json.documentText(SOLVE, {
        version,
        input,
        ...questionOf(request),
        find: outcome.name,
        outcome: outcome.kind,
        message,
        solution: solutionIn(outcome),
        answer,
        warnings: answer?.warnings ?? [],
      }),
  };
}
