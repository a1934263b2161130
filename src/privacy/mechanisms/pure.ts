import { Decimal, encloseDecimal } from '../../numeric/decimal.ts';
import { exactly } from '../../numeric/enclosure.ts';
import { boundedRangeKl } from '../bounded-range.ts';
import { boundedRangeMoment, pureDpMoment } from '../log-moment.ts';
import type { ApproximateDp, BoundedRange } from '../mechanism.ts';
import { pureKl } from '../pure.ts';
import { varying } from './common.ts';
import type { MechanismRecord } from './record.ts';

/** (e, d)-DP. At distance k: (k e, d sum_{i<k} e^(i e)) (Vadhan 2017, Lemma 2.2, by its proof). */
export const dp = {
  parameters: { epsilon: 'at-least-0', delta: 'probability' },
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

const [ZERO, ONE] = [new Decimal(0), new Decimal(1)];

/**
 * e-bounded range, which is e-DP. At distance k: k e, as the range of a sum of loss functions is at most the sum of their
 * ranges (derived).
 */
export const boundedRange = {
  parameters: { epsilon: 'at-least-0' },
  isZeroLoss: ({ epsilon }) => epsilon.isZero(),
  epsilonDelta: ({ epsilon }) => ({ epsilon, delta: ZERO }),
  rho: ({ epsilon }) => boundedRangeKl(encloseDecimal(epsilon)),
  moment: ({ epsilon }) => (epsilon.isZero() ? () => exactly(0) : boundedRangeMoment(encloseDecimal(epsilon))),
  along: (mechanism, { times }) => ({ ...mechanism, epsilon: times(mechanism.epsilon) }),
  strength: ({ epsilon }) => ({ numerator: epsilon, denominator: ONE }),
  parameter: (mechanism) => varying(mechanism, 'epsilon'),
} satisfies MechanismRecord<BoundedRange>;
