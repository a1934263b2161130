import { enclosure, type Enclosure } from '../numeric/enclosure.ts';
import type { AdaptiveValues } from './br-adaptive-table.ts';

/** Covers the rounding of the few operations below, relative to the larger of x and the step. */
const MARGIN = 1e-12;

/**
 * Where V_k, known on a grid, falls to a target: an interval that contains the crossing as far as the grid shows it,
 * within [from, to], where the crossing is known to lie.
 *
 * In y = e^x, V is convex and decreasing. Upper end: between grid points V lies below the straight line through upper
 * values; the first point where that line is at or below the target. Lower end: beyond two grid points V lies above the
 * line through them; left of the first grid point whose lower value does not exceed the target, that line (made of the
 * lower value there and the upper value after it) shows how far V is still above the target.
 */
export function crossingOnGrid(
  values: AdaptiveValues,
  epsilon: number,
  target: Enclosure,
  from: number,
  to: number,
): Enclosure {
  const { first, step, lower, upper } = values;
  const xOf = (n: number): number => epsilon + (first + n) * step;
  const grow = Math.expm1(step);
  const size = lower.length;
  const margin = (x: number): number => MARGIN * Math.max(Math.abs(x), step);

  let high = to;
  const below = upper.findIndex((value) => value <= target.lower);
  if (below >= 0) {
    const x = xOf(below);
    const before = below > 0 ? upper[below - 1]! : Infinity;
    const share = Number.isFinite(before) ? (before - target.lower) / (before - upper[below]!) : 1;
    const between = below > 0 ? xOf(below - 1) + Math.log1p(share * grow) : x;
    high = Math.min(high, Math.min(x, between) + margin(x));
  }

  let low = from;
  const above = lower.findLastIndex((value) => value > target.upper);
  if (above >= 0) {
    low = Math.max(low, xOf(above) - margin(xOf(above)));
    if (above + 2 < size) {
      const fall = lower[above + 1]! - upper[above + 2]!;
      const share = fall > 0 ? (target.upper - lower[above + 1]!) / fall : Infinity;
      const x = xOf(above + 1) + Math.log1p(-Math.min(share, 0.999) * grow);
      if (share < 0.99) low = Math.max(low, x - margin(x));
    }
  }
  return enclosure(Math.min(low, high), high);
}
