import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U, nextDown, nextUp } from '../../numeric/rounding.ts';
import { enclosure, type Enclosure } from '../../numeric/enclosure.ts';

/** A closed bound on a curve: V(x) <= infinityMass + e^(logFactor - lambda x) for every real x. */
export interface TailBound {
  readonly lambda: number;
  readonly logFactor: number;
  /** Mass that bounding measures put at an infinite loss. */
  readonly infinityMass: number;
}

/**
 * Certified bounds on a curve V (the largest delta as a function of epsilon, for classes that are closed under swapping
 * neighbours) on the states i h.
 *
 * `upper[i]` is at least V(i h), i = 0..size. `accept` and `falseAccept`, at index size + i for i = -size..size, are the
 * probabilities under the two hypotheses that one adversary, who plays as if the state were i h, ends where he says
 * that the first is true: whatever the state x really is, V(x) >= accept - e^x falseAccept.
 */
export interface AdaptiveTable {
  readonly step: number;
  readonly upper: Float64Array;
  readonly accept: Float64Array;
  readonly falseAccept: Float64Array;
  /** The largest loss in steps: V is 0 from there on. */
  readonly largest: number;
  /** Holds everywhere; used beyond the last state. */
  readonly tail: TailBound;
  /** Bound on the relative rounding error of all values. */
  readonly error: number;
}

/** No adversary who gains anything: of a table that says nothing from below, of `size` states on each side. */
export const nothingBelow = (size: number): Pick<AdaptiveTable, 'accept' | 'falseAccept'> => ({
  accept: new Float64Array(2 * size + 1),
  falseAccept: new Float64Array(2 * size + 1).fill(1),
});

/** Relative rounding error of a tail bound's exponential. */
const TAIL_ERROR = 1e-12;

/** Covers what underflows: values this small are not told apart from 0. */
const TINY = 1e-300;

/** The tail bound at x, rounded up. */
const tailAt = ({ lambda, logFactor, infinityMass }: TailBound, x: number): number =>
  Math.min(1, (infinityMass + Math.exp(logFactor - lambda * x)) * (1 + TAIL_ERROR));

/** Tails are followed so far by multiplication, with a rounding each. */
const FOLLOWED = 64;

/** A value above 0, raised to where doubles have all their digits; NaN stays. */
const aboveTiny = (value: number): number => (value < TINY ? TINY : value);

/** Upper bounds at the states -reach..size + reach: beyond the window by the tail bound, below 0 by symmetry. */
export function upperStates(
  { upper, largest, tail }: Pick<AdaptiveTable, 'upper' | 'largest' | 'tail'>,
  h: number,
  size: number,
  reach: number,
  states: Float64Array = new Float64Array(size + 2 * reach + 1),
): Float64Array {
  const inside = Math.min(upper.length, size + reach + 1, Math.ceil(largest));
  for (let i = 0; i < inside; i++) states[reach + i] = aboveTiny(upper[i]!);
  const decay = Math.exp(-tail.lambda * h);
  for (let i = inside, part = 0; i <= size + reach; i++) {
    if ((i - inside) % FOLLOWED === 0) part = Math.exp(tail.logFactor - tail.lambda * (i * h));
    states[i + reach] = i < largest ? aboveTiny(Math.min(1, (tail.infinityMass + part) * (1 + TAIL_ERROR))) : 0;
    part *= decay;
  }
  for (let i = 1; i <= reach; i++) states[reach - i] = -Math.expm1(-i * h) + Math.exp(-i * h) * states[reach + i]!;
  return states;
}

/**
 * Upper bounds at the states -far..far, where those at -size..size are known: `upper` at index size + i. Beyond them by the tail bound of
 * a class that is closed under swapping neighbours, V(-x) = 1 - e^-x + e^-x V(x).
 */
export function statesAround(
  { upper, size, largest, tail }: Pick<AdaptiveTable, 'upper' | 'largest' | 'tail'> & { readonly size: number },
  h: number,
  far: number,
): Float64Array {
  return Float64Array.from({ length: 2 * far + 1 }, (_, index) => {
    const i = index - far;
    if (Math.abs(i) <= size) return i < largest ? aboveTiny(upper[size + i]!) : upper[size + i]!;
    const beyond = Math.abs(i) < largest ? aboveTiny(tailAt(tail, Math.abs(i) * h)) : 0;
    return i > 0 ? beyond : -Math.expm1(i * h) + Math.exp(i * h) * beyond;
  });
}

/** An upper bound on V(x) for x >= 0: between states V, convex in e^x, lies below its piecewise linear interpolation. */
function upperAtPositive(table: AdaptiveTable, x: number): number {
  const { step: h, upper, largest, tail, error } = table;
  // V decreases, so a smaller x covers the rounding of positions.
  const before = Math.max(0, x - 16 * U * (x + h));
  if (before >= largest * h * (1 + 4 * U)) return 0;
  const i = Math.floor(before / h);
  if (i + 1 >= upper.length) return tailAt(tail, before);
  const share = Math.min(1, Math.max(0, Math.expm1(before - i * h) / Math.expm1(h)));
  return Math.min(1, nextUp(((1 - share) * upper[i]! + share * upper[i + 1]!) * (1 + error + 8 * U)) + TINY);
}

/** An upper bound on V(x), x any real: V(-x) = 1 - e^-x + e^-x V(x). */
export function upperAt(table: AdaptiveTable, x: number): number {
  if (x >= 0) return upperAtPositive(table, x);
  const mirrored = -Math.expm1(x) + Math.exp(x) * upperAtPositive(table, -x);
  return Math.min(1, nextUp(mirrored * (1 + 4 * ELEMENTARY_ERROR)));
}

/** The gain accept - e^x falseAccept of the adversary of state i at x, rounded down. */
function gainAt({ accept, falseAccept, error }: AdaptiveTable, index: number, x: number): number {
  const cost = Math.exp(x) * (1 + ELEMENTARY_ERROR) * (falseAccept[index]! * (1 + error) + TINY);
  return nextDown(accept[index]! * (1 - error) - cost * (1 + 2 * U)) - TINY;
}

/** The adversary of the state nearest to x: how likely he is to say "first", rounded to the safe side. */
export function adversaryNear(table: AdaptiveTable, x: number): { accept: number; falseAccept: number } {
  const { step, upper, accept, falseAccept, error } = table;
  const size = upper.length - 1;
  const i = Math.round(x / step);
  if (i > size) return { accept: 0, falseAccept: 0 };
  if (i < -size) return { accept: 1, falseAccept: 1 };
  return {
    accept: Math.max(0, accept[size + i]! * (1 - error) - TINY),
    falseAccept: falseAccept[size + i]! * (1 + error) + TINY,
  };
}

/** A lower bound on V(x), x any real: what the adversaries of the nearest states gain. */
export function lowerAt(table: AdaptiveTable, x: number): number {
  const size = table.upper.length - 1;
  const nearest = Math.max(-size, Math.min(size, Math.round(x / table.step)));
  let best = Math.max(0, nextDown(-Math.expm1(x) * (1 - ELEMENTARY_ERROR)));
  for (let i = Math.max(-size, nearest - 1); i <= Math.min(size, nearest + 1); i++) {
    best = Math.max(best, gainAt(table, size + i, x));
  }
  return best;
}

/** Covers the rounding of the few operations below, relative to the larger of x and the step. */
const MARGIN = 1e-12;

/** The adversaries that are looked at for a crossing: those of the last states that gain more than the target. */
const NEAREST = 4;

/** A whole number from `from` - 1 to `to` up to which a condition that ends once holds: `from` - 1 where it does not hold at all. */
function lastWhere(holds: (i: number) => boolean, from: number, to: number): number {
  let [last, beyond] = [from - 1, to + 1];
  while (beyond - last > 1) {
    const middle = (last + beyond) >> 1;
    if (holds(middle)) last = middle;
    else beyond = middle;
  }
  return last;
}

/**
 * Where V falls to a target in (0, 1): an interval of epsilon >= 0 that contains the crossing.
 *
 * From above: a state whose bound exceeds the target before one whose bound does not, and the straight line (in e^x) between them.
 * From below: every adversary gains more than the target up to x = ln((accept - target) / falseAccept).
 */
export function crossing(table: AdaptiveTable, target: Enclosure): Enclosure {
  const { step: h, upper, accept, falseAccept, largest, tail, error } = table;
  const outward = (x: number): number => x + MARGIN * Math.max(Math.abs(x), h);
  const bound = (i: number): number => upper[i]! * (1 + error) + TINY;
  const size = upper.length - 1;
  // What is not a number must not look like a small value.
  const last = lastWhere((i) => !(bound(i) <= target.lower), 0, size);

  const above = (): number => {
    if (last < 0) return 0;
    if (last < size) {
      const share = (bound(last) - target.lower) / (bound(last) - bound(last + 1));
      return outward(last * h + Math.log1p(Math.min(1, share) * Math.expm1(h)));
    }
    const spare = target.lower * (1 - TAIL_ERROR) - tail.infinityMass;
    const beyond = spare > 0 ? (tail.logFactor + TAIL_ERROR - Math.log(spare)) / tail.lambda : Infinity;
    return outward(Math.min(largest * h, Math.max(last * h, beyond)));
  };

  const spareOf = (index: number): number => accept[index]! * (1 - error) - TINY - target.upper * (1 + 2 * U);
  const gains = (index: number): boolean =>
    spareOf(index) > Math.exp((index - size) * h) * (falseAccept[index]! * (1 + error) + TINY);
  const nearest = lastWhere(gains, size, 2 * size);
  let below = 0;
  for (let index = Math.max(size, nearest - NEAREST); index <= Math.min(2 * size, nearest + NEAREST); index++) {
    const spare = spareOf(index);
    if (!(spare > 0)) continue;
    const x = Math.log(spare / (falseAccept[index]! * (1 + error) + TINY));
    below = Math.max(below, x - MARGIN * Math.max(Math.abs(x), h) - (4 * U * accept[index]!) / spare);
  }
  const high = above();
  return enclosure(Math.min(below, high), high);
}
