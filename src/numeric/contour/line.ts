import { minimiseOnLogScale } from '../minimise.ts';
import { composedMoment, type ComposedLoss } from './composed-loss.ts';

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

const [LEAST, MOST] = [1e-10, 1e15];
/** How far between the poles a line may be from them, as a ratio. */
const MOST_ODDS = 1e12;
/** Nearer to the middle than this the moments of some losses are not known well. */
const FROM_MIDDLE = 0.02;
const SECTIONS = 32;

/**
 * The line on which the integrand falls off fastest to both sides: the saddle point of
 * e^(K(c) - c epsilon) / |c (c + 1)|. Any other line is as correct.
 */
export function lineFor(loss: ComposedLoss, epsilon: number, side: Side): Line {
  const height = (c: number): number =>
    composedMoment(loss, c).value - c * epsilon - Math.log(Math.abs(c)) - Math.log1p(c);
  if (side === 'above') return { side, c: minimiseOnLogScale(height, LEAST, MOST, SECTIONS) };
  const between = (odds: number): number => -1 / (1 + odds);
  const c = between(minimiseOnLogScale((odds) => height(between(odds)), 1 / MOST_ODDS, MOST_ODDS, SECTIONS));
  const off = c + 0.5;
  return { side, c: Math.abs(off) < FROM_MIDDLE ? -0.5 + FROM_MIDDLE * (off < 0 ? -1 : 1) : c };
}
