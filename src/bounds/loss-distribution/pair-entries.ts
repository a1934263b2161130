import { ZERO, type Decimal } from '../../numeric/decimal.ts';
import { exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { squareRoot, add, multiply, divide, times } from '../../numeric/enclosure-arithmetic.ts';
import { failureProbability, type Failure } from '../../privacy/failure.ts';
import { oneWay, otherWay, symmetrised, type SplitPair } from '../../privacy/finite-pair.ts';
import { gaussianPair } from '../../privacy/gaussian.ts';
import { laplacePair, laplaceTransform, logAtomsOfLaplace } from '../../privacy/laplace.ts';
import type { Entry, FinitePairMechanism, Laplace, Sampled, SampledBase } from '../../privacy/mechanism.ts';
import { mechanismKey } from '../../privacy/mechanism-key.ts';
import { groupEqual, type PureGroup } from '../../privacy/pure.ts';
import type { ComposedLoss } from '../../numeric/contour/composed-loss.ts';
import { Rational } from '../../numeric/rational.ts';
import { rationalOf, type SampleGroup } from '../../privacy/sampling/rate.ts';
import {
  blocksOf,
  isAllocation,
  muSquaredOfBatch,
  sizesOf,
  type RandomAllocation,
} from '../../privacy/sampling/random-allocation.ts';
import { isCovered } from '../../privacy/sampling/sampled-moment.ts';
import { isSeveral, mostDrawn, reachOfRecords } from '../../privacy/sampling/several-records.ts';
import type { Direction } from '../../privacy/sampling/sampled-law.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import type { SinglePair } from '../../privacy/single-pair.ts';
import type { PairGroup } from './discretised-method.ts';
import type { Session } from '../core/session.ts';
import { chunkPairs } from './dp-chunks.ts';
import type { ListedLosses } from './few-combinations.ts';
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
import {
  type Alike,
  type AlikeAllocated,
  composedLoss,
  listed,
  ofAllocation,
  ofDiscreteGaussian,
  ofDiscreteLaplace,
  ofResponse,
  ofSampled,
  rational,
} from './alike-losses.ts';
import { ofRandomizedResponse, ofShuffledReports, reportsCurve, type ReportsPair } from './local-reports.ts';
import { onceCurve, oneSampleCurve } from './single-mechanism.ts';

/**
 * Which way round the neighbours stand for finite pairs. dominating: both at once, by the symmetric curve; revealing:
 * for those of either direction the way that reveals more, for the others forward.
 */
export type Way = 'dominating' | 'forward' | 'backward' | 'revealing';

/** The way of finite pairs, the direction in which samples change, and the pairs of shuffled reports; absent: the dominating ones. */
export interface Ways {
  readonly way: Way;
  readonly direction: Direction;
  readonly reports?: ReportsPair;
}

/** Finite pairs both ways at once, no samples. */
export const DOMINATING: Ways = { way: 'dominating', direction: 'remove' };

/** The dominating pairs of a composition, with the probability that one of them reveals everything. */
export interface Pairs {
  /** Names them in a session. */
  readonly key: () => string;
  /** On lattices, random allocations by these pairs or by those of sums of batches. */
  readonly groups: (session: Session, pairOf?: (allocated: AlikeAllocated) => SinglePair) => readonly PairGroup[];
  /** By their moments. */
  readonly loss: (session?: Session) => ComposedLoss;
  /** The same with other losses in place of the random allocations. */
  readonly lossWith: (parts: readonly Omit<Alike, 'pair'>[], session: Session) => ComposedLoss;
  /** The same as if it were known in which batches the record is: that has at least the curve of random allocations. */
  readonly lossOfChoices: (session?: Session) => ComposedLoss;
  /** Mechanisms whose losses have a bound apart from noise on samples, or on all records; null without either, or with others. */
  readonly apart: { readonly bounded: () => Pairs; readonly others: (neighbors: 'own' | 'swapped') => Pairs } | null;
  /** One by one; null where some are not listed, or too many. */
  readonly listed: () => readonly ListedLosses[] | null;
  readonly hasSamples: boolean;
  /** Random allocations, whose lattices leave out a probability of infinite losses. */
  readonly allocated: readonly AlikeAllocated[];
  /** Where there is only one epoch of it, of one batch: that. */
  readonly single: AlikeAllocated['single'];
  /** Shuffled reports, whose losses stand in cells. */
  readonly hasReports: boolean;
  /** The mechanisms on samples, where there are no others; else null. */
  readonly samples: readonly SampleGroup[] | null;
  /** Where there is only one, and its curve has a closed form: that. */
  readonly alone: FiniteLossCurve | null;
  /** Where all are equal Laplace noise: that. */
  readonly laplace: PureGroup | null;
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

/** The mechanism of a sample that has every record. */
function ofAll(mechanism: Sampled): Exclude<SampledBase, FinitePairMechanism> {
  const { of } = mechanism;
  if (of.type === 'finite-pair') throw new Error('A finite pair of all records was taken out of its sample.');
  if (!isSeveral(mechanism) || of.type !== 'gaussian') return of;
  return { ...of, sensitivity: of.sensitivity.times(reachOfRecords(mechanism)) };
}

/** The mechanism itself where its sample has every record; finite pairs keep their order of neighbours as samples do. */
function ofAllRecords(entry: Entry<WithPair>): Entry<WithPair> {
  const { mechanism } = entry;
  if (mechanism.type !== 'sampled' || mechanism.of.type === 'finite-pair') return entry;
  // One that is in all batches has as many mechanisms on all records.
  const count = entry.count * (isAllocation(mechanism) ? sizesOf(mechanism).selected : 1);
  if (!Number.isSafeInteger(count)) return entry;
  return isCovered(mechanism) && rationalOf(mechanism.rate).equals(Rational.ONE)
    ? { ...entry, count, mechanism: ofAll(mechanism) }
    : entry;
}

const ofGaussians = (entry: Entry): Enclosure => multiply(exactly(2 * entry.count), gaussianRho(entry) ?? exactly(0));

/**
 * Epochs of random allocation: blocks of one batch are Gaussian mechanisms, and so is the mean of the noise of every other block;
 * what else a block is has no Gaussian part.
 */
function ofAllocations(mechanism: RandomAllocation, direction: Direction, count: number) {
  let muSquared = exactly(0);
  let plain: Enclosure | null = null;
  const allocated: AlikeAllocated[] = [];
  for (const { batches, count: blocks } of blocksOf(mechanism)) {
    const share = multiply(muSquaredOfBatch(mechanism), divide(exactly(count * blocks), exactly(batches)));
    muSquared = add(muSquared, share);
    if (batches === 1) plain = plain ? add(plain, share) : share;
    else allocated.push(ofAllocation(muSquaredOfBatch(mechanism), batches, direction, count * blocks));
  }
  return { muSquared, plain, allocated };
}

/** The only epoch where there are so many others and no Gaussian noise. */
const singleOf = (allocated: Pairs['allocated'], others: number, plain: Enclosure): Pairs['single'] =>
  others === 0 && !(plain.upper > 0) && allocated.length === 1 ? allocated[0]!.single : null;

/** A finite pair, one way. */
function ofFinitePair(
  pair: FinitePairMechanism,
  way: Way,
  count: number,
): Alike & Pick<SplitPair, 'failure' | 'largest'> {
  const { failure, finite, transform, largest } = split(pair, way);
  return {
    count,
    pair: () => finite,
    transform: () => transform,
    outcomes: transform.terms ?? Infinity,
    lattice: null,
    failure,
    largest,
  };
}

/** Laplace noise; its atoms apart. */
function ofLaplace(mechanism: Laplace, count: number): Alike {
  const e = pureEpsilon(mechanism);
  const [sensitivity, scale] = [rational(mechanism.sensitivity), rational(mechanism.scale)];
  // A quotient that does not end has a lattice with others all the same.
  const exact = sensitivity === null || scale === null ? null : sensitivity.over(scale);
  return {
    count,
    pair: () => laplacePair(e),
    transform: () => laplaceTransform(e.toNumber()),
    lattice: null,
    atoms: { ...ofResponse({ epsilon: e, count }, exact), logShare: () => logAtomsOfLaplace(e.toNumber()) },
  };
}

type Noise = Extract<
  WithPair,
  { readonly type: 'laplace' | 'discrete-laplace' | 'discrete-gaussian' | 'randomized-response' }
>;

/** Noise and responses that are the same for both orders of neighbors. */
function ofNoise(mechanism: Noise, count: number): Alike {
  switch (mechanism.type) {
    case 'laplace':
      return ofLaplace(mechanism, count);
    case 'discrete-laplace':
      return ofDiscreteLaplace(mechanism.scale, mechanism.sensitivity.toNumber(), count);
    case 'discrete-gaussian':
      return ofDiscreteGaussian(mechanism, count);
    case 'randomized-response':
      return ofRandomizedResponse(mechanism, count);
  }
}

/** Their largest loss; null where there is none. */
function largestOfNoise(mechanism: Noise): Decimal | null {
  if (mechanism.type === 'randomized-response') return mechanism.epsilon;
  return mechanism.type === 'discrete-gaussian' ? null : pureEpsilon(mechanism);
}

const laplaceOf = (entry: Entry<WithPair> | undefined): Pairs['laplace'] =>
  entry?.mechanism.type === 'laplace' ? { epsilon: pureEpsilon(entry.mechanism), count: entry.count } : null;

const keyOf = ({ mechanism, count }: Entry<WithPair>): string => `${mechanismKey(mechanism)}*${count}`;

/** The curve of one mechanism in closed form; null where it has none. */
function curveAlone(mechanism: WithPair, direction: Direction, reports: ReportsPair): FiniteLossCurve | null {
  if (mechanism.type === 'sampled') return oneSampleCurve(mechanism, direction);
  return mechanism.type === 'shuffled-reports' ? reportsCurve(mechanism, reports) : onceCurve(mechanism);
}

/** The curves of one mechanism, and of equal Laplace noise, if there is nothing else. */
function curvesOfOne(
  entries: readonly Entry<WithPair>[],
  direction: Direction,
  reports: ReportsPair,
): Pick<Pairs, 'alone' | 'laplace'> {
  const [only, ...more] = entries.filter(({ mechanism }) => !isZeroLoss(mechanism));
  if (more.length > 0) return { alone: null, laplace: null };
  return { alone: only?.count === 1 ? curveAlone(only.mechanism, direction, reports) : null, laplace: laplaceOf(only) };
}

/** Losses composed with others, with responses and with Gaussian noise. */
const composer =
  (others: readonly Omit<Alike, 'pair'>[], pure: readonly PureGroup[]) =>
  (parts: readonly Omit<Alike, 'pair'>[], muSquared: Enclosure, session?: Session): ComposedLoss =>
    composedLoss([...others, ...parts, ...pure.map((group) => ofResponse(group))], muSquared, session);

/** Whether its losses have a bound, and are not those of a sample. */
const isPlainlyBounded = ({ mechanism }: Entry<WithPair>): boolean =>
  isResponse(mechanism) ||
  mechanism.type === 'finite-pair' ||
  mechanism.type === 'laplace' ||
  mechanism.type === 'discrete-laplace' ||
  mechanism.type === 'randomized-response';

/** Whether it is noise on samples or on all records, of which one direction is the other with the neighbors swapped. */
const isSwapped = ({ mechanism }: Entry<WithPair>): boolean =>
  mechanism.type === 'gaussian' ||
  mechanism.type === 'gdp' ||
  mechanism.type === 'discrete-gaussian' ||
  mechanism.type === 'sampled';

/** Those of which the first is so apart from those of which the second is; null where either are none, or where there are others. */
function apartOf(entries: readonly Entry<WithPair>[], ways: Ways): Pairs['apart'] {
  const bounded = entries.filter(isPlainlyBounded);
  const others = entries.filter(isSwapped);
  if (bounded.length === 0 || others.length === 0 || bounded.length + others.length < entries.length) return null;
  const direction = ways.direction === 'remove' ? 'add' : 'remove';
  return {
    bounded: () => pairsOf(bounded, ways),
    others: (neighbors) => pairsOf(others, neighbors === 'own' ? ways : { ...ways, direction }),
  };
}

/**
 * Every entry as a pair: (e, d)-DP as randomized responses and a failure d, all Gaussian noise as one Gaussian, Laplace
 * and discrete noise and finite pairs as themselves.
 */
export function pairsOf(written: readonly Entry<WithPair>[], { way, direction, reports = 'above' }: Ways): Pairs {
  const entries = written.map(ofAllRecords);
  const responses: PureGroup[] = [];
  const others: Alike[] = [];
  const samples: SampleGroup[] = [];
  const failures: { delta: Decimal; count: number; lowerDelta?: Decimal }[] = [];
  let muSquared = exactly(0);
  /** That of Gaussian mechanisms alone; pairs of allocations have their share in them. */
  let plain = exactly(0);
  /** That of the batches that a record is in. */
  let ofChoices = exactly(0);
  const allocated: AlikeAllocated[] = [];
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
    if (mechanism.type === 'sampled' && isAllocation(mechanism)) {
      const parts = ofAllocations(mechanism, direction, count);
      muSquared = add(muSquared, parts.muSquared);
      // Zero and zero add up to a little more, a Gaussian mechanism that no lattice holds.
      if (parts.plain) plain = add(plain, parts.plain);
      allocated.push(...parts.allocated);
      ofChoices = add(ofChoices, times(count * sizesOf(mechanism).selected, muSquaredOfBatch(mechanism)));
      continue;
    }
    if (mechanism.type === 'sampled') {
      const { failure, rates, ...loss } = ofSampled(mechanism, direction, count);
      failures.push({ ...failure, count });
      others.push(loss);
      samples.push({ rates, count: count * mostDrawn(mechanism) });
      bounded(loss.largest, count);
      continue;
    }
    switch (mechanism.type) {
      case 'laplace':
      case 'discrete-laplace':
      case 'discrete-gaussian':
      case 'randomized-response':
        others.push(ofNoise(mechanism, count));
        bounded(largestOfNoise(mechanism), count);
        break;
      case 'shuffled-reports': {
        const { leak, ...losses } = ofShuffledReports(mechanism, reports, count);
        // One alone has a curve without cells.
        if (!(entries.length === 1 && count === 1)) failures.push({ delta: leak(), lowerDelta: ZERO, count });
        others.push(losses);
        bounded(mechanism.localEpsilon, count);
        break;
      }
      case 'gaussian':
      case 'gdp':
        muSquared = add(muSquared, ofGaussians(entry));
        plain = add(plain, ofGaussians(entry));
        ofChoices = add(ofChoices, ofGaussians(entry));
        break;
      case 'finite-pair': {
        const { failure, largest, ...losses } = ofFinitePair(mechanism, way, count);
        failures.push({ delta: failure, count });
        others.push(losses);
        bounded(largest, count);
        break;
      }
    }
  }
  const pure = groupEqual(responses);
  const composedWith = composer(others, pure);
  return {
    apart: samples.length + allocated.length > 0 ? apartOf(entries, { way, direction, reports }) : null,
    failure: failureProbability(failures),
    hasSamples: samples.length > 0 || allocated.length > 0,
    allocated,
    single: singleOf(allocated, others.length + pure.length, plain),
    hasReports: entries.some(({ mechanism }) => mechanism.type === 'shuffled-reports'),
    samples: samples.length === others.length && muSquared.upper === 0 && pure.length === 0 ? samples : null,
    ...curvesOfOne(entries, direction, reports),
    maximum: muSquared.upper > 0 ? null : maximum,
    key: () => [way, direction, reports, ...entries.map(keyOf)].join(' '),
    groups: (session, pairOf = ({ paired }) => paired(session).pair) => [
      ...others.map(({ pair, count }) => ({ pair: pair(), count })),
      ...allocated.map((one) => ({ pair: pairOf(one), count: one.count })),
      ...(plain.upper > 0 ? [{ pair: gaussianPair(squareRoot(plain)), count: 1 }] : []),
      ...(pure.length > 0 ? chunkPairs(pure).map((pair) => ({ pair, count: 1 })) : []),
    ],
    listed: () => (muSquared.upper > 0 ? null : listed(others, pure)),
    loss: (session) => composedWith(allocated, muSquared, session),
    lossWith: (parts, session) => composedWith(parts, muSquared, session),
    lossOfChoices: (session) => composedWith([], ofChoices, session),
  };
}
