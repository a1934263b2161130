import { multiply } from '../../numeric/enclosure-arithmetic.ts';
import { enclosure, type Enclosure, exactly } from '../../numeric/enclosure.ts';
import { RELATIONS, SAMPLING_SCHEMES, type Mechanism, type Sampled, type SampledBase } from '../mechanism.ts';
import { failureOfPair, swapped } from '../finite-pair.ts';
import { isCovered, sampledMoment } from '../sampling/sampled-moment.ts';
import { isAllocation, sizesOf } from '../sampling/random-allocation.ts';
import { rationalOf } from '../sampling/rate.ts';
import { reachOfRecords } from '../sampling/several-records.ts';
import { finitePair, dp } from './guarantees.ts';
import { discreteGaussian, gaussian, gdp, discreteLaplace, laplace } from './noise.ts';
import { BATCHES, DRAWS, RECORDS } from './parameters.ts';
import type { MechanismRecord, Parameter } from './record.ts';

type Type = SampledBase['type'];
type OfType<T extends Type> = Extract<SampledBase, { type: T }>;

const BASES = {
  gaussian,
  gdp,
  laplace,
  'discrete-laplace': discreteLaplace,
  'discrete-gaussian': discreteGaussian,
  'finite-pair': finitePair,
  dp,
} satisfies { readonly [T in Type]: MechanismRecord<OfType<T>> };

const baseRecord = <M extends SampledBase>({ type }: Pick<M, 'type'>): MechanismRecord<M> =>
  BASES[type] as unknown as MechanismRecord<M>;

/** Types of mechanisms that may be run on a sample. */
export const SAMPLED_BASES = Object.keys(BASES) as readonly Type[];

export const isSampledBase = (mechanism: Mechanism): mechanism is SampledBase =>
  SAMPLED_BASES.some((type) => type === mechanism.type);

const UNKNOWN = enclosure(0, Infinity);

/** Whether a finite pair has outcomes that only one side gives; (e, d)-DP is taken as a failure of d times the rate. */
const mayReveal = (of: SampledBase): boolean =>
  of.type === 'finite-pair' && !(failureOfPair(of).isZero() && failureOfPair(swapped(of)).isZero());

function parameterOfBase(mechanism: Sampled): Parameter | null {
  const { of } = mechanism;
  const parameter = baseRecord(of).parameter?.(of) ?? null;
  return (
    parameter && { ...parameter, replaced: (value) => ({ ...mechanism, of: parameter.replaced(value) as SampledBase }) }
  );
}

/**
 * A mechanism on a sample. Its rho is at most that of the mechanism on all data, as Renyi divergences are quasi-convex.
 * (e, d)-DP of rate q is that of its pure part but for a failure of q d: that has
 * the larger curve, in both directions.
 */
export const sampled = {
  parameters: {
    of: 'mechanism',
    scheme: SAMPLING_SCHEMES,
    rate: 'rate',
    batches: BATCHES,
    records: RECORDS,
    draws: DRAWS,
    neighbours: RELATIONS,
  },
  isZeroLoss: ({ of, rate }) => rationalOf(rate).isZero() || baseRecord(of).isZeroLoss(of),
  hasOwnPair: true,
  rho: (mechanism): Enclosure => {
    const { of } = mechanism;
    if (!isCovered(mechanism) || mayReveal(of)) return UNKNOWN;
    const whole = baseRecord(of).isZeroLoss(of) ? exactly(0) : (baseRecord(of).rho?.(of, 'noninteractive') ?? UNKNOWN);
    // Of k of t batches it is at most that of k Gaussian mechanisms.
    const times = isAllocation(mechanism) ? sizesOf(mechanism).selected : reachOfRecords(mechanism) ** 2;
    return enclosure(0, multiply(exactly(times), whole).upper);
  },
  moment: sampledMoment,
  parameter: parameterOfBase,
} satisfies MechanismRecord<Sampled>;
