import * as z from 'zod/mini';
import { Decimal, ONE, ZERO } from '../../numeric/decimal.ts';
import type { ShuffledReports } from '../../privacy/mechanism.ts';
import { CATEGORIES, FLIP, LOCAL_EPSILON, USERS } from '../../privacy/mechanisms/parameters.ts';
import { epsilon, issueOf, numberField, published } from '../core/fields.ts';
import { inOneForm } from '../core/forms.ts';
import { alias, common, required, writtenType } from './written-type.ts';

/** Reports of many users, shuffled. */
export const shuffledReports = writtenType({
  schema: z
    .strictObject({
      type: z.literal('shuffled-reports'),
      'local-epsilon': numberField(LOCAL_EPSILON),
      users: numberField(USERS),
      categories: z.optional(numberField(CATEGORIES)),
      ...common,
    })
    .register(published, {
      description:
        'Shuffle model: each of the users sends one report of the same (local-epsilon, 0)-locally private randomizer, and a shuffler hides who sent which; with categories, k-ary randomized response. count is the number of rounds, each shuffled anew. Replace-one neighbors: one user has another value.',
    }),
  mechanismOf: ({ 'local-epsilon': localEpsilon, users, categories }) => ({
    type: 'shuffled-reports',
    localEpsilon,
    users,
    ...(categories && { categories }),
  }),
  words: ({ localEpsilon, users, categories }: ShuffledReports, { number, whole }) =>
    `shuffled reports of ${whole(users.toNumber())} users, ${
      categories === undefined ? '' : `${whole(categories.toNumber())}-ary randomized response, `
    }local epsilon ${number(localEpsilon)}`,
  normal: ({ localEpsilon, users, categories }: ShuffledReports) => ({
    'local-epsilon': localEpsilon,
    users,
    ...(categories && { categories }),
  }),
});

/** Rounded up at 60 digits. */
const Up = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_UP });

/** ln((2 - f) / f), the epsilon of a bit, from above. */
const epsilonOfBit = (f: Decimal): Decimal =>
  f.eq(1)
    ? ZERO
    : new Decimal(new Up(2).minus(f).div(f).ln().times('1.00000000000000000000000000000000000000000000000000001'));

/** RAPPOR with one hash function, reported once: two bits differ between two values, each a binary randomized response. */
export const rappor = alias({
  schema: inOneForm(
    z
      .strictObject({
        type: z.literal('rappor'),
        f: z.optional(numberField(FLIP)),
        epsilon: z.optional(epsilon),
        ...common,
      })
      .check(
        z.check(({ value, issues }) => {
          if (!Decimal.isDecimal(value.count) || value.count.times(2).lte(Number.MAX_SAFE_INTEGER)) return;
          const message = 'count must be at most 4503599627370495, as each is two mechanisms';
          issues.push(issueOf({ code: 'out-of-range', message, hint: 'Write fewer.' }, value, ['count']));
        }),
      ),
    [{ needs: ['f'] }, { needs: ['epsilon'] }],
    {
      what: 'a rappor mechanism',
      conflict: 'conflicting-keys',
      description:
        'Basic one-time RAPPOR: one bit for each value, each bit replaced by a fair coin with probability f; epsilon = 2 ln((2 - f) / f). Two values differ in two bits, so it is two binary randomized responses of epsilon / 2. Replace-one neighbors.',
    },
  ),
  mechanismOf: ({ f, epsilon }) => ({
    type: 'randomized-response',
    epsilon: f === undefined ? required(epsilon).div(2) : epsilonOfBit(f),
    categories: ONE.plus(1),
  }),
  rounds: () => 2,
});
