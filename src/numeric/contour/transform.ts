import type { Approximate } from '../approximate.ts';

/** ln of E[e^((c + it) L)] / E[e^(c L)], in doubles. */
export interface LogRatio {
  /** Its real part: at most 0 but for rounding. */
  modulus: number;
  /** Its imaginary part, up to whole turns. */
  angle: number;
  /** Bounds the absolute error of both; Infinity where the real part is an upper bound and the angle is not known. */
  error: number;
}

/** A loss on a vertical line of the complex plane: its law under the tilt e^(c L), c the place of the line. */
export interface LineTransform {
  /** At least the standard deviation under the tilt, so that |E e^(itL)| changes by no more than this times the change of t. */
  readonly deviation: number;
  /** About the mean under the tilt; absent: found from moments. */
  readonly mean?: number;
  /** Bounds the real part at all t +- radius, no better than `enough`; absent: found from the deviation. */
  readonly logMost?: (t: number, radius: number, enough: number) => number;
  /** Writes the ratio at c + it, t >= 0; `t` may have a relative error of four roundings. */
  readonly at: (t: number, ratio: LogRatio) => void;
}

/** The moment generating function of a privacy loss that is finite, M(z) = E[e^(zL)] under the distribution whose loss it is. */
export interface LossTransform {
  /** How many terms each of its values is a sum of, about; absent: few. */
  readonly terms?: number;
  /** Whether |E e^(itL)| stays near 1 so long that contours of a few such losses end late; absent: no, or nothing quicker is known. */
  readonly isSlowToDecay?: true;
  /** Of fewer such losses alone |E e^(itL)| keeps so far from 0 that contours end late; absent: of none. */
  readonly fewest?: number;
  /** ln M(c), for c > -1. */
  readonly logMoment: (c: number) => Approximate;
  readonly on: (c: number) => LineTransform;
}
