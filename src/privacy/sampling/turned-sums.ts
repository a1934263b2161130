import { BLOCK } from '../../numeric/contour/nodes.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { TiltedMeasure } from './tilted-measure.ts';

/** A node that has fallen below e^-FADED of its weight is not turned any more. */
const FADED = 45;

/** Sums E[e^(cL) (e^(itL) - 1)] / E[e^(cL)] at t = first h, (first + 1) h, ... */
export interface TurnedSums {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/**
 * Writes the sums for `count` <= BLOCK values of t. With z = e^(ih ln g), z^(k+1) - 1 = (z^k - 1) z + (z - 1), in which nothing
 * cancels: each is within 12 BLOCK roundings of the largest in its block.
 */
export function writeTurnedSums(
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
export function errorOfSums(
  { re, extent, lossOff, weightOff, leveredOff, off, beyond }: TiltedMeasure,
  t: number,
): number {
  return (
    t * (lossOff + 8 * U * extent + off) +
    2 * Math.min(t * leveredOff, 2 * weightOff) +
    (2 * re.length + 24 * BLOCK + 64) * U * Math.min(4, extent * t) +
    2 * beyond
  );
}
