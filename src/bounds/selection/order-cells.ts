import { enclosure, exactly, type UpperBound } from '../../numeric/enclosure.ts';
import { exponential, negate } from '../../numeric/enclosure-arithmetic.ts';
import { nextUp } from '../../numeric/rounding.ts';
import type { RunCount } from '../../privacy/selection/run-law.ts';
import { MOST, spaced, type RunProfile } from './run-profile.ts';

/**
 * The cells of the best-so-far probability a of one run: at their upper ends a', and at their lower ends the least probability
 * tau(a) that a test of probability a has under the neighbor.
 *
 * f' grows, so that within a cell f'(x) is at most m s and f'(tau(x)) at least m t.
 */
export interface OrderCells {
  /** ln(f'(a') / m), rounded up, of each cell; not falling. */
  readonly logS: Float64Array;
  /** ln(f'(tau(a)) / m), rounded down. */
  readonly logT: Float64Array;
}

/** How many cells there are, and how far down f' is looked at: what is below counts as nothing beside a delta. */
const CELLS = 16384;
const DEEPEST = -70;

/** A slope at 0 of -rise, about. */
const SLOPE_STEP = 1e-12;
/** What of tau may be lost, in parts of what moves f' by as much. */
const NEGLIGIBLE = 1e-6;
/** Lines are two steps apart, or this part of their epsilon. */
const GROWTH = 2 ** -6;

/** A test of probability 1 - c under Q has at most 1 - (height + slope c) less under Q': its complement has that at most. */
interface Line {
  readonly slope: number;
  readonly height: number;
}

/**
 * The lines e^x c + delta'(x), delta' the profile of the exchanged neighbors: at most so much probability has under the neighbor
 * what has probability c.
 */
function linesOf(exchanged: RunProfile, tolerance: number): Line[] {
  const lineAt = (x: number): Line => ({ slope: nextUp(Math.exp(x) * (1 + 2 ** -48)), height: exchanged.delta(x) });
  const most = Math.min(MOST, exchanged.largest);
  const epsilons = spaced(2 * exchanged.step, GROWTH, most, (x) => exchanged.delta(x) <= tolerance);
  return [
    ...epsilons
      .slice(1)
      .map((x) => -x)
      .reverse(),
    ...epsilons,
  ].map(lineAt);
}

/** The cells of a law of runs and of one order of the neighbors, given the profile of the exchanged one. */
export function orderCells(count: RunCount, exchanged: RunProfile): OrderCells {
  const { rise, place } = count;
  const slope = Math.max(1e-9, negate(rise(exactly(SLOPE_STEP))).upper / SLOPE_STEP);
  const lines = linesOf(exchanged, NEGLIGIBLE / slope);
  const deepest = Math.max(DEEPEST, rise(exactly(1)).lower);
  const logS = new Float64Array(CELLS);
  const logT = new Float64Array(CELLS);
  let [c, at] = [1, 0];
  const valueOf = (index: number): number => {
    const { slope: steepness, height } = lines[index]!;
    return nextUp(nextUp(steepness * c) + height);
  };
  for (let i = 0; i < CELLS; i++) {
    while (at + 1 < lines.length && valueOf(at + 1) <= valueOf(at)) at++;
    const most = Math.min(1, Math.max(c, valueOf(at)));
    logT[i] = rise(enclosure(most, most)).lower;
    const next = i + 1 === CELLS ? 0 : Math.min(c, Math.max(0, place((deepest * (CELLS - 1 - i)) / CELLS)));
    logS[i] = rise(exactly(next)).upper;
    c = next;
  }
  return { logS, logT };
}

/** Parts of the claim: the profile of one run, moved by so much, counts so often. */
export interface ShiftedParts {
  readonly weights: Float64Array;
  readonly shifts: Float64Array;
}

/** What the corners of a hull may have lost to rounding, as part of t. */
const LOST = 1e-10;

/**
 * The slopes of the lower convex hull of the points (s, t) of all cells and (0, 0): over each edge the weight is what s gains, and the
 * shift ln of the slope.
 *
 * A corner that rounding leaves out is above the chord that passes it but for 8 roundings of its t: products of differences of doubles
 * are right to 3 roundings each. Over all corners that is less than 1e-10 of t, by which every t is lowered.
 */
export function shiftedParts({ logS, logT }: OrderCells): ShiftedParts {
  const [s, t]: [number[], number[]] = [[0], [0]];
  for (let i = 0; i < logS.length; i++) {
    const x = exponential(exactly(logS[i]!)).upper;
    const y = exponential(exactly(logT[i]!)).lower;
    for (;;) {
      const last = s.length - 1;
      if (last < 1) break;
      const [before, own] = [(t[last]! - t[last - 1]!) * (x - s[last]!), (y - t[last]!) * (s[last]! - s[last - 1]!)];
      if (before < own) break;
      s.pop();
      t.pop();
    }
    s.push(x);
    t.push(y);
  }
  const edges = s.slice(1).map((x, i) => ({ weight: x - s[i]!, slope: (t[i + 1]! - t[i]!) / (x - s[i]!) }));
  const used = edges.filter(({ weight }) => weight > 0);
  return {
    weights: Float64Array.from(used, ({ weight }) => weight),
    shifts: Float64Array.from(used, ({ slope }) => Math.log(Math.max(0, slope)) - LOST - 2 ** -40),
  };
}

/**
 * At least the delta of a selection at an epsilon of at least 0: m times the sum of weights times the delta of one run at the epsilon
 * plus the shift.
 */
export function deltaOfSelection(
  epsilon: number,
  { weights, shifts }: ShiftedParts,
  { mean }: RunCount,
  profile: RunProfile,
): UpperBound {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i]! * profile.delta(epsilon + shifts[i]!);
  return nextUp(Math.min(1, nextUp(sum * (1 + weights.length * 2 ** -50)) * mean.upper)) as UpperBound;
}
