import { geometricLaw, geometricSum, type GeometricLaw, type LogDensity } from '../../numeric/lattice/convex-order.ts';
import { logNormalTail } from '../../numeric/normal.ts';
import type { LogAtom } from '../atoms-transform.ts';
import { atomicPair, type SinglePair } from '../single-pair.ts';
import type { Allocation } from './allocation-table.ts';
import type { Direction } from './sampled-law.ts';

/** Noise further out than so many deviations is left out: a probability of 4e-51. */
const REACH = 15;
/** About so many places the law of the half of an epoch has. */
const PLACES = 5000;
const [FINEST, COARSEST] = [0.006, 0.25];

/** One batch: ln Y is normal with variance mu^2 and mean -mu^2 / 2 under Q. */
function oneBatch({ muSquared }: Allocation): LogDensity {
  const mu = Math.sqrt(muSquared);
  const scale = 1 / (mu * Math.sqrt(2 * Math.PI));
  const rest = Math.exp(logNormalTail(REACH).upper);
  return {
    density: (u) => scale * Math.exp(-((u + muSquared / 2) ** 2) / (2 * muSquared)),
    steepness: (a, b) => (Math.max(Math.abs(a), Math.abs(b)) + muSquared) / muSquared + 4 / mu + 1,
    from: -muSquared / 2 - REACH * mu,
    to: muSquared / 2 + REACH * mu,
    below: rest,
    above: rest,
  };
}

/** The likelihood ratio of an epoch, larger and smaller in convex order than the true one. */
export interface AllocationLaws {
  readonly larger: GeometricLaw;
  readonly smaller: GeometricLaw;
}

/** About how many steps of the deviation of one half of an epoch its law is long. */
function lengthOf({ batches, muSquared }: Allocation): number {
  const mu = Math.sqrt(muSquared);
  const half = Math.max(1, batches / 2);
  return 2 * REACH + (Math.sqrt(half) / mu) * Math.log1p(Math.exp(REACH * mu) / half);
}

export function allocationLaws(law: Allocation): AllocationLaws {
  const share = Math.min(COARSEST, Math.max(FINEST, lengthOf(law) / PLACES));
  const of = (isLarger: boolean): GeometricLaw =>
    geometricSum(geometricLaw(oneBatch(law), share * Math.sqrt(law.muSquared), isLarger), law.batches);
  return { larger: of(true), smaller: of(false) };
}

/** The losses of a law in one direction, in descending order, with ln of their probabilities. */
function lossesOf({ masses, moments, first, step }: GeometricLaw, batches: number, direction: Direction): LogAtom[] {
  const logT = Math.log(batches);
  const ratios = [...masses.keys()].flatMap((i) => {
    const mass = masses[i]!;
    if (!(mass > 0)) return [];
    const logMass = Math.log(mass);
    const log = (moments ? Math.log(moments[i]!) - logMass : (first + i) * step) - logT;
    return Number.isFinite(log) ? [{ log, logMass }] : [];
  });
  const atoms = ratios.map(({ log, logMass }) =>
    direction === 'remove' ? { loss: log, logMass: logMass + log } : { loss: -log, logMass },
  );
  return atoms.sort((a, b) => b.loss - a.loss);
}

/** A pair with the probability of infinite losses that its upper end leaves out. */
export interface AllocationPair {
  readonly pair: SinglePair;
  readonly failure: number;
}

/** Upper ends by one pair, lower ends by another. */
export const pairBetween = (above: SinglePair, below: SinglePair): SinglePair => ({
  ...above,
  largestAtom: null,
  largestTilt: Math.min(above.largestTilt, below.largestTilt),
  discretise(tilt, step) {
    const { own, other } = below.discretise(tilt, step);
    return { above: above.discretise(tilt, step).above, own, other };
  },
});

/**
 * The pair of an epoch of one of several batches from both sides. A removal has the curve E_Q[(M - e^eps)+], an addition
 * E_Q[(1 - e^eps M)+]: expectations of convex functions of M, and of each factor of a product of such. So M is replaced by a variable that
 * is larger, and by one that is smaller in convex order; there is no quadrature in M at all, and both ends are within O(step^2).
 *
 * Source: derived; convex order and sums: Shaked, Shanthikumar, Stochastic Orders (2007), Theorem 3.A.12.
 */
export function allocationPair(
  law: Allocation,
  { larger, smaller }: AllocationLaws,
  direction: Direction,
): AllocationPair {
  const { batches, muSquared, muError } = law;
  // An error of mu moves every x^2 mu^2 by as much, and so ln Y.
  const moved = (4 * REACH * Math.sqrt(muSquared) + muSquared) * muError;
  const pairOf = (one: GeometricLaw): SinglePair =>
    atomicPair(
      lossesOf(one, batches, direction),
      one.displaced + moved + (one.moments ? 2 * one.error : 0) + 1e-14,
      one.error + 1e-14,
    );
  return {
    failure: (direction === 'remove' ? larger.infinite / batches : larger.zero) * 1.001,
    pair: pairBetween(pairOf(larger), pairOf(smaller)),
  };
}
