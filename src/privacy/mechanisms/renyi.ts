import { Decimal, encloseDecimal } from '../../numeric/decimal.ts';
import { minimum } from '../../numeric/enclosure-arithmetic.ts';
import { pureDpMoment, rdpMoment, zcdpMoment } from '../log-moment.ts';
import type { Rdp, Zcdp } from '../mechanism.ts';
import { STEADY, varying } from './common.ts';
import type { MechanismRecord } from './record.ts';

const [ZERO, ONE] = [new Decimal(0), new Decimal(1)];

/**
 * d-approximate rho-zCDP: of two neighbours P = (1 - d) P' + d P'' and Q = (1 - d) Q' + d Q'' with P' and Q' rho-zCDP, so that
 * it is a post-processing of a rho-zCDP mechanism beside one that reveals everything with probability d. At distance k:
 * k^2 rho (Bun, Steinke 2016, Prop 1.9) where d is 0; P' depends on both neighbours, so that no path of them is one for it.
 *
 * Source: Bun, Steinke (2016), Definition 8.1; the post-processing is derived, and holds whatever was answered before.
 */
export const zcdp = {
  parameters: { rho: 'at-least-0', delta: 'probability' },
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
