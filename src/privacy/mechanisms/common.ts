import { Decimal } from '../../numeric/decimal.ts';
import type { Mechanism } from '../mechanism.ts';
import type { Parameter, ParameterName, Path } from './record.ts';

/** Properties of most parameters. */
export const STEADY = { isSteady: true, smallest: new Decimal('1e-300'), largest: new Decimal('1e300') };

/** The parameter of a mechanism that stands under a key, by default its name. */
export const varying = <M extends Mechanism>(
  mechanism: M,
  name: ParameterName,
  key = name as string & keyof M,
): Parameter => ({
  ...STEADY,
  name,
  value: mechanism[key] as Decimal,
  isNoise: name === 'scale' || name === 'sigma',
  replaced: (value) => ({ ...mechanism, [key]: value }),
});

/** Noise on a statistic. */
interface OnStatistic {
  readonly sensitivity: Decimal;
}

/** Members of all noise on a statistic: at distance k it moves at most k times as far (triangle inequality). */
export const noise = {
  isZeroLoss: ({ sensitivity }: OnStatistic) => sensitivity.isZero(),
  hasOwnPair: true,
  along: <M extends OnStatistic>(mechanism: M, { times }: Path): M => ({
    ...mechanism,
    sensitivity: times(mechanism.sensitivity),
  }),
} as const;

/** The same where the statistic is in whole numbers. */
export const discreteNoise = {
  ...noise,
  along<M extends OnStatistic>(mechanism: M, { whole }: Path): M | null {
    const sensitivity = whole(mechanism.sensitivity);
    return sensitivity && { ...mechanism, sensitivity };
  },
} as const;
