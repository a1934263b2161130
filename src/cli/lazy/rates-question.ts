import { FIGURES, type RatesQuestion } from '../../lazy/rates/rate-table.ts';
import type { Problem } from '../../lazy/rates/rates.ts';
import { either, quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { NumberReader, RANGES, type NumberFlags } from './options.ts';
import { readNumberOption, type NumberRange } from '../kit/number-option.ts';
import { readSeriesOption, type SeriesRange } from '../kit/series-option.ts';
import { UsageError } from '../kit/usage-error.ts';

/** The options of a question about rates, as typed. */
export interface RatesFlags extends NumberFlags {
  readonly figure?: string;
  readonly gamma?: string;
  readonly alpha?: string;
}

const FIGURE_NAMES = Object.keys(FIGURES) as (keyof typeof FIGURES)[];
const PROBLEMS: readonly Problem[] = ['ope', 'oco'];

const ALPHA: SeriesRange = {
  flag: '--alpha',
  allowed: 'a number from 0 to 1',
  example: '0:1:0.25',
  contains: (value) => value.gte(0) && value.lte(1),
  step: 'sum',
};
const USUAL_ALPHA = '0:1:0.125';

const GAMMA: NumberRange = {
  flag: '--gamma',
  allowed: 'a number from 0 to 10',
  example: '0.5',
  contains: (value) => value.gte(0) && value.lte(10),
};

const EPSILON: SeriesRange = { ...RANGES.epsilon, step: 'tenfold' };

const conflict = (path: string, message: string): InputError => ({
  code: 'conflicting-options',
  path,
  message,
  hint: 'Keep one of them.',
});

function readProblem(name: string | undefined, { figure }: RatesFlags, errors: InputError[]): Problem {
  const shown = FIGURE_NAMES.find((known) => known === figure);
  if (figure !== undefined && shown === undefined) {
    const message = `must be ${either(FIGURE_NAMES)}, got ${quote(figure)}`;
    errors.push({ code: 'unknown-value', path: '--figure', message, hint: 'They are the parts of Figure 1.' });
  }
  const problem = PROBLEMS.find((known) => known === name);
  if (name !== undefined && problem === undefined) {
    const hint = 'ope is prediction from experts, oco is convex optimisation.';
    errors.push({ code: 'unknown-value', path: 'PROBLEM', message: `must be ope or oco, got ${quote(name)}`, hint });
  }
  const usual = shown === undefined ? 'ope' : FIGURES[shown].problem;
  if (shown !== undefined && problem !== undefined && problem !== usual) {
    errors.push(conflict('--figure', `part ${shown} is about ${usual}, not ${problem}`));
  }
  return problem ?? usual;
}

function readExponents(problem: Problem, flags: RatesFlags, errors: InputError[]): RatesQuestion {
  const reader = new NumberReader(flags, errors);
  reader.refuse(['experts', 'dimension', 'epsilon'], 'belongs to --rounds', 'Give --rounds too, or leave it out.');
  const at = readSeriesOption(flags.alpha ?? USUAL_ALPHA, ALPHA, errors);
  const shown = FIGURE_NAMES.find((known) => known === flags.figure);
  if (flags.gamma !== undefined && flags.figure !== undefined) {
    errors.push(conflict('--gamma', '--figure says what gamma is'));
  }
  const given = flags.gamma === undefined ? undefined : readNumberOption(flags.gamma, GAMMA, errors);
  const usual = shown === undefined ? FIGURES[problem === 'ope' ? 'c' : 'a'].gamma : FIGURES[shown].gamma;
  const gamma = given === undefined ? usual : { value: given.toNumber(), text: given.toString() };
  return { kind: 'exponents', problem, gamma, at };
}

function readRates(problem: Problem, flags: RatesFlags, errors: InputError[]): RatesQuestion | undefined {
  const reader = new NumberReader(flags, errors);
  for (const name of ['figure', 'gamma', 'alpha'] as const) {
    if (flags[name] !== undefined) errors.push(conflict(`--${name}`, 'is about exponents, and --rounds about rates'));
  }
  const experts = problem === 'ope';
  reader.refuse([experts ? 'dimension' : 'experts'], `is not about ${problem}`, 'Leave it out.');
  const rounds = reader.required('rounds', 'the number of rounds T');
  const size = experts
    ? reader.required('experts', 'the number of experts d')
    : reader.required('dimension', 'the dimension d');
  if (flags.epsilon === undefined) reader.required('epsilon', 'epsilon');
  const at = flags.epsilon === undefined ? [] : readSeriesOption(flags.epsilon, EPSILON, errors);
  if (rounds === undefined || size === undefined) return undefined;
  return { kind: 'rates', problem, rounds: rounds.toNumber(), size: size.toNumber(), at };
}

/** Reads what rates are asked for; `errors` are mistakes found so far, reported together with those found here. */
export function readRatesQuestion(
  name: string | undefined,
  flags: RatesFlags,
  errors: readonly InputError[],
): RatesQuestion {
  const found = [...errors];
  const problem = readProblem(name, flags, found);
  const question = flags.rounds === undefined ? readExponents(problem, flags, found) : readRates(problem, flags, found);
  if (found.length > 0 || question === undefined) throw new UsageError(found);
  return question;
}
