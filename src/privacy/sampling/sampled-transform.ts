import { BLOCK } from '../../numeric/contour/line-product.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { tiltedMeasure, type TiltedMeasure } from './tilted-measure.ts';
import type { Approximate } from '../../numeric/enclosure.ts';
import {
  writeLogRatio,
  type LabelledLoss,
  type LineMoments,
  type LineTransform,
  type LogRatio,
  type LossLabels,
  type LossTransform,
  type Ratios,
} from '../../numeric/contour/transform.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import { decayOf, type Decay } from './decay.ts';
import { labelledLaw, LEAST, LawOutline, logMostLabelled, type LabelKind, type Outline } from './labels.ts';
import type { SampledLaw } from './sampled-law.ts';

/** A node that has fallen below e^-FADED of its weight is not turned any more. */
const FADED = 45;

/** Sums E[e^(cL) (e^(itL) - 1)] / E[e^(cL)] at t = first h, (first + 1) h, ... */
interface TurnedSums {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/**
 * Writes the sums for `count` <= BLOCK values of t. With z = e^(ih ln g), z^(k+1) - 1 = (z^k - 1) z + (z - 1), in which nothing
 * cancels: each is within 12 BLOCK roundings of the largest in its block.
 */
function writeTurnedSums(
  { re, im, modulus, angle, mirrored }: TiltedMeasure,
  h: number,
  first: number,
  count: number,
  { x, y }: TurnedSums,
): void {
  x.fill(0, 0, count);
  y.fill(0, 0, count);
  const start = first * h;
  let constant = 0;
  for (let i = 0; i < re.length; i++) {
    const a = re[i]!;
    const b = im[i]!;
    const side = i < mirrored ? 1 : -1;
    const fall = start * angle[i]!;
    if (fall > FADED) {
      constant -= a;
      for (let k = 0; k < count; k++) y[k]! -= side * b;
      continue;
    }
    const turn = start * modulus[i]!;
    const half = Math.sin(turn / 2);
    const size = Math.exp(-fall);
    let u = Math.expm1(-fall) - 2 * size * half * half;
    let v = size * Math.sin(turn);
    const stepFall = h * angle[i]!;
    const stepTurn = h * modulus[i]!;
    const stepHalf = Math.sin(stepTurn / 2);
    const stepSize = Math.exp(-stepFall);
    const p = Math.expm1(-stepFall) - 2 * stepSize * stepHalf * stepHalf;
    const q = stepSize * Math.sin(stepTurn);
    for (let k = 0; k < count; k++) {
      x[k]! += a * u - b * v;
      y[k]! += side * (a * v + b * u);
      const next = u * p - v * q + u + p;
      v = u * q + v * p + v + q;
      u = next;
    }
  }
  for (let k = 0; k < count; k++) x[k]! += constant;
}

/** Bounds the error of both parts of such a sum at t together. */
function errorOfSums({ re, extent, lossOff, weightOff, leveredOff, off, beyond }: TiltedMeasure, t: number): number {
  return (
    t * (lossOff + 8 * U * extent + off) +
    2 * Math.min(t * leveredOff, 2 * weightOff) +
    (2 * re.length + 24 * BLOCK + 64) * U * Math.min(4, extent * t) +
    2 * beyond
  );
}

/** Lines that are kept. */
const KEPT = 16;
/** Blocks of ratios that a line keeps. */
const MOST_BLOCKS = 64;
/** Labelled parts that are kept. */
const MOST_LABELLED = 64;
/** About as many nodes as a path takes; so many terms take no longer than one of other losses. */
const NODES = 300;
const TERMS_AT_ONCE = 16;
/** Atoms below e^-FAINT do not count, about. */
const FAINT = 90;

/** A line on which nothing is known. */
const UNKNOWN_LINE: LineTransform = {
  deviation: Infinity,
  logMost: () => 0,
  at: (_, ratio) => {
    ratio.modulus = ratio.angle = 0;
    ratio.error = Infinity;
  },
};

function lineOf(law: SampledLaw, logSurvival: number, c: number, measure: TiltedMeasure): LineTransform {
  const { deviation, mean, logMoment } = measure;
  let decay: Decay | null = null;
  const buffer: Ratios = { x: new Float64Array(1), y: new Float64Array(1), error: new Float64Array(1) };
  const blocks = new LruCache<Ratios>(MOST_BLOCKS);
  const compute = (h: number, first: number, count: number, ratios: Ratios): void => {
    writeTurnedSums(measure, h, first, count, ratios);
    for (let k = 0; k < count; k++) ratios.error[k] = errorOfSums(measure, (first + k) * h);
  };
  const fill = (h: number, first: number, count: number, ratios: Ratios): void => {
    const { x, y, error } = blocks.get([h, first, count].join(' '), () => {
      const block = { x: new Float64Array(count), y: new Float64Array(count), error: new Float64Array(count) };
      compute(h, first, count, block);
      return block;
    });
    ratios.x.set(x);
    ratios.y.set(y);
    ratios.error.set(error);
  };
  const at = (t: number, ratio: LogRatio): void => {
    compute(t, 1, 1, buffer);
    writeLogRatio(buffer.x[0]!, buffer.y[0]!, buffer.error[0]!, ratio);
  };
  const ratio: LogRatio = { modulus: 0, angle: 0, error: 0 };
  const logMostFrom = (t: number, enough: number): number => {
    decay ??= decayOf(law, c, measure, logMoment.value + logSurvival, logMoment.error + 1e-14);
    return decay(t, enough);
  };
  return {
    deviation,
    mean,
    logMostFrom,
    logMost(t, radius, enough) {
      const beyond = logMostFrom(t - radius, enough);
      const change = deviation * radius * (1 + 1e-12);
      if (beyond <= enough || change > 0.9) return beyond;
      at(t, ratio);
      const bound = Math.exp(ratio.error === Infinity ? ratio.modulus : ratio.modulus + ratio.error) + change;
      return Math.min(beyond, Math.log(bound) + 8 * U);
    },
    at,
    fill,
  };
}

/** Paths of wide losses have many more nodes than is usual. */
const termsOf = ({ re }: TiltedMeasure, usual: number): number =>
  Math.max(usual, Math.ceil(re.length / (8 * TERMS_AT_ONCE)));

/** Moments and lines of a law or of a labelled part of one, each only where it is asked for. */
function transformOf(
  lawOf: () => SampledLaw,
  logSurvival: number,
  terms: number,
  outlineOf: () => Outline,
): LossTransform {
  const cache = new LruCache<LineMoments>(KEPT);
  let law: SampledLaw | null = null;
  let outline: Outline | null = null;
  const outlined = (): Outline => (outline ??= outlineOf());
  const unknown = (c: number): Approximate => ({ value: outlined().about(c).value, error: Infinity });
  const lineWith = (c: number, others: readonly number[], last: number): LineMoments =>
    cache.get([c, ...others, last].join(' '), () => {
      law ??= lawOf();
      const measure = tiltedMeasure(law, logSurvival, c, others, last);
      return measure === null
        ? { line: UNKNOWN_LINE, moment: unknown(c), others: others.map(unknown) }
        : {
            line: { ...lineOf(law, logSurvival, c, measure), terms: termsOf(measure, terms) },
            moment: measure.logMoment,
            others: measure.others,
          };
    });
  return {
    terms,
    about: (c) => outlined().about(c),
    typical: () => outlined().typical(),
    lineWith,
    logMoment: (c) => lineWith(c, [], 0).moment,
    on: (c) => lineWith(c, [], 0).line,
  };
}

/** The labelled parts of a law. */
function labelledLoss(
  law: SampledLaw,
  logSurvival: number,
  terms: number,
  outline: LawOutline,
  windows: LossLabels,
): LabelledLoss {
  const of = (kind: LabelKind): LossTransform =>
    transformOf(
      () => labelledLaw(law, windows, kind),
      logSurvival,
      terms,
      () => outline.labelled(windows, kind),
    );
  const beyond = of('beyond');
  return {
    bulk: of('bulk'),
    jump: windows.jump && logMostLabelled(law, windows.jump) > LEAST ? of('jump') : null,
    logLost: Math.log(1 + 3 * (law.atoms.length + law.parts.length)) + LEAST,
    beyond: {
      logMost: () => logMostLabelled(law, windows.beyond) - logSurvival,
      about: (c) => beyond.about!(c).value,
      moments(c) {
        const { moment, others } = beyond.lineWith!(0, [-1, c], 0);
        const [other, at] = others;
        return moment.error < Infinity && other && at ? [moment, other, at] : null;
      },
    },
  };
}

const keyOf = ({ beyond, jump }: LossLabels): string => [beyond.from, beyond.to, jump?.from, jump?.to].join(' ');

/**
 * The loss of a sampled mechanism by its moments, given that it is finite.
 *
 * @param logSurvival - ln of the probability that it is
 */
export function sampledTransform(law: SampledLaw, logSurvival: number): LossTransform {
  const atoms = law.atoms.reduce((sum, { logMass }) => (logMass > -FAINT ? sum + 1 : sum), 0);
  const terms = Math.ceil((atoms + (law.parts.length > 0 ? NODES : 0)) / TERMS_AT_ONCE);
  const labelledLosses = new LruCache<LabelledLoss>(MOST_LABELLED);
  let outline: LawOutline | null = null;
  const outlined = (): LawOutline => (outline ??= LawOutline.of(law, logSurvival));
  return {
    ...transformOf(() => law, logSurvival, terms, outlined),
    // A density under both laws, and nothing besides.
    isMutual: law.atoms.length === 0 && law.failure.upper.isZero(),
    ...(law.hasJumps && {
      labelled: (windows) =>
        labelledLosses.get(keyOf(windows), () => labelledLoss(law, logSurvival, terms, outlined(), windows)),
    }),
  };
}
