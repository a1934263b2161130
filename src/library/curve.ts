import {
  curve as curveOf,
  type Along,
  type CurveOptions,
  type CurveOutcome,
  type CurveQuestion,
} from '../composition/curve/curve.ts';
import { gap as gapOf, type GapAnswer, type GapOptions, type GapQuestion } from '../composition/gap/gap.ts';
import type { Decimal } from '../numeric/decimal.ts';
import { COUNT } from '../privacy/mechanisms/parameters.ts';
import * as take from './arguments.ts';
import { Arguments, listOf, orNull, record } from './arguments.ts';
import { aboveZero, entry, probability } from './read-mechanism.ts';
import { anyDecimal, COMPOSE_OPTIONS, optionsOf, problem } from './read-problem.ts';

const WHAT = 'what a curve runs along';

const readRecord = record<CurveQuestion>(
  'a question about a curve',
  {
    problem,
    along: take.kinds<Along, 'name'>('name', WHAT, {
      delta: [WHAT, {}],
      epsilon: [WHAT, {}],
      times: [WHAT, {}],
      count: [WHAT, { entry }],
    }),
    values: listOf(anyDecimal, 'decimals'),
    solveFor: take.oneOf(['epsilon', 'delta']),
    given: orNull(anyDecimal),
  },
  "{ problem, along: { name: 'delta' }, values: [...], solveFor: 'epsilon', given: null }",
);

const count = take.decimal(COUNT);

/** The reader of the given value where a quantity is solved for: a delta for epsilon, else an epsilon. */
const givenFor = (solveFor: CurveQuestion['solveFor']) => (solveFor === 'epsilon' ? probability : anyDecimal);

const readQuestion = take.refined(readRecord, ({ along, solveFor, values, given }: CurveQuestion, at) => {
  const isGivenAlong = along.name === 'delta' || along.name === 'epsilon';
  const other = solveFor === 'epsilon' ? 'delta' : 'epsilon';
  if (isGivenAlong && along.name === solveFor) {
    throw at
      .key('along')
      .key('name')
      .outOfRange(`"${other}" where ${solveFor} is solved for`, along.name, `Write { name: '${other}' }.`);
  }
  if (isGivenAlong && given !== null) {
    throw at.key('given').wrongType(`null where the curve runs along ${along.name}`, given, 'Write given: null.');
  }
  if (!isGivenAlong) givenFor(solveFor)(given, at.key('given'));
  const valueReader = isGivenAlong ? givenFor(solveFor) : count;
  values.forEach((value: Decimal, index) => {
    const place = at.key('values').item(index);
    valueReader(value, place);
    if (index > 0 && !value.gt(values[index - 1]!)) {
      throw place.outOfRange('larger than the value before', value, 'Sort the values, each once.');
    }
  });
});

const readOptions = record<CurveOptions>('options', COMPOSE_OPTIONS, "{ bounds: ['rdp'] }");

/**
 * The smallest epsilon or delta along a range of counts, deltas or epsilons: of the best bound, or of each bound in
 * `options.bounds`. Every point is what `compose` answers, and is computed once.
 *
 * Where a bound does not apply the line has a gap; refused where no point has an answer.
 *
 * @example
 * ```js
 * import { curve, Decimal, readSpecification } from 'dpcompose';
 *
 * const { specification } = readSpecification('{"dpcompose": 1, "mechanisms": [{"type": "dp", "epsilon": 0.1}]}');
 * const [entry] = specification.entries;
 * const values = [1, 10, 100].map((count) => new Decimal(count));
 * const along = { name: 'count', entry };
 * const given = new Decimal('1e-6');
 * const outcome = curve({ problem: specification, along, values, solveFor: 'epsilon', given });
 * const [line] = outcome.curve.lines;
 * console.log(line.points.map(({ value }) => Math.ceil(value.upper * 1e6) / 1e6).join(' ')); // 0.099999 0.999371 4.774568
 * ```
 */
export function curve(question: CurveQuestion, options: CurveOptions = {}): CurveOutcome {
  const args = new Arguments('curve');
  return curveOf(args.read('question', question, readQuestion), optionsOf(args, options, readOptions));
}

const gapFields = (parameter: take.Reader) => ({
  each: listOf(aboveZero, 'decimals'),
  count: listOf(take.whole(1), 'whole numbers'),
  given: listOf(parameter, 'decimals'),
});

const readGapQuestion = take.kinds<GapQuestion, 'solveFor'>('solveFor', 'a question about the gap', {
  epsilon: ['a question about the gap', gapFields(probability)],
  delta: ['a question about the gap', gapFields(anyDecimal)],
});

const { exhausted, interrupted, session, tolerance, progress } = COMPOSE_OPTIONS;

const readGapOptions = record<GapOptions>(
  'options',
  { exhausted, interrupted, session, tolerance, progress },
  '{ tolerance: 1e-4 }',
);

/**
 * The cost of adaptivity: the optimum of equal bounded-range mechanisms that are fixed in advance, the optimum of those
 * that are chosen adaptively, and how much more that is. Dong, Durfee and Rogers (2020) prove that there is a gap, and
 * conjecture that it is small.
 *
 * @example
 * ```js
 * import { Decimal, gap } from 'dpcompose';
 *
 * const question = { solveFor: 'epsilon', each: [new Decimal('0.1')], count: [10], given: [new Decimal('1e-6')] };
 * const [row] = gap(question).rows;
 * console.log(Math.ceil(row.gap.adaptive.upper * 1e3) / 1e3); // 0.635
 * ```
 */
export function gap(question: GapQuestion, options: GapOptions = {}): GapAnswer {
  const args = new Arguments('gap');
  return gapOf(args.read('question', question, readGapQuestion), args.read('options', options, readGapOptions));
}
