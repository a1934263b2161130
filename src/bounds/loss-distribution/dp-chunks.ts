import { binomialWindow } from '../../numeric/binomial.ts';
import { composeAtoms, noLoss, type LossAtoms } from '../../numeric/loss-atoms.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { PureGroup } from '../../privacy/pure.ts';
import { tiltGroup } from '../../privacy/randomized-response.ts';
import { discretiseUpward, observeCells } from '../../numeric/lattice/discretise.ts';
import type { SinglePair } from '../../privacy/single-pair.ts';
import type { ListedLosses } from './few-combinations.ts';
import type { ApproximateLogMoment } from '../core/moment-curve.ts';

/** The losses (c - 2i) e of one group, i the number of responses that came out "-", where they matter. */
function atomsOfGroup(group: PureGroup, tilt: number): LossAtoms {
  const { minus, logScale } = tiltGroup(group, tilt);
  const { first, weights, relativeError, leak } = binomialWindow(group.count, minus);
  const e = group.epsilon.toNumber();
  const losses = weights.map((_, i) => (group.count - 2 * (first + i)) * e);
  const largest = Math.max(Math.abs(losses[0]!), Math.abs(losses.at(-1)!));
  return { losses, weights, tilt, logScale, lossError: 2 * U * largest, relativeError, leak };
}

/** How many atoms a group has, before any are left out. */
const atomCount = ({ count }: PureGroup): number => count + 1;

/** Every combination of the groups' losses: their number is the product of the groups'. */
export function atomsOfRandomizedResponses(groups: readonly PureGroup[], tilt: number): LossAtoms {
  return groups.map((group) => atomsOfGroup(group, tilt)).reduce(composeAtoms, noLoss(tilt));
}

/** The most combinations a pack lists; fewer where there are many packs, so that all of them stay within memory. */
const CHUNK_ATOMS = 2 ** 14;
const ALL_ATOMS = 2 ** 22;

/** The largest (1 + 2 tilt) e for which tilted randomized responses do not underflow. */
const LARGEST_SHARPENED = 600;

/** Packs groups into lists of about equal size, of at most CHUNK_ATOMS combinations each (a larger group stands alone). */
function pack(groups: readonly PureGroup[]): PureGroup[][] {
  const total = groups.reduce((sum, group) => sum + Math.log2(atomCount(group)), 0);
  const atomLimit = Math.max(2 ** 6, Math.min(CHUNK_ATOMS, (ALL_ATOMS * 12) / Math.max(1, total)));
  const large = groups.filter((group) => atomCount(group) > atomLimit);
  const small = groups.filter((group) => atomCount(group) <= atomLimit);
  const bits = small.reduce((sum, group) => sum + Math.log2(atomCount(group)), 0);
  const share = bits / Math.max(1, Math.ceil(bits / (Math.log2(atomLimit) - 1)));
  const packs: PureGroup[][] = [];
  let filled = Infinity;
  for (const group of small) {
    const more = Math.log2(atomCount(group));
    if (filled + more / 2 > share) {
      packs.push([]);
      filled = 0;
    }
    packs.at(-1)!.push(group);
    filled += more;
  }
  return [...large.map((group) => [group]), ...packs];
}

/** About ln E[e^(tilt L)] of randomized responses. */
function responsesLogMoment(groups: readonly PureGroup[]): ApproximateLogMoment {
  const doubles = groups.map(({ epsilon, count }) => ({ e: epsilon.toNumber(), count }));
  return (tilt) =>
    doubles.reduce((sum, { e, count }) => {
      const ratio = Math.log1p(Math.exp(-(1 + 2 * tilt) * e)) - Math.log1p(Math.exp(-e));
      return sum + count * (tilt * e + ratio);
    }, 0);
}

/** The largest tilt that randomized responses of these parameters bear. */
function largestTiltOf(groups: readonly PureGroup[]): number {
  const largest = Math.max(...groups.map(({ epsilon }) => epsilon.toNumber()));
  return Math.max(1e-6, (LARGEST_SHARPENED / largest - 1) / 2);
}

/** Equal randomized responses, listed. */
export const listedResponses = (group: PureGroup): ListedLosses => ({
  size: atomCount(group),
  atoms: (tilt) => atomsOfRandomizedResponses([group], tilt),
  logMoment: responsesLogMoment([group]),
  largestTilt: largestTiltOf([group]),
});

/** Randomized responses in packs whose losses can be listed, each pack a pair of its own. */
export function chunkPairs(groups: readonly PureGroup[]): SinglePair[] {
  return pack(groups).map((chunk) => ({
    approximateLogMoment: responsesLogMoment(chunk),
    largestTilt: largestTiltOf(chunk),
    largestAtom: chunk.reduce((sum, { epsilon, count }) => sum + epsilon.toNumber() * count, 0),
    deviation: Math.sqrt(chunk.reduce((sum, { epsilon, count }) => sum + count * epsilon.toNumber() ** 2, 0)),
    discretise(tilt, step) {
      const atoms = atomsOfRandomizedResponses(chunk, tilt);
      return { above: discretiseUpward(atoms, step), ...observeCells(atoms, step) };
    },
  }));
}
