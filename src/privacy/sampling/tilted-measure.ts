import type { Approximate } from '../../numeric/enclosure.ts';
import { writeLogNormal, type LogComplex } from '../../numeric/normal.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { walkPath, type PathErrors, type Stretch } from './path.ts';
import { degreeOf, logRatio, otherShare, ownShare, writeRaised, type Raised } from './ratio.ts';
import type { SampledLaw, SampledPart } from './sampled-law.ts';
import { logWeight, modeOf, peaksOf, powersOf, reachOf, type Powers, type Reach } from './tilted-part.ts';

/** A law, or a labelled part of one, under the tilt e^(cL): its atoms, and nodes on paths along its parts (see path.ts). */
export interface TiltedMeasure {
  /** ln E[e^(cL)]. */
  readonly logMoment: Approximate;
  /** ln E[e^(cL)] at the other tilts. */
  readonly others: readonly Approximate[];
  /** About the mean, and at least the standard deviation. */
  readonly mean: number;
  readonly deviation: number;
  /** E[e^(cL) f(L)] / E[e^(cL)] is the sum of (re + i im) f(modulus + i angle) over the nodes; from `mirrored` on of its conjugate at -L. */
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly modulus: Float64Array;
  readonly angle: Float64Array;
  readonly mirrored: number;
  /** Sums of |weight| times |L|, times the error of L, of the error of the weight, and of that times |L|. */
  readonly extent: number;
  readonly lossOff: number;
  readonly weightOff: number;
  readonly leveredOff: number;
  /** Stretches of each part, and a bound on the share of E[e^(cL)] that parts have elsewhere. */
  readonly covered: readonly (readonly Stretch[])[];
  readonly uncovered: number;
  /** Bounds the error of the integrals of e^(cL) (e^(itL) - 1) over t, and what is beyond. */
  readonly off: number;
  readonly beyond: number;
}

/** The error of a chord is at most e^-FINE of the height of all. */
const FINE = 40;
/** Of a part; more are too many. */
const MOST_CHORDS = 4096;
/** Places where it is looked how high a part is. */
const LOOKS = 32;
/** A path is not higher, in deviations of normal noise, nor so high that g turns by more. */
const HIGHEST = 1.1;
const WIDEST_TURN = 0.78;
/** ln of how much larger terms are on the path, about. */
const GROWN = 1.2;
/** Moments up to e^LARGE are computed as what they are more than 1. */
const LARGE = 5;
/** Of measures of which no more than this is left out. */
const OUTSIDE = 1e-13;
/** Below this they would be a difference of like numbers. */
const SMALL = 0.25;
/** Bounds the error of the logarithm of a label, besides 4 roundings of the square of its argument. */
const LABEL_ERROR = 2e-14;
/** Beyond this a label is 1 to less than a rounding. */
const FLAT = 9;

/** ln of about the largest weight, and of about the largest weight times |L|. */
interface Height {
  readonly top: number;
  readonly levered: number;
}

/** Atoms below e^-FAINT of the height count as error. */
const FAINT = 90;

const lowest = -1e4;

function heightOf(law: SampledLaw, reaches: readonly Reach[], tilt: number): Height {
  let [top, levered] = [lowest, lowest];
  const look = (log: number, loss: number): void => {
    top = Math.max(top, log);
    if (loss !== 0) levered = Math.max(levered, log + Math.log(Math.abs(loss)));
  };
  for (const { loss, logMass } of law.atoms) look(logMass + tilt * loss, loss);
  law.parts.forEach((part, at) => {
    const { from, to } = reaches[at]!;
    const weight = logWeight(law, part, tilt);
    const places = Array.from({ length: LOOKS + 1 }, (_, i) => from + ((to - from) * i) / LOOKS);
    for (const u of [...places, ...peaksOf(law, part, tilt)]) {
      if (u >= from && u <= to) look(weight(u), logRatio(law.ratio, part.base, u));
    }
  });
  return { top, levered };
}

/** The largest height of a path on which terms are not much larger than on the real axis. */
function heightOfPath(law: SampledLaw, part: SampledPart, tilt: number): number {
  const { slope, law: kind } = part.base;
  const { own: w, other: v } = powersOf(part, tilt);
  const highest = Math.min(HIGHEST, WIDEST_TURN / slope);
  if (law.ratio.other.length > 0) {
    const steepest = peaksOf(law, part, tilt).reduce((most, u) => {
      const [own, other] = [ownShare(law.ratio, part.base, u), otherShare(law.ratio, part.base, u)];
      return Math.max(most, Math.max(0, -w) * own + Math.max(0, v) * other);
    }, 0);
    return Math.min(highest, Math.sqrt((2 * GROWN) / (steepest * slope * slope + 1e-300)));
  }
  if (w >= 0) return kind === 'normal' ? highest : WIDEST_TURN / slope;
  // At the mode -w s slope = |u|, so that g^w grows by |u| slope height^2 / 2.
  const mode = kind === 'normal' ? -modeOf(law, part, w) : 0.5;
  return Math.min(highest, Math.sqrt((2 * GROWN) / (mode * slope + 1e-300)));
}

/** Bounds the error of ln Phi(x + iy), |y| <= 2, at a place that is off by `place`: the slope of ln Phi is at most about |x| + 2. */
const labelError = (x: number, place: number): number =>
  x > FLAT ? U : LABEL_ERROR + (x < 0 ? 4 * U * x * x : 0) + (Math.max(0, -x) + 3) * place;

/** Nodes of a measure that is not tilted, as they come. */
class Nodes {
  /** ln of the modulus of the weight, and its argument. */
  readonly base: number[] = [];
  readonly phase: number[] = [];
  /** ln g at the node; atoms have their loss. */
  readonly modulus: number[] = [];
  readonly angle: number[] = [];
  /** The error of that, and of the logarithm of the weight. */
  readonly lossError: number[] = [];
  readonly baseError: number[] = [];

  readonly #own: Raised = { modulus: 0, angle: 0, levered: 0, size: 0 };
  readonly #other: Raised = { modulus: 0, angle: 0, levered: 0, size: 0 };

  /** Adds atoms that count under one of the tilts, and the others to what is beyond. */
  addAtoms(law: SampledLaw, tilts: readonly Tilted[]): void {
    const lossError = law.lossError * farthestOf(law);
    for (const { loss, logMass } of law.atoms) {
      const logLoss = loss === 0 ? -Infinity : Math.log(Math.abs(loss));
      const counts = tilts.some(({ tilt, height: { top, levered } }) => {
        const log = logMass + tilt * loss;
        return log > top - FAINT || log + logLoss > levered - FAINT;
      });
      if (!counts) {
        for (const measure of tilts) measure.beyond += Math.exp(-FAINT);
        continue;
      }
      this.base.push(logMass);
      this.phase.push(0);
      this.modulus.push(loss);
      this.angle.push(0);
      this.lossError.push(loss === 0 ? 0 : lossError);
      this.baseError.push(law.massError + U * (4 * Math.abs(logMass) + 64));
    }
  }

  /** Adds the node u = x + iy of a part; u is off by no more than 8 roundings of `far`. */
  addNode(law: SampledLaw, part: SampledPart, far: number, x: number, y: number, re: number, im: number): void {
    const { base, labels } = part;
    const { slope, shift } = base;
    const { own: factors, other: otherFactors, otherShift } = law.ratio;
    const turn = slope * y;
    writeRaised(factors, slope * x + shift, turn, this.#own);
    writeRaised(otherFactors, otherShift - slope * x, turn, this.#other);
    const [own, other] = [this.#own, this.#other];
    // Of 1 / h at the conjugate place.
    const modulus = own.modulus - other.modulus;
    const angle = own.angle + other.angle;
    const farthest =
      Math.abs(slope * x) +
      2 * Math.max(Math.abs(shift) * factors.length, Math.abs(otherShift) * otherFactors.length) +
      turn;
    const placeError = 8 * U * far;
    const noiseError = law.lossError + 4 * U;
    const logDensity = base.logDensity(x);
    const isNormal = base.law === 'normal';
    let logBase = logDensity + 0.5 * Math.log(re * re + im * im) + (isNormal ? (y * y) / 2 : 0);
    let phase = Math.atan2(im, re) - (isNormal ? x * y : y / 2);
    let error =
      U * (4 * Math.abs(logDensity) + 2 * y * y + 4 * Math.abs(x * y) + 64) +
      (isNormal ? (Math.abs(x) + y) * placeError : noiseError * far);
    const log: LogComplex = { modulus: 0, angle: 0 };
    for (const { place, width, rises } of labels) {
      const a = (x - place) / width;
      const b = y / width;
      writeLogNormal(rises ? a : -a, rises ? b : -b, log);
      logBase += log.modulus;
      phase += log.angle;
      error += labelError(rises ? a : -a, (16 * U * (far + Math.abs(place))) / width);
    }
    const lossError =
      (own.levered + other.levered) * (noiseError * farthest + slope * placeError) +
      32 * U * (own.size + other.size + angle);
    const isTilted = part.sign > 0;
    this.base.push(isTilted ? logBase + own.modulus : logBase);
    this.phase.push(isTilted ? phase + own.angle : phase);
    this.modulus.push(modulus);
    this.angle.push(angle);
    this.lossError.push(lossError);
    this.baseError.push(isTilted ? error + lossError + 4 * U * (Math.abs(own.modulus) + angle) : error);
  }
}

/** A tilt with what is known of a law under it. */
interface Tilted {
  readonly tilt: number;
  readonly reaches: readonly Reach[];
  readonly height: Height;
  /** Errors of the integrals of the weight, of it times L, and of it times L^2, all over e^top. */
  readonly errors: PathErrors;
  /** Bounds what lies beyond the reaches, and atoms that are left out, over e^top. */
  beyond: number;
}

function tiltedBy(law: SampledLaw, tilt: number): Tilted {
  const reaches = law.parts.map((part) => reachOf(law, part, tilt));
  const height = heightOf(law, reaches, tilt);
  const beyond = reaches.reduce((sum, { logBeyond }) => sum + Math.exp(logBeyond - height.top), 0);
  return { tilt, reaches, height, beyond, errors: { plain: 0, first: 0, second: 0 } };
}

/** Adds a part's nodes and returns the stretches that they cover; null where they would be too many. */
function addPart(
  law: SampledLaw,
  at: number,
  tilts: readonly Tilted[],
  turns: number,
  nodes: Nodes,
): readonly Stretch[] | null {
  const part = law.parts[at]!;
  const from = tilts.reduce((min, { reaches }) => Math.min(min, reaches[at]!.from), Infinity);
  const to = tilts.reduce((max, { reaches }) => Math.max(max, reaches[at]!.to), -Infinity);
  if (!(to > from)) return [];
  const far = Math.max(Math.abs(from), Math.abs(to));
  const goal = {
    powers: tilts.map(({ tilt, height }) => ({ powers: powersOf(part, tilt), ...height })),
    turns,
    logMost: -FINE,
    limit: MOST_CHORDS,
  };
  const course = { from, to, height: heightOfPath(law, part, tilts[0]!.tilt) };
  const path = walkPath(law, part, course, goal, (x, y, re, im) => {
    nodes.addNode(law, part, far, x, y, re, im);
  });
  if (path === null) return null;
  // The ends of a density are off by few roundings themselves.
  const endError = (law.lossError + 16 * U) * far;
  tilts.forEach(({ tilt, height, errors }, i) => {
    const weight = logWeight(law, part, tilt);
    const { plain, first, second } = path.errors[i]!;
    errors.plain += plain;
    errors.first += first;
    errors.second += second;
    for (const end of [from, to]) {
      const off = 2 * endError * Math.exp(weight(end) - height.top) * 1.01;
      const loss = Math.abs(logRatio(law.ratio, part.base, end));
      errors.plain += off;
      errors.first += off * loss;
      errors.second += off * loss * loss;
    }
  });
  return path.covered;
}

/** ln E[e^(tL)] by the nodes; where the error is infinite, the value is at least that. */
function momentOf(
  { base, phase, modulus, angle, lossError, baseError }: Nodes,
  signs: Int8Array,
  tilted: Tilted,
): Approximate {
  const { tilt, height, errors, beyond } = tilted;
  let [sum, size, off] = [0, 0, 0];
  for (let i = 0; i < base.length; i++) {
    const w = tilt * signs[i]!;
    const weight = Math.exp(base[i]! + w * modulus[i]! - height.top);
    sum += weight * Math.cos(phase[i]! + w * angle[i]!);
    size += weight;
    off +=
      weight *
      (baseError[i]! +
        Math.abs(w) * (lossError[i]! + 4 * U * (Math.abs(modulus[i]!) + angle[i]!)) +
        4 * U * (Math.abs(base[i]!) + Math.abs(phase[i]!)));
  }
  const error = off + (base.length + 4 * Math.abs(height.top) + 32) * U * size + errors.plain + beyond;
  return sum > 0
    ? { value: height.top + Math.log(sum), error: relativeError(error / sum) + 8 * U * (Math.abs(height.top) + 8) }
    : { value: height.top + Math.log(size + error), error: Infinity };
}

/** A bound on |ln(1 + x)|, |x| at most this. */
const relativeError = (x: number): number => (x < 0.5 ? x / (1 - x) : Infinity);

/** ln E[e^(tL)] of a whole law as 1 and the sum of e^(tL) - 1; null where that is small. */
function momentByExcess(
  { base, phase, modulus, angle, lossError, baseError }: Nodes,
  signs: Int8Array,
  logSurvival: number,
  outside: number,
  { tilt, height, errors, beyond }: Tilted,
  plain: Tilted,
): Approximate | null {
  let [excess, size, off] = [0, 0, 0];
  for (let i = 0; i < base.length; i++) {
    const w = tilt * signs[i]!;
    const x = w * modulus[i]!;
    const y = w * angle[i]!;
    const weight = Math.exp(base[i]!);
    const cos = Math.cos(phase[i]!);
    const sin = Math.sin(phase[i]!);
    const grown = Math.exp(x);
    const half = Math.sin(y / 2);
    const re = Math.expm1(x) - 2 * grown * half * half;
    const im = grown * Math.sin(y);
    const much = weight * (Math.abs(re) + Math.abs(im));
    excess += weight * (re * cos - im * sin);
    size += much;
    off +=
      much * (baseError[i]! + 4 * U * (Math.abs(base[i]!) + Math.abs(phase[i]!) + 8)) +
      weight * Math.max(1, grown) * Math.abs(w) * (lossError[i]! + 4 * U * (Math.abs(modulus[i]!) + angle[i]!));
  }
  const survive = Math.exp(logSurvival);
  const moment = survive + excess;
  if (!(moment > SMALL * survive)) return null;
  const own = Math.exp(height.top);
  const other = Math.exp(plain.height.top);
  const error =
    off +
    base.length * U * size +
    outside +
    Math.abs(tilt) * (own * errors.first + other * plain.errors.first) +
    own * beyond +
    other * plain.beyond;
  // ln(1 + x) of what it is more than 1.
  const value = Math.log1p(excess / survive) + logSurvival;
  return { value, error: relativeError((error * (1 + 1e-9)) / moment) + 8 * U * Math.abs(value) };
}

/**
 * The measure of a law, or of a labelled part of one, under the tilt c; null where too many nodes would be needed.
 *
 * E[e^((c+it)L)] - E[e^(cL)] is a sum of e^(cL) (e^(itL) - 1), so that no digits are lost where losses are small; the moment of a
 * whole law is likewise 1 and a sum of e^(cL) - 1, unless it is far from 1. As |e^z - 1| <= |z| max(1, e^(Re z)), these
 * integrands are at most |t|, and |c|, times ln |g| times the larger of the weights, plain and tilted.
 *
 * The deviation: the square of L - m is at most 2 L^2 + 2 m^2.
 *
 * @param logSurvival - ln of the probability that the loss is finite, by which all is divided
 * @param also - other tilts, whose moments are taken on the same nodes
 * @param turns - t is at most this
 */
export function tiltedMeasure(
  law: SampledLaw,
  logSurvival: number,
  c: number,
  also: readonly number[],
  turns: number,
): TiltedMeasure | null {
  const own = tiltedBy(law, c);
  const others = also.map((tilt) => tiltedBy(law, tilt));
  const isWhole = law.outside < OUTSIDE && Math.abs(own.height.top) < LARGE;
  const plain = isWhole ? tiltedBy(law, 0) : null;
  const tilts = [own, ...others, ...(plain === null ? [] : [plain])];
  const nodes = new Nodes();
  nodes.addAtoms(law, tilts);
  // Parts of sign -1 come last.
  const order = [...law.parts.keys()].sort((a, b) => law.parts[b]!.sign - law.parts[a]!.sign);
  let mirrored: number | null = null;
  const covered: (readonly Stretch[])[] = law.parts.map(() => []);
  for (const at of order) {
    if (law.parts[at]!.sign < 0) mirrored ??= nodes.base.length;
    const stretches = addPart(law, at, tilts, turns, nodes);
    if (stretches === null) return null;
    covered[at] = stretches;
  }
  const size = nodes.base.length;
  mirrored ??= size;
  const signs = new Int8Array(size).fill(1).fill(-1, mirrored);
  const conditional = ({ value, error }: Approximate): Approximate => ({
    value: value - logSurvival,
    error: error + 2 * U * Math.abs(value),
  });
  const moment =
    (plain && momentByExcess(nodes, signs, logSurvival, law.outside, own, plain)) ?? momentOf(nodes, signs, own);
  if (!(moment.error < Infinity)) return null;
  const { base, phase, modulus, angle, lossError, baseError } = nodes;
  const re = new Float64Array(size);
  const im = new Float64Array(size);
  let [mean, extent, lossOff, weightOff, leveredOff, lossSquareOff] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < size; i++) {
    const w = c * signs[i]!;
    const weight = Math.exp(base[i]! + w * modulus[i]! - moment.value);
    const turn = phase[i]! + w * angle[i]!;
    re[i] = weight * Math.cos(turn);
    im[i] = weight * Math.sin(turn);
    const far = Math.abs(modulus[i]!) + angle[i]!;
    const relative =
      baseError[i]! +
      Math.abs(w) * (lossError[i]! + 4 * U * far) +
      4 * U * (Math.abs(base[i]!) + Math.abs(phase[i]!) + Math.abs(moment.value) + 8);
    mean += signs[i]! * (re[i]! * modulus[i]! - im[i]! * angle[i]!);
    extent += weight * far;
    lossOff += weight * lossError[i]!;
    lossSquareOff += weight * lossError[i]! ** 2;
    weightOff += weight * relative;
    leveredOff += weight * relative * far;
  }
  let variance = 0;
  for (let i = 0; i < size; i++) {
    const x = modulus[i]! - signs[i]! * mean;
    const y = angle[i]!;
    variance += re[i]! * (x * x - y * y) - 2 * im[i]! * x * y;
  }
  // Over E[e^(cL)].
  const scale = Math.exp(own.height.top - moment.value);
  const farthest = law.parts.reduce(
    (max, part, at) => Math.max(max, farthestBeyond(law, part, own.reaches[at]!, powersOf(part, c))),
    farthestOf(law),
  );
  const rest =
    2 * scale * (own.errors.second + own.beyond * farthest ** 2 + mean * mean * (own.errors.plain + own.beyond)) +
    (4 * leveredOff + 1e-13 * extent) * (Math.abs(mean) + farthestOfNodes(modulus));
  return {
    logMoment: conditional(moment),
    others: others.map((measure) => conditional(momentOf(nodes, signs, measure))),
    mean,
    deviation: (Math.sqrt(Math.max(0, variance) + rest) + Math.sqrt(lossSquareOff)) * (1 + 1e-6),
    re,
    im,
    modulus: Float64Array.from(modulus),
    angle: Float64Array.from(angle),
    mirrored,
    extent,
    lossOff,
    weightOff: weightOff + moment.error,
    leveredOff: leveredOff + moment.error * extent,
    covered,
    uncovered: scale * (own.errors.plain + own.beyond),
    off: scale * own.errors.first,
    beyond: scale * own.beyond,
  };
}

const farthestOfNodes = (modulus: readonly number[]): number =>
  modulus.reduce((far, x) => Math.max(far, Math.abs(x)), 0);

const farthestOf = ({ atoms }: SampledLaw): number => atoms.reduce((far, { loss }) => Math.max(far, Math.abs(loss)), 0);

/** What |L| may be beyond a reach: |ln g| <= K |l|, K the sum of the powers of factors, and the noise is not far beyond. */
function farthestBeyond(
  { ratio: { own, other, otherShift } }: SampledLaw,
  { base: { slope, shift } }: SampledPart,
  { from, to }: Reach,
  powers: Powers,
): number {
  const [degree, otherDegree] = [degreeOf(own), degreeOf(other)];
  const moved = slope * (Math.abs(powers.own) * degree + Math.abs(powers.other) * otherDegree);
  const far = slope * (Math.max(Math.abs(from), Math.abs(to)) + moved + 40);
  return degree * (far + Math.abs(shift)) + otherDegree * (far + Math.abs(otherShift));
}
