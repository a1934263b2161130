import type { Decimal } from '../numeric/decimal.ts';
import { listed } from '../output/kit/prose.ts';
import { numbersFrom, zeroOr } from '../privacy/mechanisms/parameters.ts';
import type { Invocation } from './kit/command.ts';
import { DOCUMENT, EFFORT, STRICT } from './kit/shared-options.ts';
import { ranged } from './kit/number-option.ts';
import {
  flagOf,
  inGroup,
  numberOption,
  switchOption,
  textOption,
  wholeOption,
  wordOption,
  type ValuesOf,
} from './kit/option.ts';

/** Far from where parameters, divided among thousands of mechanisms, could no longer be written. */
const [LEAST, MOST] = ['1e-100', '1e100'];

const between = ranged(numbersFrom(LEAST, MOST));
const fromOne = ranged(numbersFrom(1, MOST));

/** A delta that is not 0. */
const CHANCE = {
  allowed: `a number from ${LEAST} and below 1`,
  contains: (value: Decimal) => value.gte(LEAST) && value.lt(1),
};
const chance = ranged(CHANCE);

/** A delta, or 0, which stands for none. */
const failure = ranged(zeroOr(CHANCE));

/** The parameters of ready designs. */
const PARAMETERS = {
  ...inGroup('Examples:', {
    totalEpsilon: numberOption('--total-epsilon <E>', 'epsilon of the example (default: 1)', between, '1'),
  }),
  ...inGroup('Example histogram:', {
    dimension: wholeOption('--dimension <N>', 'number of counters (default: 4)', '4'),
    counterDelta: numberOption('--counter-delta <D>', 'delta of the counters (default: 0)', failure, '1e-6'),
    intervals: wholeOption('--intervals <N>', 'number of intervals (default: no limit)', '20', 2),
    intervalDelta: numberOption(
      '--interval-delta <D>',
      'delta of the test of each interval (default: 0)',
      failure,
      '1e-8',
    ),
    checkDelta: numberOption(
      '--check-delta <D>',
      'delta of each Gaussian check (default: Laplace, 0)',
      failure,
      '1e-7',
    ),
    largestQuery: numberOption('--largest-query <Q>', 'for the error: largest value of the query', fromOne, '1000'),
    beta: numberOption('--beta <B>', 'for the error: probability of a larger error', chance, '0.05'),
    horizon: wholeOption('--horizon <T>', 'for the error: number of steps', '1000000'),
  }),
  ...inGroup('Example core-decomposition:', {
    vertices: wholeOption('--vertices <N>', 'number of vertices, each a user (default: no limit)', '10000', 2),
    largestDegree: wholeOption('--largest-degree <N>', 'for the error: largest degree of a vertex', '100'),
  }),
};

/** A parameter of a ready design. */
export type ExampleKey = keyof typeof PARAMETERS;

/** The parameters of a ready design, each where it is given. */
export type ExampleFlags = ValuesOf<typeof PARAMETERS>;

/** The names of all ready designs. */
const EXAMPLE_NAMES = ['histogram', 'core-decomposition'] as const;
export type ExampleName = (typeof EXAMPLE_NAMES)[number];

/** The options of what is checked, and of its target. */
const DESIGN = {
  ...inGroup('Design:', {
    example: wordOption(
      '--example <NAME>',
      'example design: histogram or core-decomposition',
      EXAMPLE_NAMES,
      'Write the name of a ready design.',
    ),
    ...DOCUMENT,
    spec: switchOption('--spec', 'print the document of the example design'),
  }),
  ...inGroup('Target:', {
    delta: textOption('--delta <D>', 'find the smallest epsilon at this delta'),
    epsilon: textOption('--epsilon <E>', 'find the smallest delta at this epsilon (default: that of the example)'),
  }),
  ...PARAMETERS,
};

/** The options of the command. */
export const OPTIONS = { ...DESIGN, ...EFFORT, ...STRICT };

export type Designing = Invocation<typeof OPTIONS>;

/** Refuses parameters where only those of `allowed` have a meaning. */
export function refuseOthers(
  { refuse }: Pick<Designing, 'refuse'>,
  allowed: readonly ExampleKey[],
  what: string,
): void {
  const others = (Object.keys(PARAMETERS) as ExampleKey[]).filter((key) => !allowed.includes(key));
  const those = allowed.map((key) => flagOf(PARAMETERS[key].flags));
  refuse(others, `says nothing of ${what}`, `Omit it${allowed.length === 0 ? '' : `; ${what} has ${listed(those)}`}.`);
}
