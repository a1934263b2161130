import * as z from 'zod/mini';
import { Decimal } from '../../numeric/decimal.ts';
import type { FinitePairMechanism } from '../../privacy/mechanism.ts';
import { tradeOffPoints } from '../../privacy/trade-off.ts';
import { issueOf, probabilityOfOutcome, published } from '../core/fields.ts';
import type { Problem } from '../core/input-error.ts';
import { atMost } from '../core/lists.ts';
import { shorten } from '../core/quote.ts';
import { common, writtenType } from './written-type.ts';

/** More outcomes than this are too many for exact curves; longer lists are not looked into. */
const MAX_OUTCOMES = 200;

const ONE = new Decimal(1);

/** The problem of the sum of probabilities, each from 0 to 1; null if it is 1. */
function sumProblem(name: string, values: readonly Decimal[]): Problem | null {
  const sum = values.reduce((total, value) => total.plus(value), new Decimal(0));
  if (sum.eq(ONE)) return null;
  const last = values.at(-1)?.plus(ONE.minus(sum));
  const fixed = last !== undefined && values.length > 1 && last.gte(0) && last.lte(1);
  return {
    code: 'wrong-sum',
    message: `${name} must sum to exactly 1, got ${shorten(sum.toString())}`,
    hint: fixed
      ? `Correct the probabilities; with the others as they are, the last would be ${shorten(last.toString())}.`
      : 'Write the probability of every outcome, as exact decimals.',
  };
}

/** A list of probabilities, one for each outcome, that sum to exactly 1. */
function distribution(name: 'p' | 'q') {
  const summingToOne = z
    .array(probabilityOfOutcome)
    .check(z.minLength(1))
    .check(
      z.check(
        ({ value, issues }) => {
          if (!value.every((item) => Decimal.isDecimal(item))) return;
          const problem = sumProblem(name, value);
          if (problem !== null) issues.push(issueOf(problem, value));
        },
        { when: ({ value }) => Array.isArray(value) && value.length > 0 },
      ),
    );
  return z
    .pipe(
      atMost(MAX_OUTCOMES, name, 'probabilities', 'Merge outcomes whose probabilities have the same ratio.'),
      summingToOne,
    )
    .register(published, {
      description: 'The probability of each outcome: numbers from 0 to 1 that sum to exactly 1.',
      maxItems: MAX_OUTCOMES,
    });
}

/** Refuses an object whose two lists of probabilities differ in length. */
const sameOutcomes = z.check<Readonly<Record<string, unknown>>>(
  ({ value, issues }) => {
    const { p, q } = value;
    if (!Array.isArray(p) || !Array.isArray(q) || p.length === 0 || q.length === 0 || p.length === q.length) return;
    issues.push(
      issueOf(
        {
          code: 'unequal-lengths',
          message: `p and q must list the same outcomes, got ${p.length} in p and ${q.length} in q`,
          hint: 'Give both lists the same order, with 0 for an outcome that cannot happen.',
        },
        value,
      ),
    );
  },
  // Also beside mistakes in single keys: all are reported at once.
  { when: ({ value }) => typeof value === 'object' && value !== null },
);

export const finitePair = writtenType({
  schema: z
    .strictObject({
      type: z.literal('finite-pair'),
      p: distribution('p'),
      q: distribution('q'),
      direction: z._default(z.enum(['either', 'fixed']), 'either'),
      ...common,
    })
    .check(sameOutcomes)
    .register(published, {
      description:
        'A mechanism whose outcome has distribution p on one data set and q on its neighbour, outcome by outcome; direction says whether neighbours may stand in either order, mechanism by mechanism, or in one order throughout.',
    }),
  mechanismOf: ({ p, q, direction }) => ({ type: 'finite-pair', p, q, direction }),
  words(pair: FinitePairMechanism, { whole }) {
    const points = tradeOffPoints(pair);
    if (points === null) return `finite pair of ${whole(pair.p.length)} outcomes`;
    return `trade-off function of ${whole(points.length)} ${points.length === 1 ? 'point' : 'points'}`;
  },
  normal(pair: FinitePairMechanism) {
    const points = tradeOffPoints(pair);
    return points && { type: 'trade-off', points: points.map(({ alpha, beta }) => [alpha, beta]) };
  },
});
