import { Command } from 'commander';
import type { InputError } from '../../document/core/specification.ts';
import { FIGURES, type Problem, type RatesQuestion, type RateTable } from '../../lazy/rates/rates.ts';
import type { LowerBound42, LowerBoundProblem } from '../../lazy/theorems/theorem-4-2.ts';
import { commandOf } from '../kit/command.ts';
import { formsOf } from '../kit/forms.ts';
import { readNumberOption, type NumberRange } from '../kit/number-option.ts';
import { readOneOf } from '../kit/one-of.ts';
import { readSeriesOption, type SeriesRange } from '../kit/series-option.ts';
import { UsageError } from '../kit/usage-error.ts';
import { NumberReader, RANGES, readProblemName, withNumbers, type NumberFlags } from './options.ts';

/** The options of a question about rates, as typed. */
interface RatesFlags extends NumberFlags {
  readonly figure?: string;
  readonly gamma?: string;
  readonly alpha?: string;
  readonly lowerBound?: boolean;
}

const FIGURE_NAMES = Object.keys(FIGURES) as (keyof typeof FIGURES)[];

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
  const hint = 'They are the parts of Figure 1.';
  const shown = readOneOf(figure, { flag: '--figure', words: FIGURE_NAMES, hint }, errors);
  const problem = name === undefined ? undefined : readProblemName(name, errors);
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

/** What is about exponents, where numbers are given. */
function refuseExponents(flags: RatesFlags, errors: InputError[], what: string): void {
  for (const name of ['figure', 'gamma', 'alpha'] as const) {
    if (flags[name] !== undefined) errors.push(conflict(`--${name}`, `is about exponents, and ${what}`));
  }
}

function readRates(problem: Problem, flags: RatesFlags, errors: InputError[]): RatesQuestion | undefined {
  const reader = new NumberReader(flags, errors);
  refuseExponents(flags, errors, '--rounds about rates');
  const experts = problem === 'ope';
  reader.refuse([experts ? 'dimension' : 'experts'], `is not about ${problem}`, 'Leave it out.');
  const rounds = reader.rounds();
  const size = experts ? reader.experts() : reader.dimension();
  if (flags.epsilon === undefined) reader.required('epsilon', 'epsilon');
  const at = flags.epsilon === undefined ? [] : readSeriesOption(flags.epsilon, EPSILON, errors);
  return rounds === undefined || size === undefined ? undefined : { kind: 'rates', problem, rounds, size, at };
}

function readLowerBound(problem: Problem, flags: RatesFlags, errors: InputError[]): LowerBoundProblem | undefined {
  const reader = new NumberReader(flags, errors);
  if (problem !== 'ope') errors.push(conflict('--lower-bound', `is about ope, not ${problem}`));
  refuseExponents(flags, errors, '--lower-bound about numbers');
  reader.refuse(['dimension'], 'is not about ope', 'Leave it out.');
  const [rounds, experts] = [reader.rounds(), reader.experts()];
  const epsilon = reader.required('epsilon', 'epsilon');
  return rounds === undefined || experts === undefined || epsilon === undefined
    ? undefined
    : { rounds, experts, epsilon };
}

const EXAMPLES = `
Without --rounds these are exponents: the regret is T^beta, up to logarithms,
for epsilon = T^-alpha and d = T^gamma. With --rounds they are the rates
themselves, with constant 1. With --lower-bound it is what Theorem 4.2 claims
for epsilon^2-concentrated DP prediction from experts with limited switching:
its stated condition, those its proof needs, its construction and the bound
with a constant.

Examples:
  dpcompose lazy rates --figure c                      Figure 1 (c)
  dpcompose lazy rates oco --gamma 0.2 --alpha 0:1:0.1 --format csv
  dpcompose lazy rates ope --rounds 1e6 --experts 1000 --epsilon 0.01,0.1,1
  dpcompose lazy rates --lower-bound --rounds 1e6 --experts 1000 --epsilon 0.01`;

/** `dpcompose lazy rates`: the regret rates of Table 1 and Figure 1, and the lower bound. */
export const lazyRatesCommand = commandOf<RateTable | LowerBound42, RatesFlags>({
  command: () =>
    withNumbers(
      new Command('rates')
        .summary('regret rates beside prior work: Table 1, Figure 1, and a lower bound')
        .description(
          'The regret of L2P as the paper claims it and as it is proved here, beside prior work: exponents as in Figure 1, or the rates of Table 1 for given numbers.',
        )
        .argument('[PROBLEM]', 'ope (prediction from experts, default) or oco (convex optimisation)')
        .optionsGroup('Exponents:')
        .option('--figure <F>', 'a, b or c: a part of Figure 1')
        .option('--gamma <G>', 'd = T^gamma (default: ope 1, oco 0)')
        .option('--alpha <A>', 'epsilon = T^-alpha (default: 0:1:0.125)'),
      'Rates:',
      'rounds',
      ['experts', 'the number of experts (ope)'],
      ['dimension', 'the dimension (oco)'],
      ['epsilon', 'epsilon, or several'],
    ).option('--lower-bound', 'the lower bound on the regret of lazy algorithms (ope)'),
  examples: EXAMPLES,
  forms: formsOf(
    async (found) => (await import('../../report/lazy/rates.ts')).lazyRatesOutput(found),
    'table',
    'json',
    'csv',
  ),
  async read({ operands: [name], flags, errors }) {
    const problem = readProblem(name, flags, errors);
    if (flags.lowerBound === true) {
      const bounded = readLowerBound(problem, flags, errors);
      if (errors.length > 0 || bounded === undefined) throw new UsageError(errors);
      const { theorem42 } = await import('../../lazy/theorems/theorem-4-2.ts');
      return () => ({ result: theorem42(bounded) });
    }
    const read = flags.rounds === undefined ? readExponents : readRates;
    const question = read(problem, flags, errors);
    if (errors.length > 0 || question === undefined) throw new UsageError(errors);
    const { rateTable } = await import('../../lazy/rates/rates.ts');
    return () => ({ result: rateTable(question) });
  },
});
