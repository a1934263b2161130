import { Argument } from 'commander';
import { numbersFrom, PROBABILITY } from '../../privacy/mechanisms/parameters.ts';
import { FIGURES, type Problem, type RatesQuestion, type RateTable } from '../../learning/rates/rates.ts';
import type { LowerBound42, LowerBoundProblem } from '../../learning/theorems/theorem-4-2.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { commandOf, formsOf, type Invocation } from '../kit/command.ts';
import { inGroup, numberOption, seriesOption, switchOption, wordOption } from '../kit/option.ts';
import { ranged } from '../kit/number-option.ts';
import { UsageError } from '../kit/usage-error.ts';
import { NumberReader, numberOptions, rangeOf, readProblemName } from './options.ts';

const FIGURE_NAMES = Object.keys(FIGURES) as (keyof typeof FIGURES)[];

/** From 0 to 1 in eighths. */
const USUAL_ALPHA = Array.from({ length: 9 }, (_, eighths) => new Decimal(eighths).div(8));

const EPSILON = rangeOf('epsilon');

const OPTIONS = {
  ...inGroup('Exponents:', {
    figure: wordOption(
      '--figure <F>',
      'a, b or c: a part of Figure 1',
      FIGURE_NAMES,
      'They are the parts of Figure 1.',
    ),
    gamma: numberOption('--gamma <G>', 'd = T^gamma (default: ope 1, oco 0)', ranged(numbersFrom(0, 10)), '0.5'),
    alpha: seriesOption('--alpha <A>', 'epsilon = T^-alpha (default: 0:1:0.125)', ranged(PROBABILITY), {
      example: '0:1:0.25',
      step: 'sum',
    }),
  }),
  ...numberOptions(
    'Rates:',
    'rounds',
    ['experts', 'the number of experts (ope)'],
    ['dimension', 'the dimension (oco)'],
  ),
  ...inGroup('Rates:', {
    epsilon: seriesOption('--epsilon <E>', 'epsilon, or several', ranged(EPSILON), {
      example: EPSILON.example,
      step: 'tenfold',
    }),
    lowerBound: switchOption('--lower-bound', 'the lower bound on the regret of lazy algorithms (ope)'),
  }),
};

/** The options as they are read. `epsilon` is one number only where a lower bound is asked for. */
type Asked = Invocation<typeof OPTIONS>;

const KEEP_ONE = 'Keep one of them.';

const readerOf = ({ flags: { epsilon: series, ...flags }, ...invocation }: Asked): NumberReader =>
  new NumberReader({ ...invocation, flags: { ...flags, epsilon: series?.[0] } });

function readProblem({ operands: [name], flags: { figure }, errors, refuse }: Asked): Problem {
  const problem = name === undefined ? undefined : readProblemName(name, errors);
  const usual = figure === undefined ? 'ope' : FIGURES[figure].problem;
  if (figure !== undefined && problem !== undefined && problem !== usual) {
    refuse(['figure'], `part ${figure} is about ${usual}, not ${problem}`, KEEP_ONE);
  }
  return problem ?? usual;
}

function readExponents(problem: Problem, invocation: Asked): RatesQuestion {
  const { flags } = invocation;
  const hint = 'Give --rounds too, or omit it.';
  readerOf(invocation).refuse(['experts', 'dimension', 'epsilon'], 'belongs to --rounds', hint);
  const { figure, gamma: typedGamma, alpha: at = USUAL_ALPHA } = flags;
  if (invocation.isTyped('figure')) invocation.refuse(['gamma'], '--figure says what gamma is', KEEP_ONE);
  const usual = FIGURES[figure ?? (problem === 'ope' ? 'c' : 'a')].gamma;
  const gamma = typedGamma === undefined ? usual : { value: typedGamma.toNumber(), text: typedGamma.toString() };
  return { kind: 'exponents', problem, gamma, at };
}

const EXPONENTS = ['figure', 'gamma', 'alpha'] as const;

function readRates(problem: Problem, invocation: Asked): RatesQuestion | undefined {
  const reader = readerOf(invocation);
  invocation.refuse(EXPONENTS, 'is about exponents, and --rounds about rates', KEEP_ONE);
  const experts = problem === 'ope';
  reader.refuse([experts ? 'dimension' : 'experts'], `is not about ${problem}`, 'Omit it.');
  const rounds = reader.rounds();
  const size = experts ? reader.experts() : reader.dimension();
  reader.required('epsilon', 'epsilon');
  const { epsilon: at = [] } = invocation.flags;
  return rounds === undefined || size === undefined ? undefined : { kind: 'rates', problem, rounds, size, at };
}

function readLowerBound(problem: Problem, invocation: Asked): LowerBoundProblem | undefined {
  const reader = readerOf(invocation);
  if (problem !== 'ope') invocation.refuse(['lowerBound'], `is about ope, not ${problem}`, KEEP_ONE);
  invocation.refuse(EXPONENTS, 'is about exponents, and --lower-bound about numbers', KEEP_ONE);
  reader.refuse(['dimension'], 'is not about ope', 'Omit it.');
  const [rounds, experts] = [reader.rounds(), reader.experts()];
  const epsilon = reader.required('epsilon', 'epsilon');
  const several = invocation.flags.epsilon ?? [];
  if (several.length > 1) reader.outOfRange('epsilon', 'must be one number with --lower-bound', 'Give one of them.');
  return rounds === undefined || experts === undefined || epsilon === undefined
    ? undefined
    : { rounds, experts, epsilon };
}

const EXAMPLES = `
Without --rounds, rates prints exponents: the regret is T^beta, up to logs, for
epsilon = T^-alpha and d = T^gamma. With --rounds, it prints the rates with
constant 1. With --lower-bound, it prints Theorem 4.2 for epsilon^2-concentrated
DP prediction from experts with limited switching: the condition as stated,
those that the proof needs, the construction, and the bound with a constant.

Examples:
  dpcompose lazy rates --figure c                      Figure 1 (c)
  dpcompose lazy rates oco --gamma 0.2 --alpha 0:1:0.1 --format csv
  dpcompose lazy rates ope --rounds 1e6 --experts 1000 --epsilon 0.01,0.1,1
  dpcompose lazy rates --lower-bound --rounds 1e6 --experts 1000 --epsilon 0.01`;

/** `dpcompose lazy rates`: the regret rates of Table 1 and Figure 1, and the lower bound. */
export const lazyRatesCommand = commandOf<RateTable | LowerBound42, typeof OPTIONS>({
  name: 'rates',
  summary: 'regret rates and prior work: Table 1, Figure 1, lower bound',
  about:
    'Regret rates of L2P, as claimed in the paper and as proved here, next to prior work: the exponents of Figure 1, or the rates of Table 1 for given numbers.',
  operands: [new Argument('[PROBLEM]', 'ope (prediction from experts, default) or oco (convex optimization)')],
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(
    async (table) => (await import('../../output/lazy/rates.ts')).lazyRatesOutput(table),
    'table',
    'json',
    'csv',
  ),
  async read(invocation) {
    const { flags, isTyped, errors } = invocation;
    const problem = readProblem(invocation);
    if (flags.lowerBound) {
      const bounded = readLowerBound(problem, invocation);
      if (errors.length > 0 || bounded === undefined) throw new UsageError(errors);
      const { theorem42 } = await import('../../learning/theorems/theorem-4-2.ts');
      return () => ({ result: theorem42(bounded) });
    }
    const question = isTyped('rounds') ? readRates(problem, invocation) : readExponents(problem, invocation);
    if (errors.length > 0 || question === undefined) throw new UsageError(errors);
    const { rateTable } = await import('../../learning/rates/rates.ts');
    return () => ({ result: rateTable(question) });
  },
});
