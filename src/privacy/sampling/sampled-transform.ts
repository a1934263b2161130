import type { Approximate } from '../../numeric/enclosure.ts';
import { writeLogRatio } from '../../numeric/contour/log-ratio.ts';
import type {
  LabelledLoss,
  LineMoments,
  LineTransform,
  LogRatio,
  LossLabels,
  LossTransform,
  Ratios,
} from '../../numeric/contour/transform.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { decayOf, type Decay } from './decay.ts';
import { labelledLaw, LEAST, logMostLabelled, type LabelKind } from './labels.ts';
import { Outline } from './outline.ts';
import type { SampledLaw } from './sampled-law.ts';
import { tiltedMeasure, type TiltedMeasure } from './tilted-measure.ts';
import { errorOfSums, writeTurnedSums } from './turned-sums.ts';

/** Lines that are kept. */
const KEPT = 8;
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
  const one: Ratios = { x: new Float64Array(1), y: new Float64Array(1), error: new Float64Array(1) };
  const fill = (h: number, first: number, count: number, ratios: Ratios): void => {
    writeTurnedSums(measure, h, first, count, ratios);
    for (let k = 0; k < count; k++) ratios.error[k] = errorOfSums(measure, (first + k) * h);
  };
  const at = (t: number, ratio: LogRatio): void => {
    fill(t, 1, 1, one);
    writeLogRatio(one.x[0]!, one.y[0]!, one.error[0]!, ratio);
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
      const here = Math.exp(ratio.error === Infinity ? ratio.modulus : ratio.modulus + ratio.error) + change;
      return Math.min(beyond, Math.log(here) + 8 * U);
    },
    at,
    fill,
  };
}

/** Moments and lines of a law or of a labelled part of one, each only where it is asked for. */
function transformOf(
  lawOf: () => SampledLaw,
  logSurvival: number,
  terms: number,
  outlineOf: () => Outline,
): LossTransform {
  const known = new LruCache<LineMoments>(KEPT);
  let law: SampledLaw | null = null;
  let outline: Outline | null = null;
  const outlined = (): Outline => (outline ??= outlineOf());
  const unknown = (c: number): Approximate => ({ value: outlined().about(c).value, error: Infinity });
  const lineWith = (c: number, others: readonly number[], last: number): LineMoments =>
    known.get([c, ...others, last].join(' '), () => {
      law ??= lawOf();
      const measure = tiltedMeasure(law, logSurvival, c, others, last);
      return measure === null
        ? { line: UNKNOWN_LINE, moment: unknown(c), others: others.map(unknown) }
        : { line: lineOf(law, logSurvival, c, measure), moment: measure.logMoment, others: measure.others };
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
  outline: Outline,
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
    logLost: Math.log(1 + 3 * law.atoms.length) + LEAST,
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

/**
 * The loss of a sampled mechanism by its moments, given that it is finite.
 *
 * @param logSurvival - ln of the probability that it is
 */
export function sampledTransform(law: SampledLaw, logSurvival: number): LossTransform {
  const atoms = law.atoms.reduce((sum, { logMass }) => (logMass > -FAINT ? sum + 1 : sum), 0);
  const terms = Math.ceil((atoms + (law.parts.length > 0 ? NODES : 0)) / TERMS_AT_ONCE);
  let outline: Outline | null = null;
  const outlined = (): Outline => (outline ??= Outline.of(law, logSurvival));
  return {
    ...transformOf(() => law, logSurvival, terms, outlined),
    ...(law.hasJumps && { labelled: (windows) => labelledLoss(law, logSurvival, terms, outlined(), windows) }),
  };
}
