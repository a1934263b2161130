import type { ChordEnds, Chords } from './adaptive-chords.ts';

/** What states reach, and the caller's number of the chord that leads there: `from` plus the place of a time near its own. */
export interface Envelope {
  readonly values: Float64Array;
  readonly chosen: Int32Array;
}

/** Part of its width by which the states of an arc are widened, for the rounding of its ends. */
const WIDENED = 1e-3;

/** On pieces that are narrower a root is its series. */
const NARROW = 1e-9;

/** The chords of one state after the other that begin at times[first] to times[last]; the first state has its place at `origin` in the ends. */
interface Range {
  readonly origin: number;
  readonly first: number;
  readonly last: number;
}

/** Whether a value replaces the best so far; what is not a number stays, as it must not look like a small value. */
const isAbove = (value: number, best: number): boolean => value > best || Number.isNaN(value);

/** The last state whose chords do not rise along all of a piece that has no arc; those of a straight piece are all alike. */
const endOfStraight = (c: number, p: number, size: number): number => (c >= 0 && p <= 0 && c > p ? size : -1);

/** Raises all states to the chord that begins at the r-th time. */
function raiseAt(
  r: number,
  { stride, cells, down, up }: Chords,
  { low, high }: ChordEnds,
  origin: number,
  { values, chosen }: Envelope,
  from: number,
): void {
  const toLow = down[r]!;
  const toHigh = up[r]!;
  const shift = stride * cells;
  for (let q = 0, at = origin - r; q < values.length; q++, at += stride) {
    const value = toLow * low[at]! + toHigh * high[at + shift]!;
    if (!isAbove(value, values[q]!)) continue;
    values[q] = value;
    chosen[q] = from + r;
  }
}

/** Raises the states `least` to `most` to the chord whose low end is the n-th. */
function raiseFrom(
  n: number,
  least: number,
  most: number,
  chords: Chords,
  { low, high }: ChordEnds,
  { origin, first, last }: Range,
  { values, chosen }: Envelope,
  from: number,
): void {
  const { stride, cells, down, up } = chords;
  const to = Math.min(values.length - 1, most, Math.floor((n + last) / stride));
  for (let q = Math.max(0, least, Math.ceil((n + first) / stride)); q <= to; q++) {
    const r = stride * q - n;
    const value = down[r]! * low[origin + n]! + up[r]! * high[origin + n + stride * cells]!;
    if (!isAbove(value, values[q]!)) continue;
    values[q] = value;
    chosen[q] = from + r;
  }
}

/**
 * Raises the values of neighbouring states to their highest chords of a curve, given its values on the grid: chords of the piecewise
 * linear interpolation in y = e^x.
 *
 * The chord with low end a and high end g a, g = e^e, passes y at (1 - w) V(a) + w V(g a), w = (y / a - 1) / (g - 1). Let a run
 * from b to b (1 + d) through a piece where both ends are on straight lines, which begin at H0 and H2 and rise by D0 and D2. With a = b (1 + z)
 * that is a constant minus (C (1 + z) + P (y / b) / (1 + z)) / (g - 1),
 *
 *   C = (D2 - D0) / d - (g - 1) D0 / d,  P = H0 - H2 + (D2 - D0) / d.
 *
 * Where both are positive it has one maximum, at (1 + z)^2 = P y / (C b), inside the piece for the few states with
 * 1 <= P y / (C b) <= (1 + d)^2: those are raised to it (the arc). For all others chords rise or fall along the whole piece, and the
 * highest begin where a piece that rises meets one that falls. On a convex curve the states of neighbouring pieces overlap, and there is
 * no such place. By rounding and at the edge of a window there are: then the states between are raised to the chord that begins there.
 * So no local maximum is missed, whatever the values are, and nothing is searched.
 *
 * Rounding. Values above 0 are at least 1e-300, so that what underflows is far smaller than they are. Differences of neighbouring values are exact within a factor of two. Where V is convex in x, C and P are sums of positive terms;
 * an error of z counts squared, and values are sums of positive terms with 40 roundings. Where V is concave in x, its slope is at most
 * 1 - V and V not small, and a piece whose arc is misjudged by more than {@link WIDENED} is flat to 40 roundings of V. STEP_ERROR covers both.
 *
 * Source: derived.
 *
 * @param from - the number of the first chord
 */
export function raiseToChords(chords: Chords, ends: ChordEnds, range: Range, envelope: Envelope, from: number): void {
  const { cells, stride, growth, rises, falls, widths, times } = chords;
  const { low: lows, high: highs } = ends;
  const { origin, first, last } = range;
  const { values, chosen } = envelope;
  const size = values.length - 1;
  const shift = stride * cells;
  const g = growth + 1;
  const perGrowth = 1 / growth;
  const [even, odd] = widths;
  const [perEven, perOdd] = [1 / even, 1 / odd];
  raiseAt(first, chords, ends, origin, envelope, from);
  // Both are the value itself where all of the times are there.
  if (first > 0 || last < times.length - 1) raiseAt(last, chords, ends, origin, envelope, from);
  let q = 0;
  /** The last state of the arc of the piece before; the chords of those after it rise along that piece. */
  let ended = -1;
  for (let n = -last; n < stride * size - first; n++) {
    const at = origin + n;
    const isOdd = (n & 1) === 1;
    const d = isOdd ? odd : even;
    const inverse = isOdd ? perOdd : perEven;
    const h0 = lows[at]!;
    const h1 = lows[at + 1]!;
    const h2 = highs[at + shift]!;
    const h3 = highs[at + shift + 1]!;
    const slope = growth * inverse * (h1 - h0);
    const bend = (h3 - h2 - (h1 - h0)) * inverse;
    const fall = h0 - h2;
    const c = bend - slope;
    const p = fall + bend;
    // C ((1 + z)^2 - 1) = P (y / b - 1) + offset lies between 0 and C d (2 + d).
    const hasArc = c > 0 && p > 0;
    const offset = fall + slope;
    const width = d * (2 + d) * c;
    const least = -WIDENED * width;
    const most = (1 + WIDENED) * width;
    while (stride * q - n <= first) q++;
    let r = stride * q - n;
    while (q > 0 && r - stride > first) {
      q--;
      r -= stride;
      if (p * rises[r]! + offset < least) break;
    }
    while (r <= last && p * rises[r]! + offset < least) {
      q++;
      r += stride;
    }
    const begins = hasArc ? q : c <= 0 && p >= 0 ? 0 : size + 1;
    if (begins > ended + 1) raiseFrom(n, ended + 1, begins - 1, chords, ends, range, envelope, from);
    if (!hasArc) {
      ended = endOfStraight(c, p, size);
      continue;
    }
    // z at the end of the piece, squared and so on: no more is needed, and what underflows may say more.
    const end = d * (2 + d);
    let state = q;
    for (; r <= last && state <= size; state++, r += stride) {
      const rise = rises[r]!;
      const place = p * rise + offset;
      if (place > most) break;
      const square = place > 0 ? Math.min(place / c, end) : 0;
      const there = d < NARROW ? square * (0.5 - 0.125 * square) : Math.sqrt(1 + square) - 1;
      const z = there < d ? there : d;
      const share = z * inverse;
      const low = h0 * (1 - share) + h1 * share;
      const high = h2 * (1 - share) + h3 * share;
      const value = (((falls[r]! + g * z) * low + (rise - z) * high) * perGrowth) / (1 + z);
      if (!isAbove(value, values[state]!)) continue;
      values[state] = value;
      chosen[state] = share > 0.5 ? from + r - 1 : from + r;
    }
    ended = state - 1;
  }
}
