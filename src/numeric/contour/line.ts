import { minimiseOnLogScale } from '../minimise.ts';
import { composedMoment, deviationAt, type ComposedLoss } from './composed-loss.ts';

/**
 * Which integral is taken. above: delta itself, from the right of both poles; below: 1 - delta, from between them, where
 * delta is near 1.
 */
export type Side = 'above' | 'below';

/** Where a vertical line crosses the real axis, and how far from it the integrand is worth looking at. */
export interface Line {
  readonly side: Side;
  readonly c: number;
}

const MOST = 1e15;
/** Nearer to a pole than this, over 1 and the deviation, the nodes would be too many. */
const FROM_POLE = 0.01;
/** Nearer to the middle than this the moments of some losses are not known well. */
const FROM_MIDDLE = 0.02;
const SECTIONS = 32;
/** For a difference quotient, over 1 and the deviation. */
const SMALL = 1e-4;

/** On which side an epsilon is: below where it is so far under the mean of the loss that delta is not small. */
export function sideOf(loss: ComposedLoss, epsilon: number): Side {
  const deviation = deviationAt(loss, 0);
  const c = SMALL / (1 + deviation);
  const mean = (composedMoment(loss, c).value - composedMoment(loss, -c).value) / (2 * c);
  return epsilon < mean - deviation && deviation > 1 ? 'below' : 'above';
}

/**
 * The line on which the integrand falls off fastest to both sides: the saddle point of
 * e^(K(c) - c epsilon) / |c (c + 1)|. Any other line is as correct.
 */
export function lineFor(loss: ComposedLoss, epsilon: number, side: Side): Line {
  const height = (c: number): number =>
    composedMoment(loss, c).value - c * epsilon - Math.log(Math.abs(c)) - Math.log1p(c);
  const least = FROM_POLE / (1 + deviationAt(loss, 0));
  if (side === 'above') return { side, c: minimiseOnLogScale(height, least, MOST, SECTIONS) };
  const between = (odds: number): number => -1 / (1 + odds);
  const c = between(minimiseOnLogScale((odds) => height(between(odds)), least, 1 / least, SECTIONS));
  const off = c + 0.5;
  return { side, c: Math.abs(off) < FROM_MIDDLE ? -0.5 + FROM_MIDDLE * (off < 0 ? -1 : 1) : c };
}
