import type { Approximate } from '../enclosure.ts';
import { UNIT_ROUNDOFF as U } from '../rounding.ts';

/** ln of E[e^((c + it) L)] / E[e^(c L)], in doubles. */
export interface LogRatio {
  /** Its real part: at most 0 but for rounding. */
  modulus: number;
  /** Its imaginary part, up to whole turns. */
  angle: number;
  /** Bounds the absolute error of both; Infinity where the real part is an upper bound and the angle is not known. */
  error: number;
}

/** E[e^((c + it) L)] / E[e^(c L)] - 1 at nodes that follow each other. */
export interface Ratios {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Bounds the error of both parts together. */
  readonly error: Float64Array;
}

/** A loss on a vertical line of the complex plane: its law under the tilt e^(c L), c the place of the line. */
export interface LineTransform {
  /** How many terms each of its values is a sum of, about; absent: as many as on other lines. */
  readonly terms?: number;
  /** At least the standard deviation under the tilt, so that |E e^(itL)| changes by no more than this times the change of t. */
  readonly deviation: number;
  /** About the mean under the tilt; absent: found from moments. */
  readonly mean?: number;
  /** Bounds the real part at all t +- radius, no better than `enough`; absent: found from the deviation. */
  readonly logMost?: (t: number, radius: number, enough: number) => number;
  /** Bounds the real part at all places from t on, no better than `enough`; falls with t. Absent: nothing is known. */
  readonly logMostFrom?: (t: number, enough: number) => number;
  /** Writes the ratio at c + it, t >= 0; `t` may have a relative error of four roundings. */
  readonly at: (t: number, ratio: LogRatio) => void;
  /** Writes the ratios at t = first h, (first + 1) h, ...; absent: one by one. */
  readonly fill?: (h: number, first: number, count: number, ratios: Ratios) => void;
}

/** What is known of a loss, or of a labelled part of it, near a tilt; without a bound on its error. */
export interface About {
  /** ln M(c), its slope and its curvature. */
  readonly value: number;
  readonly mean: number;
  readonly variance: number;
}

/** A line with moments on it. */
export interface LineMoments {
  readonly line: LineTransform;
  /** ln M(c), and at other places. */
  readonly moment: Approximate;
  readonly others: readonly Approximate[];
}

/** Losses between which a label passes from 0 to 1. */
export interface LossWindow {
  readonly from: number;
  readonly to: number;
}

/**
 * Labels that every step draws from its outcome alone, so that the pair of distributions is no other with them: `beyond` for losses
 * above its window; `jump` for those above its own that have not been drawn for the first; null where there is none.
 */
export interface LossLabels {
  readonly beyond: LossWindow;
  readonly jump: LossWindow | null;
}

/** A loss by its labels. */
export interface LabelledLoss {
  /** M(z) of what has no label. */
  readonly bulk: LossTransform;
  /** null where next to none is a jump. */
  readonly jump: LossTransform | null;
  readonly beyond: BeyondLoss;
  /** ln of at most the probability that has been left out of all three. */
  readonly logLost: number;
}

/** The losses that have the label `beyond`. */
export interface BeyondLoss {
  /** At least ln of their probability. */
  readonly logMost: () => number;
  /** About ln E[e^(cL)] of them, c <= -1. */
  readonly about: (c: number) => number;
  /** ln of their probability, of E[e^-L] of them, which is that under the other distribution, and of E[e^(cL)]; null where they are not known. */
  readonly moments: (c: number) => readonly [own: Approximate, other: Approximate, at: Approximate] | null;
}

/** A loss with atoms and a density besides, under a tilt. */
interface BesideAtoms {
  /** At least the share of the atoms. */
  readonly atoms: number;
  /** The density's part of E[e^((c + it) L)] / E[e^(c L)] is at most `fall` / t. */
  readonly fall: number;
}

/** The moment generating function of a privacy loss that is finite, M(z) = E[e^(zL)] under the distribution whose loss it is. */
export interface LossTransform {
  /** How many terms each of its values is a sum of, about; absent: few. */
  readonly terms?: number;
  /** ln M(c), for c > -1. */
  readonly logMoment: (c: number) => Approximate;
  /** Whether E[e^-L] is known to be 1: every outcome is possible under both distributions. */
  readonly isMutual?: boolean;
  readonly on: (c: number) => LineTransform;
  /** Absent: it has no atoms besides a density. */
  readonly besideAtoms?: (c: number) => BesideAtoms;
  /** A line that serves t up to `last`, with moments at other places; absent: `on` and `logMoment`. */
  readonly lineWith?: (c: number, others: readonly number[], last: number) => LineMoments;
  /** Absent: found from `logMoment` and `on`. */
  readonly about?: (c: number) => About;
  /** About what |L| exceeds with a probability of 3 in 10; absent: its deviation. */
  readonly typical?: () => number;
  /** Absent: it bears no labels. */
  readonly labelled?: (labels: LossLabels) => LabelledLoss;
}

/** A line with moments at other places. */
export const lineWith = (transform: LossTransform, c: number, others: readonly number[], last: number): LineMoments =>
  transform.lineWith?.(c, others, last) ?? {
    line: transform.on(c),
    moment: transform.logMoment(c),
    others: others.map((place) => transform.logMoment(place)),
  };

const NOTHING: Approximate = { value: 0, error: 0 };

/** ln E[e^-L]: of the finite losses, the probability under the other distribution over that under this one. */
export const logOtherOf = (transform: LossTransform): Approximate =>
  transform.isMutual === true ? NOTHING : transform.logMoment(-1);

/** Over 1 and the deviation, for a difference quotient. */
const SMALL = 1e-4;

/** About ln M(c), its slope and its curvature. */
export function aboutOf(transform: LossTransform, c: number): About {
  if (transform.about) return transform.about(c);
  const { value } = transform.logMoment(c);
  const { deviation, mean } = transform.on(c);
  if (mean !== undefined) return { value, mean, variance: deviation ** 2 };
  const nearest = c === 0 ? 1 : Math.min(Math.abs(c), Math.abs(1 + c));
  const h = SMALL * Math.min(nearest, 1 / (deviation + 1e-300));
  const slope = (transform.logMoment(c + h).value - transform.logMoment(c - h).value) / (2 * h);
  return { value, mean: slope, variance: deviation ** 2 };
}

/** Writes that a ratio of at most this modulus is not known further. */
function writeSmall(bound: number, ratio: LogRatio): void {
  ratio.modulus = Math.min(0, Math.log(bound) + 1e-9);
  ratio.angle = 0;
  ratio.error = Infinity;
}

/**
 * Writes the logarithm of 1 + x + iy, where x and y together have an absolute error of at most `error`.
 *
 * The squared modulus less 1 is 2x + x^2 + y^2, which is small where x and y are. What is off by d relatively moves the
 * logarithm by at most d / (1 - d).
 */
export function writeLogRatio(x: number, y: number, error: number, ratio: LogRatio): void {
  const excess = 2 * x + x * x + y * y;
  const far = excess < -0.5;
  const square = far ? (1 + x) ** 2 + y * y : 1 + excess;
  const modulus = Math.sqrt(square);
  const rounding = far
    ? 4 * U
    : 4 * U * (Math.abs(x) + Math.abs(y)) + (6 * U * (2 * Math.abs(x) + x * x + y * y)) / modulus;
  const off = (error + rounding) / modulus;
  if (!(off < 0.25)) {
    writeSmall(modulus + error + rounding, ratio);
    return;
  }
  ratio.modulus = far ? Math.log(modulus) : 0.5 * Math.log1p(excess);
  ratio.angle = Math.atan2(y, 1 + x);
  ratio.error = off / (1 - off) + 8 * U * (Math.abs(ratio.modulus) + Math.abs(ratio.angle));
}
