import { type Decimal, ONE } from '../../numeric/decimal.ts';
import { type Approximate, type Enclosure, exactly, midpoint } from '../../numeric/enclosure.ts';
import {
  discreteGaussianPair,
  discreteLaplacePair,
  discreteGaussianTransform,
  discreteLaplaceTransform,
} from '../../privacy/discrete.ts';
import type { DiscreteGaussian, Sampled } from '../../privacy/mechanism.ts';
import { type PureGroup } from '../../privacy/pure.ts';
import {
  withOutline,
  type AtomicPart,
  type ComposedLoss,
  type LossLattice,
} from '../../numeric/contour/composed-loss.ts';
import type { LossTransform } from '../../numeric/contour/transform.ts';
import { encloseRational, Rational, roundedDecimal } from '../../numeric/rational.ts';
import { responseTransform } from '../../privacy/randomized-response.ts';
import { varianceOf } from '../../privacy/gaussian.ts';
import { largestSampledLoss } from '../../privacy/sampling/largest-loss.ts';
import type { Watch } from '../../numeric/watch.ts';
import { allocationLaw } from '../../privacy/sampling/random-allocation.ts';
import {
  allocationLaws,
  allocationPair,
  type AllocationLaws,
  type AllocationPair,
} from '../../privacy/sampling/allocation-pair.ts';
import { allocationTransform } from '../../privacy/sampling/allocation-transform.ts';
import { sampledLaw, logSurvivalOf, type Direction } from '../../privacy/sampling/sampled-law.ts';
import { sampledPair } from '../../privacy/sampling/sampled-pair.ts';
import { sampledTransform } from '../../privacy/sampling/sampled-transform.ts';
import { epochPair, type Places } from '../../privacy/sampling/epoch-pair.ts';
import { SingleEpoch } from '../../privacy/sampling/single-epoch.ts';
import { truncatedTransform, type Truncated } from '../../privacy/sampling/truncated-transform.ts';
import type { SinglePair } from '../../privacy/single-pair.ts';
import { Kept, Session } from '../core/session.ts';
import { mechanismKey } from '../../privacy/mechanism-key.ts';
import { listedResponses } from './dp-chunks.ts';
import { FEW_COMBINATIONS, type ListedLosses } from './few-combinations.ts';
import type { RateInDoubles } from '../../privacy/sampling/rate.ts';
import { combinationsOf, powerOfAtoms } from '../../numeric/loss-atoms.ts';

/** Units of more digits than this are finer than any lattice that is worth its nodes. */
const MOST_DIGITS = 60;

/** Losses that are alike, seen both ways, each only where it is asked for. */
export interface Alike {
  readonly count: number;
  readonly pair: () => SinglePair;
  readonly transform: (session: Session) => LossTransform;
  /** How many losses one of them has at most; absent where they are not listed. */
  readonly outcomes?: number;
  /** The lattice of one of them; null where there is none. */
  readonly lattice: LossLattice | null;
  /** Where they have a density besides atoms: those, and ln of their share. */
  readonly atoms?: Omit<Alike, 'pair'> & { readonly logShare: () => Approximate };
}

/** Exactly, where it is short. */
export const rational = (value: Decimal): Rational | null =>
  value.precision() > MOST_DIGITS ? null : Rational.ofDecimal(value);

const lattice = (unit: Rational | undefined, offset: Rational | undefined): LossLattice | null =>
  unit === undefined || offset === undefined ? null : { unit, offset };

/** The lattice of a sum; null where one of the losses has none. */
function sumOfLattices(parts: readonly Pick<Alike, 'lattice' | 'count'>[]): LossLattice | null {
  let sum: LossLattice | null = null;
  for (const { lattice: summand, count } of parts) {
    if (summand === null) return null;
    const offset = summand.offset.times(Rational.of(count));
    sum =
      sum === null
        ? { ...summand, offset }
        : { unit: sum.unit.commonDivisor(summand.unit), offset: sum.offset.plus(offset) };
  }
  return sum;
}

/** Randomized response: losses e and -e; `e` is exact, null where it is not known. */
export const ofResponse = ({ epsilon, count }: PureGroup, e = rational(epsilon)): Omit<Alike, 'pair'> => ({
  count,
  transform: () => responseTransform(epsilon.toNumber()),
  lattice: lattice(e?.plus(e), e ?? undefined),
});

/** Randomized responses alone. */
export const lossOfResponses = (groups: readonly PureGroup[]): ComposedLoss =>
  composedLoss(
    groups.map((group) => ofResponse(group)),
    exactly(0),
  );

/** Losses (s - 2k) / scale. */
export function ofDiscreteLaplace(scale: Decimal, s: number, count: number): Alike {
  const b = rational(scale);
  return {
    count,
    pair: () => discreteLaplacePair(scale, s),
    outcomes: s + 1,
    transform: () => discreteLaplaceTransform(ONE.div(scale).toNumber(), s),
    lattice: lattice(b === null ? undefined : Rational.of(2).over(b), b === null ? undefined : Rational.of(s).over(b)),
  };
}

/** Losses (s^2 - 2sk) / (2 sigma^2). */
export function ofDiscreteGaussian(noise: DiscreteGaussian, count: number): Alike {
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

/** What is known of the moments of one mechanism on a sample, which questions about any number of it share. */
const TRANSFORMS = new Kept<LossTransform>(8);

/** A mechanism on a sample, in one direction; the entries are known to be covered. */
export function ofSampled(
  mechanism: Sampled,
  direction: Direction,
  count: number,
): Alike & {
  readonly failure: { readonly delta: Decimal; readonly lowerDelta: Decimal };
  readonly rates: RateInDoubles;
  readonly largest: Decimal | null;
} {
  const law = sampledLaw(mechanism, direction);
  if (law === null) throw new Error('A sampled mechanism without a law was composed.');
  const { failure, atoms, parts } = law;
  const survival = logSurvivalOf(law);
  return {
    count,
    pair: () => sampledPair(law, survival),
    transform: (session) =>
      session.get(TRANSFORMS, `${direction} ${mechanismKey(mechanism)}`, () => sampledTransform(law, survival)),
    ...(parts.length === 0 ? { outcomes: atoms.length } : {}),
    lattice: null,
    failure: {
      delta: roundedDecimal(failure.upper, MOST_DIGITS, 'up'),
      lowerDelta: roundedDecimal(failure.lower, MOST_DIGITS, 'down'),
    },
    rates: law.rates,
    largest: largestSampledLoss(mechanism, direction),
  };
}

/** Equal blocks of random allocation, whose pair on lattices leaves out a probability of infinite losses. */
export interface AlikeAllocated extends Omit<Alike, 'pair'> {
  readonly batches: number;
  readonly direction: Direction;
  /** That of one batch. */
  readonly muSquared: Enclosure;
  /** Noise further out than so many deviations is left out. */
  readonly truncated: (session: Session, reach: number) => Truncated;
  readonly paired: (session: Session) => AllocationPair;
  /** The same from the curve of one epoch; null where that is not known. */
  readonly finelyPaired: (session: Session, places: Places, watch: Watch) => AllocationPair | null;
  /** Its curve where there is nothing else; null where that has no closed form above a cut. */
  readonly single: ((session: Session, work: number) => SingleEpoch) | null;
}

/** The two laws of blocks, which lattices of both directions share. */
const LAWS = new Kept<AllocationLaws>(8);

const TRUNCATED = new Kept<Truncated>(8);

const FINE = new Kept<{ readonly pair: AllocationPair | null }>(8);

const SINGLE = new Kept<SingleEpoch>(8);

/** One of so many batches, `count` times. */
export function ofAllocation(
  muSquared: Enclosure,
  batches: number,
  direction: Direction,
  count: number,
): AlikeAllocated {
  const law = allocationLaw(muSquared, batches);
  const key = `${law.muSquared} ${law.muError} ${batches}`;
  return {
    count,
    paired: (session) =>
      allocationPair(
        law,
        session.get(LAWS, key, () => allocationLaws(law)),
        direction,
      ),
    finelyPaired(session, places, watch) {
      if (direction !== 'remove') return null;
      const { step, upTo, enough } = places;
      return session.get(FINE, `${key} ${step} ${upTo} ${enough}`, () => ({ pair: epochPair(law, places, watch) }))
        .pair;
    },
    single:
      direction === 'remove' && count === 1
        ? (session, work) => session.get(SINGLE, `${key} ${work}`, () => new SingleEpoch(law, work))
        : null,
    batches,
    direction,
    muSquared,
    truncated: (session, reach) =>
      session.get(TRUNCATED, `${direction} ${key} ${reach}`, () => truncatedTransform(law, reach, direction)),
    transform: (session) => session.get(TRANSFORMS, `${direction} ${key}`, () => allocationTransform(law, direction)),
    lattice: null,
  };
}

/** Of atoms more units than these from 0 to the largest loss take more nodes than a smoothed sum. */
const MOST_UNITS = 2n ** 16n;
/** Atoms of a smaller share than this are not worth a sum of their own. */
const LEAST_SHARE = 1e-12;

const asLoss = (all: readonly Omit<Alike, 'pair'>[], muSquared: Enclosure, session: Session): ComposedLoss => ({
  groups: all.map(({ transform, count }) => ({ transform: transform(session), count })),
  muSquared,
  lattice: muSquared.upper > 0 ? null : sumOfLattices(all),
  atoms: null,
});

/** The part of the loss where those that have a density besides atoms come out at these; null where it is on no lattice, or small. */
function atomicPart(all: readonly Omit<Alike, 'pair'>[], muSquared: Enclosure, session: Session): AtomicPart | null {
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
    all.map((part) => part.atoms ?? part),
    muSquared,
    session,
  );
  if (loss.lattice === null) return null;
  const { numerator, denominator } = loss.lattice.offset.over(loss.lattice.unit);
  const isFine = numerator > MOST_UNITS * denominator;
  return { loss: isFine ? { ...loss, lattice: null } : loss, logShare };
}

export const composedLoss = (
  all: readonly Omit<Alike, 'pair'>[],
  muSquared: Enclosure,
  session = new Session(),
): ComposedLoss => withOutline({ ...asLoss(all, muSquared, session), atoms: atomicPart(all, muSquared, session) });

export function listed(others: readonly Alike[], pure: readonly PureGroup[]): readonly ListedLosses[] | null {
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
