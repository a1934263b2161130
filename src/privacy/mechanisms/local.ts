import { encloseDecimal, ONE, ZERO } from '../../numeric/decimal.ts';
import { pureDpMoment } from '../log-moment.ts';
import type { RandomizedResponse, ShuffledReports } from '../mechanism.ts';
import { pureKl } from '../pure.ts';
import { CATEGORIES, EPSILON, LOCAL_EPSILON, MOST_USERS, USERS } from './parameters.ts';
import { varying, type MechanismRecord } from './record.ts';

/**
 * Shuffled reports: by their local epsilon, as everything made from them is a post-processing of one report that differs; by their
 * own pair (see `dominatingReports`) where the distribution of losses counts. A randomizer of a smaller epsilon is one of a larger, and k-ary
 * response of a smaller epsilon is that of a larger with some answers replaced by a random one.
 */
export const shuffledReports = {
  parameters: { localEpsilon: LOCAL_EPSILON, users: USERS, categories: CATEGORIES },
  isZeroLoss: ({ localEpsilon }) => localEpsilon.isZero(),
  epsilonDelta: ({ localEpsilon }) => ({ epsilon: localEpsilon, delta: ZERO }),
  hasOwnPair: true,
  rho: ({ localEpsilon }) => pureKl(encloseDecimal(localEpsilon)),
  moment: ({ localEpsilon }) => pureDpMoment(encloseDecimal(localEpsilon)),
  parameter: (mechanism) => varying(mechanism, 'local-epsilon', 'localEpsilon'),
  // One report more is a post-processing: its user is known to the adversary, who adds it.
  named: (mechanism) => ({
    ...varying(mechanism, 'reports', 'users'),
    isNoise: true,
    isWhole: true,
    smallest: ONE,
    largest: MOST_USERS,
  }),
} satisfies MechanismRecord<ShuffledReports>;

/** k-ary randomized response, whose losses are epsilon, 0 and -epsilon. */
export const randomizedResponse = {
  parameters: { epsilon: EPSILON, categories: CATEGORIES },
  plain: {
    description:
      'k-ary randomized response of one person: the true value with a probability e^epsilon times that of each other of the k categories. Replace-one neighbors.',
    words: ({ epsilon, categories }, { number, whole }) =>
      `${whole(categories.toNumber())}-ary randomized response of epsilon ${number(epsilon)}`,
  },
  isZeroLoss: ({ epsilon }) => epsilon.isZero(),
  epsilonDelta: ({ epsilon }) => ({ epsilon, delta: ZERO }),
  hasOwnPair: true,
  rho: ({ epsilon }) => pureKl(encloseDecimal(epsilon)),
  moment: ({ epsilon }) => pureDpMoment(encloseDecimal(epsilon)),
  parameter: (mechanism) => varying(mechanism, 'epsilon'),
} satisfies MechanismRecord<RandomizedResponse>;
