import { Decimal } from '../../numeric/decimal.ts';
import { squareRoot, add, multiply } from '../../numeric/enclosure-arithmetic.ts';
import { exactly, midpoint, type Enclosure } from '../../numeric/enclosure.ts';
import { discreteGaussianPair } from '../../privacy/discrete-gaussian-pair.ts';
import { discreteLaplacePair } from '../../privacy/discrete-laplace-pair.ts';
import { failureProbability, type Failure } from '../../privacy/failure.ts';
import { oneWay, otherWay, symmetrised, type SplitPair } from '../../privacy/finite-pair.ts';
import { gaussianPair } from '../../privacy/gaussian-loss.ts';
import { laplacePair } from '../../privacy/laplace-pair.ts';
import type { DiscreteGaussian, Entry, FinitePairMechanism, Sampled } from '../../privacy/mechanism.ts';
import { mechanismKey } from '../../privacy/mechanism-key.ts';
import { groupEqual, type PureGroup } from '../../privacy/pure-group.ts';
import type { AtomicPart, ComposedLoss, LossLattice } from '../../numeric/contour/composed-loss.ts';
import type { Approximate } from '../../numeric/approximate.ts';
import type { LossTransform } from '../../numeric/contour/transform.ts';
import { encloseRational, Rational, roundedDecimal } from '../../numeric/rational.ts';
import { discreteGaussianTransform } from '../../privacy/transform/discrete-gaussian.ts';
import { discreteLaplaceTransform } from '../../privacy/transform/discrete-laplace.ts';
import { laplaceTransform, logAtomsOfLaplace } from '../../privacy/transform/laplace.ts';
import { responseTransform } from '../../privacy/transform/response.ts';
import { varianceOf } from '../../privacy/sigma-form.ts';
import { rationalOf } from '../../privacy/sampling/rate.ts';
import { isCovered } from '../../privacy/sampling/sampled-moment.ts';
import { largestSampledLoss } from '../../privacy/sampling/largest-loss.ts';
import { sampledLaw, logSurvivalOf, type Direction } from '../../privacy/sampling/sampled-law.ts';
import { sampledPair } from '../../privacy/sampling/sampled-pair.ts';
import { sampledTransform } from '../../privacy/sampling/sampled-transform.ts';
import type { SinglePair } from '../../privacy/single-pair.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import type { PairGroup } from './discretised-method.ts';
import { chunkPairs, listedResponses } from './dp-chunks.ts';
import { FEW_COMBINATIONS, type ListedLosses } from './few-combinations.ts';
import type { LawGroup } from './mesh-curve.ts';
import { oneSampleCurve } from './one-sample.ts';
import { combinationsOf, powerOfAtoms } from '../../numeric/loss-atoms.ts';
import {
  epsilonDeltaOf,
  gaussianRho,
  isResponse,
  isZeroLoss,
  pureEpsilon,
  RESPONSES,
  typesWith,
  type MechanismWith,
  type Response,
} from '../../privacy/mechanisms/records.ts';

/**
 * Which way round the neighbours stand for finite pairs. dominating: both at once, by the symmetric curve; revealing:
 * for those of either direction the way that reveals more, for the others forward.
 */
export type Way = 'dominating' | 'forward' | 'backward' | 'revealing';

/** The way of finite pairs, and the direction in which samples change. */
export interface Ways {
  readonly way: Way;
  readonly direction: Direction;
}

/** Finite pairs both ways at once, no samples. */
export const DOMINATING: Ways = { way: 'dominating', direction: 'remove' };

/** The dominating pairs of a composition, with the probability that one of them reveals everything. */
export interface Pairs {
  /** Names them in a session. */
  readonly key: () => string;
  /** On lattices. */
  readonly groups: () => readonly PairGroup[];
  /** By their moments. */
  readonly loss: () => ComposedLoss;
  /** One by one; null where some are not listed, or too many. */
  readonly listed: () => readonly ListedLosses[] | null;
  /** The laws of mechanisms on samples, where there are no others; else null. */
  readonly laws: readonly LawGroup[] | null;
  /** Where the only one is noise on one sample, and its curve has a closed form: that. */
  readonly oneSample: FiniteLossCurve | null;
  readonly failure: Failure;
  /** No finite loss exceeds this; null where losses are unbounded. */
  readonly maximum: Decimal | null;
}

/** Types that have one dominating pair. */
export const WITH_OWN_PAIR = typesWith('hasOwnPair');

/** Mechanisms that have one dominating pair, or (bounded range, by its pure guarantee) are dominated by one. */
export type WithPair = Response | MechanismWith<'hasOwnPair'>;

export const WITH_PAIR: readonly WithPair['type'][] = [...RESPONSES, ...WITH_OWN_PAIR];

function split(pair: FinitePairMechanism, way: Way): SplitPair {
  if (way === 'backward') return otherWay(pair);
  if (way === 'revealing' && pair.direction === 'either') {
    const [there, back] = [oneWay(pair), otherWay(pair)];
    const byFailure = there.failure.cmp(back.failure);
    return byFailure > 0 || (byFailure === 0 && there.largest.gte(back.largest)) ? there : back;
  }
  return way !== 'dominating' || pair.direction === 'fixed' ? oneWay(pair) : symmetrised(pair);
}

const ZERO = new Decimal(0);
/** Units of more digits than this are finer than any lattice that is worth its nodes. */
const MOST_DIGITS = 60;

/** Losses that are alike, seen both ways, each only where it is asked for. */
interface Alike {
  readonly count: number;
  readonly pair: () => SinglePair;
  readonly transform: () => LossTransform;
  /** How many losses one of them has at most; absent where they are not listed. */
  readonly outcomes?: number;
  /** The lattice of one of them; null where there is none. */
  readonly lattice: LossLattice | null;
  /** Where they have a density besides atoms: those, and ln of their share. */
  readonly atoms?: { readonly epsilon: Decimal; readonly logShare: () => Approximate };
}

const rational = (value: Decimal): Rational | null =>
  value.precision() > MOST_DIGITS ? null : Rational.ofDecimal(value);

const lattice = (unit: Rational | undefined, offset: Rational | undefined): LossLattice | null =>
  unit === undefined || offset === undefined ? null : { unit, offset };

/** The lattice of a sum; null where one of the losses has none. */
function sumOfLattices(parts: readonly Pick<Alike, 'lattice' | 'count'>[]): LossLattice | null {
  let sum: LossLattice | null = null;
  for (const { lattice: one, count } of parts) {
    if (one === null) return null;
    const offset = one.offset.times(Rational.of(count));
    sum =
      sum === null ? { ...one, offset } : { unit: sum.unit.commonDivisor(one.unit), offset: sum.offset.plus(offset) };
  }
  return sum;
}

/** Randomized response: losses e and -e. */
const ofResponse = ({ epsilon, count }: PureGroup): Omit<Alike, 'pair'> => {
  const e = rational(epsilon);
  return {
    count,
    transform: () => responseTransform(epsilon.toNumber()),
    lattice: lattice(e?.plus(e), e ?? undefined),
  };
};

/** Randomized responses alone. */
export const lossOfResponses = (groups: readonly PureGroup[]): ComposedLoss =>
  composedLoss(groups.map(ofResponse), exactly(0));

/** Losses (s - 2k) / scale. */
function ofDiscreteLaplace(scale: Decimal, s: number, count: number): Alike {
  const b = rational(scale);
  return {
    count,
    pair: () => discreteLaplacePair(scale, s),
    outcomes: s + 1,
    transform: () => discreteLaplaceTransform(new Decimal(1).div(scale).toNumber(), s),
    lattice: lattice(b === null ? undefined : Rational.of(2).over(b), b === null ? undefined : Rational.of(s).over(b)),
  };
}

/** Losses (s^2 - 2sk) / (2 sigma^2). */
function ofDiscreteGaussian(noise: DiscreteGaussian, count: number): Alike {
  const s = noise.sensitivity.toNumber();
  const variance = varianceOf(noise);
  const isShort = String(variance.numerator).length + String(variance.denominator).length <= 2 * MOST_DIGITS;
  const over = (x: number): Rational | undefined => (isShort ? Rational.of(x).over(variance) : undefined);
  return {
    count,
    pair: () => discreteGaussianPair(noise.sigma.toNumber(), s),
    transform: () => discreteGaussianTransform(midpoint(encloseRational(variance)), s),
    lattice: lattice(over(s), over(s * s)?.over(Rational.of(2))),
  };
}

/** A mechanism on a sample, in one direction; the entries are known to be covered. */
function ofSampled(
  mechanism: Sampled,
  direction: Direction,
  count: number,
): Alike & {
  readonly failure: { readonly delta: Decimal; readonly least: Decimal };
  readonly law: LawGroup;
  readonly largest: Decimal | null;
} {
  const law = sampledLaw(mechanism, direction);
  if (law === null) throw new Error('A sampled mechanism without a law was composed.');
  const { failure, atoms, parts } = law;
  const survival = logSurvivalOf(law);
  return {
    count,
    pair: () => sampledPair(law, survival),
    transform: () => sampledTransform(law, mechanism, direction, survival),
    ...(parts.length === 0 ? { outcomes: atoms.length } : {}),
    lattice: null,
    failure: {
      delta: roundedDecimal(failure.upper, MOST_DIGITS, 'up'),
      least: roundedDecimal(failure.lower, MOST_DIGITS, 'down'),
    },
    law: { law, logSurvival: survival, count },
    largest: largestSampledLoss(mechanism, direction),
  };
}

/** Atoms of a smaller share than this are not worth a sum of their own. */
const LEAST_SHARE = 1e-12;

const asLoss = (all: readonly Omit<Alike, 'pair'>[], muSquared: Enclosure): ComposedLoss => ({
  groups: all.map(({ transform, count }) => ({ transform: transform(), count })),
  muSquared,
  lattice: muSquared.upper > 0 ? null : sumOfLattices(all),
  atoms: null,
});

/** The part of the loss where those that have a density besides atoms come out at these; null where it is on no lattice, or small. */
function atomicPart(all: readonly Omit<Alike, 'pair'>[], muSquared: Enclosure): AtomicPart | null {
  if (muSquared.upper > 0 || all.every(({ atoms }) => atoms === undefined)) return null;
  const shares = all.flatMap(({ atoms, count }) => {
    const share = atoms?.logShare();
    return share === undefined ? [] : [{ value: count * share.value, error: count * share.error }];
  });
  const logShare = {
    value: shares.reduce((sum, { value }) => sum + value, 0),
    error:
      shares.reduce((sum, { value, error }) => sum + error + 4e-16 * Math.abs(value), 0) * (1 + shares.length * 1e-15),
  };
  if (logShare.value < Math.log(LEAST_SHARE)) return null;
  const loss = asLoss(
    all.map((each) => (each.atoms ? ofResponse({ epsilon: each.atoms.epsilon, count: each.count }) : each)),
    muSquared,
  );
  return loss.lattice === null ? null : { loss, logShare };
}

const composedLoss = (all: readonly Omit<Alike, 'pair'>[], muSquared: Enclosure): ComposedLoss => ({
  ...asLoss(all, muSquared),
  atoms: atomicPart(all, muSquared),
});

function listed(others: readonly Alike[], pure: readonly PureGroup[]): readonly ListedLosses[] | null {
  const lists = pure.map(listedResponses);
  for (const { count, pair, outcomes } of others) {
    const size = outcomes === undefined ? Infinity : combinationsOf(outcomes, count);
    if (!(size <= FEW_COMBINATIONS)) return null;
    const { atoms, approximateLogMoment, largestTilt } = pair();
    if (atoms === undefined) return null;
    lists.push({
      size,
      atoms: (tilt) => powerOfAtoms(atoms(tilt), count),
      logMoment: (tilt) => count * approximateLogMoment(tilt),
      largestTilt,
    });
  }
  return lists;
}

/** The mechanism itself where its sample has every record; finite pairs keep their order of neighbours as samples do. */
function ofAllRecords(entry: Entry<WithPair>): Entry<WithPair> {
  const { mechanism } = entry;
  if (mechanism.type !== 'sampled' || mechanism.of.type === 'finite-pair') return entry;
  return isCovered(mechanism) && rationalOf(mechanism.rate).equals(Rational.ONE)
    ? { ...entry, mechanism: mechanism.of }
    : entry;
}

/**
 * Every entry as a pair: (e, d)-DP as randomized responses and a failure d, all Gaussian noise as one Gaussian, Laplace
 * and discrete noise and finite pairs as themselves.
 */
export function pairsOf(given: readonly Entry<WithPair>[], { way, direction }: Ways): Pairs {
  const entries = given.map(ofAllRecords);
  const responses: PureGroup[] = [];
  const others: Alike[] = [];
  const laws: LawGroup[] = [];
  const failures: { delta: Decimal; count: number; least?: Decimal }[] = [];
  let muSquared = exactly(0);
  let maximum: Decimal | null = ZERO;
  const bounded = (largest: Decimal | null, count: number): void => {
    maximum = maximum === null || largest === null ? null : maximum.plus(largest.times(count));
  };
  for (const entry of entries) {
    const { mechanism, count } = entry;
    if (isResponse(mechanism)) {
      const { epsilon, delta } = epsilonDeltaOf(mechanism);
      failures.push({ delta, count });
      responses.push({ epsilon, count });
      bounded(epsilon, count);
      continue;
    }
    // A rounded square would not be 0 any more.
    if (mechanism.type !== 'finite-pair' && isZeroLoss(mechanism)) continue;
    if (mechanism.type === 'sampled') {
      const { failure, law, ...one } = ofSampled(mechanism, direction, count);
      failures.push({ ...failure, count });
      others.push(one);
      laws.push(law);
      bounded(one.largest, count);
      continue;
    }
    switch (mechanism.type) {
      case 'laplace': {
        const e = pureEpsilon(mechanism);
        others.push({
          count,
          pair: () => laplacePair(e),
          transform: () => laplaceTransform(e.toNumber()),
          lattice: null,
          atoms: { epsilon: e, logShare: () => logAtomsOfLaplace(e.toNumber()) },
        });
        bounded(e, count);
        break;
      }
      case 'discrete-laplace':
        others.push(ofDiscreteLaplace(mechanism.scale, mechanism.sensitivity.toNumber(), count));
        bounded(pureEpsilon(mechanism), count);
        break;
      case 'gaussian':
      case 'gdp':
        muSquared = add(muSquared, multiply(exactly(2 * count), gaussianRho(entry) ?? exactly(0)));
        break;
      case 'discrete-gaussian':
        others.push(ofDiscreteGaussian(mechanism, count));
        maximum = null;
        break;
      case 'finite-pair': {
        const { failure, finite, transform, largest } = split(mechanism, way);
        failures.push({ delta: failure, count });
        others.push({
          count,
          pair: () => finite,
          transform: () => transform,
          outcomes: transform.terms ?? Infinity,
          lattice: null,
        });
        bounded(largest, count);
        break;
      }
    }
  }
  if (muSquared.upper > 0) maximum = null;
  const pure = groupEqual(responses);
  const [only, ...more] = entries.filter(({ mechanism }) => !isZeroLoss(mechanism));
  const isOne = only?.mechanism.type === 'sampled' && only.count === 1 && more.length === 0;
  return {
    failure: failureProbability(failures),
    laws: laws.length === others.length && muSquared.upper === 0 && pure.length === 0 ? laws : null,
    oneSample: isOne ? oneSampleCurve(only.mechanism, direction) : null,
    maximum,
    key: () =>
      [way, direction, ...entries.map(({ mechanism, count }) => `${mechanismKey(mechanism)}*${count}`)].join(' '),
    groups: () => [
      ...others.map(({ pair, count }) => ({ pair: pair(), count })),
      ...(muSquared.upper > 0 ? [{ pair: gaussianPair(squareRoot(muSquared)), count: 1 }] : []),
      ...(pure.length > 0 ? chunkPairs(pure).map((pair) => ({ pair, count: 1 })) : []),
    ],
    listed: () => (muSquared.upper > 0 ? null : listed(others, pure)),
    loss: () => composedLoss([...others, ...pure.map(ofResponse)], muSquared),
  };
}
