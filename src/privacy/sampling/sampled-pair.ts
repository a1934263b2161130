import { exactly } from '../../numeric/enclosure.ts';
import { discretiseSmooth, type SmoothPart } from '../../numeric/lattice/discretise-density.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { Interrupted } from '../../numeric/watch.ts';
import { atomicPair, LARGEST_EXPONENT, type SinglePair } from '../single-pair.ts';
import { degreeOf, leastOther, leastOwn, logRatio, otherShare, ownShare, placeOf } from './ratio.ts';
import type { SampledLaw, SampledPart } from './sampled-law.ts';
import { logWeight, powersOf, reachOf } from './tilted-part.ts';

/** No larger tilts are taken where losses are unbounded. */
const LARGEST_TILT = 1e3;
/** Of more cells a lattice is given up. */
const MOST_CELLS = 2 ** 22;
/** Nodes of a part where its moment is only looked at. */
const FEW = 400;
/** Quadrature below 1e-12, the rounding of exponents, a few elementary functions. */
const RELATIVE_ERROR = 2 ** -38;

const logSum = (terms: readonly number[]): number => {
  const top = terms.reduce((max, x) => Math.max(max, x), -Infinity);
  return top === -Infinity ? top : top + Math.log(terms.reduce((sum, x) => sum + Math.exp(x - top), 0));
};

/** Wider stretches are looked at near their ends, where the noise is and where the tilt moves it. */
const WIDE = 60;

interface Point {
  readonly u: number;
  readonly logWeight: number;
}

/** Nodes along a part with ln of their weights. */
function pointsOf(law: SampledLaw, part: SampledPart, tilt: number): readonly Point[] {
  const { from, to } = reachOf(law, part, tilt);
  const weight = logWeight(law, part, tilt);
  const along = (low: number, high: number): readonly Point[] => {
    const h = (high - low) / FEW;
    return Array.from({ length: h > 0 ? FEW : 0 }, (_, i) => {
      const u = low + (i + 0.5) * h;
      return { u, logWeight: weight(u) + Math.log(h) };
    });
  };
  return to - from <= WIDE ? along(from, to) : [...along(from, from + WIDE / 2), ...along(to - WIDE / 2, to)];
}

/** About ln of the weight of a part. */
const logWeightOf = (law: SampledLaw, part: SampledPart, tilt: number): number =>
  logSum(pointsOf(law, part, tilt).map((point) => point.logWeight));

const lossAt = (law: SampledLaw, { base, sign }: SampledPart, u: number): number => sign * logRatio(law.ratio, base, u);

/** Where the losses of a law are, but for a weight that is as good as none. */
function extentOf(law: SampledLaw): { readonly low: number; readonly high: number } {
  const ends = law.parts.flatMap((part) => {
    const { from, to } = reachOf(law, part, 0);
    return [from, to].map((u) => lossAt(law, part, u));
  });
  const losses = [...law.atoms.map(({ loss }) => loss), ...ends];
  return { low: Math.min(...losses), high: Math.max(...losses) };
}

/** At least |slope| + 3 sqrt(|curvature|) of the logarithm of a part's weight times a power of g, over [low, high]. */
function steepness(law: SampledLaw, part: SampledPart, tilt: number, low: number, high: number): number {
  const { base } = part;
  const { slope } = base;
  const powers = powersOf(part, tilt);
  const [most, mostOther] = [Math.abs(powers.own) + 2, Math.abs(powers.other) + 2];
  // The slope of ln g is slope times the shares of its factors, which rise with u; its curvature at most slope^2 / 4 each.
  const { ratio } = law;
  const bend = most * slope * ownShare(ratio, base, high) + mostOther * slope * otherShare(ratio, base, low);
  const factors = most * degreeOf(ratio.own) + mostOther * degreeOf(ratio.other);
  const [own, curved] = base.law === 'normal' ? [Math.max(Math.abs(low), Math.abs(high)), 1] : [0.5, 0];
  const curvature = Math.min((factors * slope * slope) / 4, bend * slope) + curved;
  return own + bend + 3 * Math.sqrt(curvature);
}

/** Lattices are no finer than suits a deviation of this share of the losses' extent: rare losses would make them too long. */
const LEAST_SHARE_OF_EXTENT = 2 ** -10;

/** About the standard deviation of the finite losses: of their values, as differences of moments would be rounded away. */
function deviationOf(law: SampledLaw): number {
  const losses = [
    ...law.atoms.map(({ loss, logMass }) => ({ loss, weight: Math.exp(logMass) })),
    ...law.parts.flatMap((part) =>
      pointsOf(law, part, 0).map((point) => ({ loss: lossAt(law, part, point.u), weight: Math.exp(point.logWeight) })),
    ),
  ];
  const whole = losses.reduce((sum, { weight }) => sum + weight, 0);
  const mean = losses.reduce((sum, { loss, weight }) => sum + weight * loss, 0) / whole;
  const variance = losses.reduce((sum, { loss, weight }) => sum + weight * (loss - mean) ** 2, 0) / whole;
  return Math.sqrt(variance);
}

/** A part on lattices, its weights over e^scale. */
function smoothPart(law: SampledLaw, part: SampledPart, tilt: number, scale: number): SmoothPart {
  const { base, sign } = part;
  const { from, to } = reachOf(law, part, tilt);
  const weight = logWeight(law, part, tilt);
  // Losses rise along u, or along -u.
  const turn = (v: number): number => sign * v;
  return {
    density: (v) => Math.exp(weight(turn(v)) - scale),
    from: sign > 0 ? from : -to,
    to: sign > 0 ? to : -from,
    loss: (v) => lossAt(law, part, turn(v)),
    place: (x) => turn(placeOf(law.ratio, base, sign * x)),
    steepness: (a, b) => steepness(law, part, tilt, Math.min(turn(a), turn(b)), Math.max(turn(a), turn(b))),
  };
}

/** Bounds the error of every loss of parts: of l a few roundings of its summands, times at most the largest share; and of ln g. */
function lossErrorOf(law: SampledLaw, tilt: number, largest: number): number {
  const { ratio } = law;
  const errors = law.parts.map((part) => {
    const { base } = part;
    const { from, to } = reachOf(law, part, tilt);
    const shifts = Math.max(
      Math.abs(base.shift) * degreeOf(ratio.own),
      Math.abs(ratio.otherShift) * degreeOf(ratio.other),
    );
    const size = base.slope * Math.max(Math.abs(from), Math.abs(to)) + shifts;
    return (ownShare(ratio, base, to) + otherShare(ratio, base, from)) * 8 * U * size;
  });
  // ln g and ln h cancel where both are near their least values.
  const cancelled = ratio.other.length === 0 ? 0 : -leastOwn(ratio) - leastOther(ratio);
  return Math.max(law.lossError * (largest + cancelled), ...errors) + 24 * U * (largest + cancelled);
}

/** A sampled mechanism's finite losses, as probabilities given that none is infinite. */
export function sampledPair(law: SampledLaw, logSurvival: number): SinglePair {
  const atoms = law.atoms.map(({ loss, logMass }) => ({ loss, logMass: logMass - logSurvival }));
  const farthest = atoms.reduce((max, { loss }) => Math.max(max, Math.abs(loss)), 0);
  if (law.parts.length === 0) return atomicPair(atoms, law.lossError * farthest, law.massError);
  const approximateLogMoment = (tilt: number): number =>
    logSum([
      ...atoms.map(({ loss, logMass }) => logMass + tilt * loss),
      ...law.parts.map((part) => logWeightOf(law, part, tilt) - logSurvival),
    ]);
  const { low, high } = extentOf(law);
  const isBounded = law.parts.every(({ base }) => base.law === 'exponential');
  return {
    approximateLogMoment,
    largestTilt: isBounded ? LARGEST_EXPONENT / farthest : LARGEST_TILT,
    largestAtom: atoms[0]?.loss ?? null,
    deviation: Math.max(deviationOf(law), (high - low) * LEAST_SHARE_OF_EXTENT),
    discretise(tilt, step) {
      const scale = approximateLogMoment(tilt);
      const parts = law.parts.map((part) => smoothPart(law, part, tilt, scale + logSurvival));
      const ends = parts.flatMap((part) => [Math.abs(part.loss(part.from)), Math.abs(part.loss(part.to))]);
      const largest = Math.max(farthest, ...ends);
      if (largest / step > MOST_CELLS) throw new Interrupted();
      const lossError = lossErrorOf(law, tilt, largest);
      const deepest = Math.abs(scale) + tilt * largest;
      return discretiseSmooth(
        {
          parts,
          atoms: atoms.map(({ loss, logMass }) => ({ loss, weight: Math.exp(logMass + tilt * loss - scale) })),
          tilt,
          logScale: exactly(scale),
          relativeError: RELATIVE_ERROR + law.massError + 8 * deepest * Number.EPSILON + 2 * (1 + tilt) * lossError,
          lossError,
          leak:
            Math.exp(logSum(law.parts.map((part) => reachOf(law, part, tilt).logBeyond)) - logSurvival - scale) * 1.001,
        },
        step,
      );
    },
  };
}
