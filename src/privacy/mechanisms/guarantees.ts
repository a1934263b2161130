import { Decimal, encloseDecimal, ZERO, ONE } from '../../numeric/decimal.ts';
import { exactly } from '../../numeric/enclosure.ts';
import { minimum } from '../../numeric/enclosure-arithmetic.ts';
import { boundedRangeKl } from '../bounded-range.ts';
import { finitePairMoment, finitePairRho } from '../finite-pair-moment.ts';
import { failureOfPair, largestLossOf, swapped } from '../finite-pair.ts';
import { boundedRangeMoment, pureDpMoment, rdpMoment, zcdpMoment } from '../log-moment.ts';
import {
  DIRECTIONS,
  type ApproximateDp,
  type BoundedRange,
  type FinitePairMechanism,
  type MechanismKind,
  type Rdp,
  type Zcdp,
} from '../mechanism.ts';
import { pureKl } from '../pure.ts';
import { DELTA, EPSILON, RHO } from './parameters.ts';
import { varying, STEADY, type MechanismRecord, type EpsilonDelta } from './record.ts';

/** (e, d)-DP. At distance k: (k e, d sum_{i<k} e^(i e)) (Vadhan 2017, Lemma 2.2, by its proof). */
export const dp = {
  parameters: { epsilon: EPSILON, delta: DELTA },
  plain: {
    description: '(epsilon, delta)-differential privacy.',
    words: ({ epsilon, delta }, { number }) => `(${number(epsilon)}, ${number(delta)})-DP`,
  },
  isZeroLoss: ({ epsilon, delta }) => epsilon.isZero() && delta.isZero(),
  epsilonDelta: ({ epsilon, delta }) => ({ epsilon, delta }),
  rho: ({ epsilon }) => pureKl(encloseDecimal(epsilon)),
  moment: ({ epsilon }) => pureDpMoment(encloseDecimal(epsilon)),
  along: (mechanism, { times, delta }) => ({
    ...mechanism,
    epsilon: times(mechanism.epsilon),
    delta: delta(mechanism.epsilon, mechanism.delta),
  }),
  parameter: (mechanism) => varying(mechanism, 'epsilon'),
} satisfies MechanismRecord<ApproximateDp>;

/**
 * e-bounded range, which is e-DP. At distance k: k e, as the range of a sum of loss functions is at most the sum of their
 * ranges (derived).
 */
export const boundedRange = {
  parameters: { epsilon: EPSILON },
  isZeroLoss: ({ epsilon }) => epsilon.isZero(),
  epsilonDelta: ({ epsilon }) => ({ epsilon, delta: ZERO }),
  rho: ({ epsilon }) => boundedRangeKl(encloseDecimal(epsilon)),
  moment: ({ epsilon }) => (epsilon.isZero() ? () => exactly(0) : boundedRangeMoment(encloseDecimal(epsilon))),
  along: (mechanism, { times }) => ({ ...mechanism, epsilon: times(mechanism.epsilon) }),
  strength: ({ epsilon }) => ({ numerator: epsilon, denominator: ONE }),
  parameter: (mechanism) => varying(mechanism, 'epsilon'),
} satisfies MechanismRecord<BoundedRange>;

/**
 * d-approximate rho-zCDP: of two neighbours P = (1 - d) P' + d P'' and Q = (1 - d) Q' + d Q'' with P' and Q' rho-zCDP, so that
 * it is a post-processing of a rho-zCDP mechanism beside one that reveals everything with probability d. At distance k:
 * k^2 rho (Bun, Steinke 2016, Prop 1.9) where d is 0; P' depends on both neighbours, so that no path of them is one for it.
 *
 * Source: Bun, Steinke (2016), Definition 8.1; the post-processing is derived, and holds whatever was answered before.
 */
export const zcdp = {
  parameters: { rho: RHO, delta: DELTA },
  isZeroLoss: ({ rho, delta = ZERO }) => rho.isZero() && delta.isZero(),
  rho: ({ rho }) => encloseDecimal(rho),
  moment: ({ rho }) => zcdpMoment(encloseDecimal(rho)),
  along: (mechanism, { timesSquare }) =>
    mechanism.delta?.gt(0) === true ? null : { ...mechanism, rho: timesSquare(mechanism.rho) },
  strength: ({ rho }) => ({ numerator: rho, denominator: ONE }),
  parameter: (mechanism) => varying(mechanism, 'rho'),
} satisfies MechanismRecord<Zcdp>;

/** (infinity, e)-Renyi DP is (e, 0)-DP: the e of that order; null where it is not given. */
export const pureEpsilonOfRdp = ({ orders }: Rdp): Decimal | null =>
  orders.find(({ alpha }) => !alpha.isFinite())?.epsilon ?? null;

/** Renyi DP at single orders, which has no rho; beyond distance 1 nothing is known. */
export const rdp = {
  parameters: { orders: 'orders' },
  isZeroLoss: ({ orders }) => orders.some(({ epsilon }) => epsilon.isZero()),
  moment: (mechanism) => {
    const [own, epsilon] = [rdpMoment(mechanism.orders), pureEpsilonOfRdp(mechanism)];
    if (epsilon === null) return own;
    const pure = pureDpMoment(encloseDecimal(epsilon));
    return (lambda) => minimum(own(lambda), pure(lambda));
  },
  parameter({ type, orders }) {
    const [only, ...more] = orders;
    const isOne = only !== undefined && more.length === 0;
    return {
      ...STEADY,
      name: isOne ? 'epsilon' : 'factor',
      value: isOne ? only.epsilon : ONE,
      isNoise: false,
      replaced: (value) => ({
        type,
        orders: orders.map(({ alpha, epsilon }) => ({ alpha, epsilon: isOne ? value : epsilon.times(value) })),
      }),
    };
  },
} satisfies MechanismRecord<Rdp>;

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
  parameters: { p: 'distribution', q: 'distribution', direction: DIRECTIONS },
  isZeroLoss: ({ p, q }) => p.every((mass, i) => mass.eq(q[i]!)),
  epsilonDelta,
  hasOwnPair: true,
  rho: (pair, kind) =>
    byItsLosses(pair, kind) ? finitePairRho(pair) : pureKl(encloseDecimal(epsilonDelta(pair).epsilon)),
  moment: (pair, kind) =>
    byItsLosses(pair, kind) ? finitePairMoment(pair) : pureDpMoment(encloseDecimal(epsilonDelta(pair).epsilon)),
} satisfies MechanismRecord<FinitePairMechanism>;
