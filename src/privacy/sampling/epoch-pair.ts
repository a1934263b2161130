import { exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { chordsAbove, chordsBelow, type ConvexLaw, type CurvePoint } from '../../numeric/convex/lines-around.ts';
import { advance, type Watch } from '../../numeric/watch.ts';
import { atomicPair, type SinglePair } from '../single-pair.ts';
import { pairBetween, type AllocationPair } from './allocation-pair.ts';
import type { Allocation } from './allocation-table.ts';
import { QUICK, SingleEpoch } from './single-epoch.ts';

/** Further out places are e^(so many losses) times further apart, and at most so many times. */
const GROWS = 2;
const FURTHEST = 16;
/** Tables serve losses so many times further apart than for one question. */
const APART = 16;
/** Losses are looked at down to where so little is below them, or not below this one; and up to this one. */
const BELOW = 1e-9;
const [LEAST, MOST] = [-5, 20];

/** Places are no further apart than this share of the deviation of the loss. */
const OF_DEVIATION = 1 / 32;
/** More than the rounding of logarithms of places and of masses. */
const [LOSS_ROUNDED, MASS_ROUNDED] = [4e-14, 4e-13];

/** Which losses a pair has. */
export interface Places {
  /** No further apart they are up to a loss. */
  readonly step: number;
  readonly upTo: number;
  /** A probability of infinite losses that may be left out. */
  readonly enough: number;
}

/** Points of E_Q[(M - k)+]; null where it is not known everywhere. */
function pointsOf(
  epoch: SingleEpoch,
  { step: most, upTo, enough }: Places,
  watch: Watch,
): readonly CurvePoint[] | null {
  const step = Math.min(most, OF_DEVIATION * epoch.deviation);
  const points: CurvePoint[] = [];
  const add = (k: number, value: Enclosure | null): Enclosure | null => {
    advance(watch);
    if (value) points.push({ k, value });
    return value;
  };
  for (let i = -1; i * step > LEAST; i--) {
    const k = Math.exp(i * step);
    const value = add(k, epoch.byContour(k));
    if (value === null) return null;
    if (value.upper - 1 + k < BELOW) break;
  }
  points.reverse();
  for (
    let loss = 0, isFar = false;
    loss < MOST;
    loss += step * Math.min(FURTHEST, Math.exp(GROWS * Math.max(0, loss - upTo)))
  ) {
    const k = Math.exp(loss);
    const near: Enclosure | null = isFar ? null : add(k, epoch.byContour(k));
    isFar = near === null;
    const value = near ?? add(k, epoch.byOneFarBatch(k));
    if (value === null) return null;
    if (value.upper <= enough) break;
  }
  return points;
}

/**
 * The pair of a removal in one epoch of one of several batches from both sides, from points of its own curve: the likelihood ratio M is
 * replaced by variables of few places that are larger and smaller in convex order. Where one batch decides that is far narrower than a sum
 * of batches on a lattice; null where the curve takes too long. An error of mu moves M by no more than a factor under both neighbors: with the
 * same noise, to which mu is added where the record is; so losses that are as much off cover it.
 *
 * @throws Interrupted
 * Source: derived.
 */
export function epochPair(law: Allocation, places: Places, watch: Watch): AllocationPair | null {
  const epoch = new SingleEpoch(law, QUICK, APART);
  const points = pointsOf(epoch, places, watch);
  if (points === null) return null;
  const pairOf = ({ places, masses, error }: ConvexLaw): SinglePair => {
    const atoms = Array.from(places, (place, j) => ({ loss: Math.log(place), logMass: Math.log(place * masses[j]!) }));
    return atomicPair(atoms.reverse(), epoch.displaced + LOSS_ROUNDED, error + MASS_ROUNDED);
  };
  const [above, below] = [chordsAbove(exactly(1), points), chordsBelow(exactly(1), 1, points)];
  if (above.places.length === 0 || below.places.length === 0) return null;
  return { failure: above.beyond * 1.001, pair: pairBetween(pairOf(above), pairOf(below)) };
}
