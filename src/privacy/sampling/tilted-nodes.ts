import type { Approximate } from '../../numeric/approximate.ts';
import { GAUSS_LEGENDRE_16 } from '../../numeric/gauss-legendre.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { onEllipse } from './part-on-ellipse.ts';
import { panelsOf, rangeOf, type Range } from './part-panels.ts';
import { logMixture, type SampledLaw, type SampledPart } from './sampled-law.ts';
import { logWeight, power, share } from './tilted-part.ts';

/** A law under the tilt e^(cL), by losses with weights that sum to about 1: its atoms, and nodes of its parts. */
export interface TiltedNodes {
  /** ln E[e^(cL)]. */
  readonly logMoment: Approximate;
  readonly weights: Float64Array;
  readonly losses: Float64Array;
  /** About the mean, and at least the standard deviation. */
  readonly mean: number;
  readonly deviation: number;
  /** Sums of weight times |L|, of weight times the error of L, of the error of the weight, and of that times |L|. */
  readonly extent: number;
  readonly lossOff: number;
  readonly weightOff: number;
  readonly leveredOff: number;
  /** Bounds the error of the integrals of e^(cL) (e^(itL) - 1) over t for all |t| up to the one they were made for, and what is beyond. */
  readonly off: number;
  readonly beyond: number;
  /** Bounds |E[e^((c+it)L)]| / E[e^(cL)]: the atoms' share, and what is divided by t. */
  readonly still: number;
  readonly turning: number;
}

/** Panels are halved until the integral of each is off by no more than e^-FINE of the height of all. */
const FINE = 44;
/** Of a part; more are too many. */
const MOST_PANELS = 2048;
/** Places where it is looked how high a part is. */
const LOOKS = 32;

/** Grows as it is filled; see TiltedNodes. */
class Sums {
  readonly weights: number[] = [];
  readonly losses: number[] = [];
  excess = 0;
  excessOff = 0;
  size = 0;
  mean = 0;
  extent = 0;
  lossOff = 0;
  lossSquareOff = 0;
  weightOff = 0;
  leveredOff = 0;

  /**
   * A loss: what it weighs plain and tilted, both with a relative error, the error of the loss, and its tilt c.
   *
   * The excess is what is tilted less what is plain, which are far apart where |cL| is not small.
   */
  add(c: number, loss: number, plain: number, tilted: number, relative: number, lossError: number): void {
    const power = c * loss;
    const excess = Math.abs(power) < 1 ? plain * Math.expm1(power) : tilted - plain;
    this.weights.push(tilted);
    this.losses.push(loss);
    this.excess += excess;
    this.size += Math.abs(excess);
    this.excessOff +=
      Math.abs(excess) * (4 * relative + 16 * U) +
      Math.max(plain, tilted) * (Math.abs(c) * lossError + 4 * U * Math.abs(power));
    this.mean += tilted * loss;
    this.extent += tilted * Math.abs(loss);
    this.lossOff += tilted * lossError;
    this.lossSquareOff += tilted * lossError * lossError;
    this.weightOff += tilted * relative;
    this.leveredOff += tilted * relative * Math.abs(loss);
  }
}

/** ln of about the largest weight, at least 0, and of about the largest weight times |L|. */
function heightOf(law: SampledLaw, ranges: readonly Range[], tilt: number): { top: number; levered: number } {
  let [top, levered] = [0, -Infinity];
  const look = (log: number, loss: number): void => {
    top = Math.max(top, log);
    levered = Math.max(levered, log + Math.log(Math.abs(loss)));
  };
  for (const { loss, logMass } of law.atoms) look(logMass + tilt * loss, loss);
  law.parts.forEach((part, at) => {
    const { slope, shift, law: kind } = part.base;
    const { from, to } = ranges[at]!;
    const weights = [logWeight(law, part, tilt), logWeight(law, part, 0)];
    const moved = kind === 'normal' ? Math.min(to, Math.max(from, power(part, tilt) * slope)) : from;
    for (let i = -1; i <= LOOKS; i++) {
      const u = i < 0 ? moved : from + ((to - from) * i) / LOOKS;
      const loss = logMixture(law.rates, slope * u + shift);
      for (const weight of weights) look(weight(u), loss);
    }
  });
  return { top, levered };
}

/** About ln E[e^(cL)] where nodes would be too many: the height of the weight, and at least 0. */
export const heightAt = (law: SampledLaw, logSurvival: number, c: number): number =>
  heightOf(
    law,
    law.parts.map((part) => rangeOf(law, part, c)),
    c,
  ).top - logSurvival;

/** The nodes of a part on its panels, added to the sums. */
function addPart(
  law: SampledLaw,
  part: SampledPart,
  range: Range,
  panels: readonly { readonly middle: number; readonly half: number }[],
  tilt: number,
  scale: number,
  sums: Sums,
): void {
  const { base, sign } = part;
  const { slope, shift } = base;
  const [w, plainPower] = [power(part, tilt), power(part, 0)];
  const far = Math.max(Math.abs(range.from), Math.abs(range.to));
  // Places are off by few roundings of the ends; so are slope and shift, and the ends of an exponential density.
  const placeError = 8 * U * far;
  const noiseError = law.lossError + 4 * U;
  for (const { middle, half } of panels) {
    for (const { x, weight } of GAUSS_LEGENDRE_16) {
      const u = middle + half * x;
      const length = half * weight;
      const l = slope * u + shift;
      const log = logMixture(law.rates, l);
      const logDensity = base.logDensity(u);
      const logError =
        share(law, l) * (noiseError * (Math.abs(slope * u) + 2 * Math.abs(shift)) + slope * placeError) +
        32 * U * Math.abs(log);
      const densityError =
        4 * U * Math.abs(logDensity) + (base.law === 'normal' ? Math.abs(u) * placeError : noiseError * far);
      const relative =
        densityError +
        (Math.abs(w) + plainPower) * logError +
        U * (4 * Math.abs(w * log) + 4 * Math.abs(log) + 4 * Math.abs(scale) + 64);
      sums.add(
        tilt,
        sign * log,
        length * Math.exp(logDensity + plainPower * log - scale),
        length * Math.exp(logDensity + w * log - scale),
        relative,
        logError,
      );
    }
  }
}

/** What |L| may be beyond a range: |ln g| <= |l|, and the noise is not far beyond. */
const farthestOf = ({ base: { slope, shift } }: SampledPart, { from, to }: Range, w: number): number =>
  slope * (Math.max(Math.abs(from), Math.abs(to)) + Math.abs(w) * slope + 40) + Math.abs(shift);

/** How many maxima, ends included, the density times g^(w+1) e^-l has along a part at most. */
function maximaOf({ base: { slope, law } }: SampledPart, w: number): number {
  const isConcave = law === 'normal' ? (w + 1) * slope * slope <= 4 : w <= -1;
  return isConcave ? 1 : 2;
}

/**
 * A law with parts under the tilt e^(cL), given that the loss is finite, for its moments at c and at c + it for all |t| up
 * to the one given; null where too many nodes would be needed.
 *
 * Everything is a sum of what is 0 where L is: E[e^(cL)] - 1 of e^(cL) - 1, E[e^((c+it)L)] - E[e^(cL)] of e^(cL) (e^(itL) - 1). So
 * no digits are lost where losses are small, and an atom at 0 has no say. As |e^z - 1| <= |z| max(1, e^(Re z)), these
 * integrands are at most |c|, and |t|, times ln |g| times the larger of the weights, plain and tilted: what `panelsOf`
 * bounds.
 *
 * On large t: with f the tilted density of a part, integration by parts bounds the integral of f e^(itL) by 1 / t times the
 * values of f / |L'| at the ends and its total variation, which is together at most twice the sum of its maxima. f / |L'| is, up
 * to a factor, the density times g^(w+1) e^-l. The slope of its logarithm is (w + 1) slope s(u) and a falling linear function, or a
 * constant: as the share s rises, first convex and then concave, there are two maxima at most; and one where that slope falls,
 * that of s being at most slope / 4.
 *
 * The deviation: the square of L - m is at most 2 L^2 + 2 m^2.
 */
export function tiltedNodes(law: SampledLaw, logSurvival: number, c: number, t: number): TiltedNodes | null {
  const ranges = law.parts.map((part) => rangeOf(law, part, c));
  const { top: scale, levered } = heightOf(law, ranges, c);
  const most = Math.max(1e-290, Math.exp(levered - scale - FINE));
  const sums = new Sums();
  const farthest = law.atoms.reduce((far, { loss }) => Math.max(far, Math.abs(loss)), 0);
  for (const { loss, logMass } of law.atoms) {
    const [plain, tilted] = [logMass - scale, logMass + c * loss - scale];
    const relative =
      law.massError +
      Math.abs(c) * farthest * law.lossError +
      U * (4 * Math.abs(logMass) + 4 * Math.abs(c * loss) + 4 * Math.abs(scale) + 64);
    sums.add(c, loss, Math.exp(plain), Math.exp(tilted), relative, loss === 0 ? 0 : farthest * law.lossError);
  }
  const still = sums.weights.reduce((sum, x) => sum + x, 0);
  let [error, off, squareOff, beyond, beyondPlain, beyondSquare, turning] = [0, 0, 0, 0, 0, 0, 0];
  for (const [at, part] of law.parts.entries()) {
    const range = ranges[at]!;
    const found = panelsOf(law, part, range, { tilt: c, t, scale }, most, MOST_PANELS);
    if (found === null) return null;
    addPart(law, part, range, found.panels, c, scale, sums);
    error += found.error;
    off += found.lossError;
    squareOff += found.squareError;
    turning += 2 * maximaOf(part, power(part, c)) * found.overSlope;
    // The ends themselves are off by few roundings.
    const endError = (law.lossError + 16 * U) * Math.max(Math.abs(range.from), Math.abs(range.to));
    for (const middle of [range.from, range.to]) {
      const end = onEllipse(law, part, [power(part, c), power(part, 0)], 0, { middle, half: endError }, 1)!;
      const weight = 2 * endError * Math.exp(end.logWeight - scale);
      error += weight;
      off += weight * end.loss;
      squareOff += weight * end.loss ** 2;
    }
    const w = power(part, c);
    const more = Math.exp(range.logBeyond - scale);
    beyond += more;
    beyondPlain += Math.exp(range.logBeyondPlain - scale);
    beyondSquare += 2 * more * farthestOf(part, range, w) ** 2;
  }
  const { weights, losses, excess } = sums;
  const survive = Math.exp(logSurvival - scale);
  const moment = survive + excess;
  if (!(moment > 0 && moment < Infinity)) return null;
  const momentOff = sums.excessOff + losses.length * U * sums.size + Math.abs(c) * off + beyond + beyondPlain;
  // Where nothing is scaled the moment is 1 and what it is more.
  const value = scale === 0 ? Math.log1p(excess / survive) : Math.log(moment) + (scale - logSurvival);
  const rounding = scale === 0 ? Math.abs(value) : 4 + 2 * scale + Math.abs(Math.log(moment));
  const relative = (momentOff / moment) * (1 + 1e-9) + 8 * U * rounding;
  const larger = relative < 0.1 ? (1 + 1e-9 + 2 * relative) / moment : Infinity;
  const mean = sums.mean / moment;
  const square = losses.reduce((sum, loss, i) => sum + weights[i]! * (loss - mean) ** 2, 0);
  const rest = 2 * (squareOff + beyondSquare + mean * mean * (error + beyond));
  return {
    logMoment: { value, error: relative },
    weights: Float64Array.from(weights, (x) => x / moment),
    losses: Float64Array.from(losses),
    mean,
    deviation: (Math.sqrt((square + rest) / moment) + Math.sqrt(sums.lossSquareOff / moment)) * (1 + 1e-6),
    extent: sums.extent / moment,
    lossOff: sums.lossOff / moment,
    weightOff: sums.weightOff / moment + relative,
    leveredOff: (sums.leveredOff + relative * sums.extent) / moment,
    off: off / moment,
    beyond: beyond / moment,
    still: (still + beyond) * larger,
    turning: turning * larger,
  };
}
