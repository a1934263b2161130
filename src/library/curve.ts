import {
  curve as curveOf,
  type CurveOptions,
  type CurveOutcome,
  type CurveQuestion,
} from '../composition/curve/curve.ts';
import type { Decimal } from '../numeric/decimal.ts';
import { Arguments, byWord, decimal, listOf, oneOf, orNull, record, type At, type Range } from './arguments.ts';
import { entry, PROBABILITY } from './read-mechanism.ts';
import { COMPOSE_OPTIONS } from './read-options.ts';
import { epsilonGiven, problem } from './read-problem.ts';

const alongWord = (name: string) =>
  record<{ name: string }>('what a curve runs along', { name: oneOf([name]) }, `{ name: '${name}' }`);

const readRecord = record<CurveQuestion>(
  'a question about a curve',
  {
    problem,
    along: byWord(
      'name',
      {
        delta: alongWord('delta'),
        epsilon: alongWord('epsilon'),
        times: alongWord('times'),
        count: record<{ name: string; entry: unknown }>(
          'what a curve runs along',
          { name: oneOf(['count']), entry },
          "{ name: 'count', entry: problem.entries[0] }",
        ),
      },
      'what a curve runs along',
      "{ name: 'delta' }",
    ),
    values: listOf(epsilonGiven, 'decimals'),
    solveFor: oneOf(['epsilon', 'delta']),
    given: orNull(epsilonGiven),
  },
  "{ problem, along: { name: 'delta' }, values: [...], solveFor: 'epsilon', given: null }",
);

const COUNT: Range = {
  rule: 'a Decimal that is a whole number from 1 to 2^53 - 1',
  example: '10',
  contains: (value) => value.isInteger() && value.gte(1) && value.lte(Number.MAX_SAFE_INTEGER),
};

/** The reader of the given value where a quantity is solved for: a delta for epsilon, else an epsilon. */
const givenFor = (solveFor: CurveQuestion['solveFor']) =>
  solveFor === 'epsilon' ? decimal(PROBABILITY) : epsilonGiven;

function readQuestion(value: unknown, at: At): CurveQuestion {
  const question = readRecord(value, at) as CurveQuestion;
  const { along, solveFor, values, given } = question;
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
  const read = isGivenAlong ? givenFor(solveFor) : decimal(COUNT);
  values.forEach((each: Decimal, index) => {
    const place = at.key('values').item(index);
    read(each, place);
    if (index > 0 && !each.gt(values[index - 1]!)) {
      throw place.outOfRange('larger than the value before', each, 'Sort the values, each once.');
    }
  });
  return question;
}

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
  const given = new Arguments('curve');
  return curveOf(given.read('question', question, readQuestion), given.read('options', options, readOptions));
}
