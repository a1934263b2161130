import { Decimal, encloseDecimal } from '../../numeric/decimal.ts';
import { finitePairMoment, finitePairRho } from '../finite-pair-moment.ts';
import { failureOfPair, largestLossOf, swapped } from '../finite-pair.ts';
import { pureDpMoment } from '../log-moment.ts';
import type { FinitePairMechanism, MechanismKind } from '../mechanism.ts';
import { pureKl } from '../pure.ts';
import type { EpsilonDelta, MechanismRecord } from './record.ts';

/** The largest finite loss of a pair in either direction, rounded up at 40 digits, and the larger chance of an infinite one. */
const epsilonDelta = (pair: FinitePairMechanism): EpsilonDelta => ({
  epsilon: Decimal.max(largestLossOf(pair), largestLossOf(swapped(pair))),
  delta: Decimal.max(failureOfPair(pair), failureOfPair(swapped(pair))),
});

/**
 * Whether a finite pair enters Renyi compositions with its own losses: not where it is interactive or continual and may
 * reveal everything, as Renyi guarantees but for a failure are only known to compose for what answers once.
 */
const byItsLosses = (pair: FinitePairMechanism, kind: MechanismKind): boolean =>
  kind === 'noninteractive' || epsilonDelta(pair).delta.isZero();

/** Two distributions on finitely many outcomes. */
export const finitePair = {
  parameters: { p: 'distribution', q: 'distribution', direction: 'direction' },
  isZeroLoss: ({ p, q }) => p.every((each, i) => each.eq(q[i]!)),
  epsilonDelta,
  hasOwnPair: true,
  rho: (pair, kind) =>
    byItsLosses(pair, kind) ? finitePairRho(pair) : pureKl(encloseDecimal(epsilonDelta(pair).epsilon)),
  moment: (pair, kind) =>
    byItsLosses(pair, kind) ? finitePairMoment(pair) : pureDpMoment(encloseDecimal(epsilonDelta(pair).epsilon)),
} satisfies MechanismRecord<FinitePairMechanism>;
