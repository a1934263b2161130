/** A bounded-range parameter on a grid of states: e = (cells + fraction) h, exactly. */
export interface GridParameter {
  readonly cells: number;
  /** At least 0 and below 1, a multiple of 2^-20, so that its complement is exact too. */
  readonly fraction: number;
}

/**
 * The chords that one mechanism of e-bounded range offers from a grid state: with t in [0, e] and u = e^-t, the state x
 * moves to x - t (down, probability q_t) or to x - t + e (up). `times` are the t at which one of the two ends is on the
 * grid; between them both ends stay within one grid cell.
 */
export interface Chords extends GridParameter {
  readonly e: number;
  /** How many of the times fall on one grid cell: 1 where e is a multiple of the step, else 2. */
  readonly stride: 1 | 2;
  readonly times: Float64Array;
  /** q_t = (1 - e^(t-e)) / (1 - e^-e) and 1 - q_t = (e^(t-e) - e^-e) / (1 - e^-e) at the times. */
  readonly down: Float64Array;
  readonly up: Float64Array;
  /** u = e^-t at the times, and 1 - u: differences keep their digits in the smaller of the two. */
  readonly points: Float64Array;
  readonly depths: Float64Array;
  /** e^e - 1; the slope of q_t in u is 1 / (u^2 (e^e - 1)), and that is it at the times. */
  readonly growth: number;
  readonly slopes: Float64Array;
}

/** The chords of a parameter on a grid of step h. */
export function chordsOf({ cells, fraction }: GridParameter, h: number): Chords {
  const stride = fraction === 0 ? 1 : 2;
  const last = stride === 1 ? cells : 2 * cells + 1;
  const whole = cells + fraction;
  const e = whole * h;
  const inCells = Float64Array.from({ length: last + 1 }, (_, r) =>
    stride === 1 ? r : r % 2 === 0 ? r / 2 : (r - 1) / 2 + fraction,
  );
  const scale = -Math.expm1(-e);
  const times = inCells.map((t) => t * h);
  const points = times.map((t) => Math.exp(-t));
  const growth = Math.expm1(e);
  return {
    cells,
    fraction,
    e,
    stride,
    times,
    down: inCells.map((t) => -Math.expm1((t - whole) * h) / scale),
    up: inCells.map((t) => (Math.exp((t - whole) * h) * -Math.expm1(-t * h)) / scale),
    points,
    depths: times.map((t) => -Math.expm1(-t)),
    growth,
    slopes: points.map((u) => 1 / (u * u * growth)),
  };
}

/** The ends of the chords: values of the piecewise linear interpolation where the two ends come to stand. */
export interface ChordEnds {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/**
 * The ends from the values on a grid: `low[stride n - r]` is the value at x_n - times[r], and `high[stride (n + cells) - r]`
 * that at x_n - times[r] + e. Between grid points values are interpolated linearly in e^x.
 */
export function chordEnds({ stride, fraction }: Chords, h: number, values: Float64Array): ChordEnds {
  if (stride === 1) return { low: values, high: values };
  const size = values.length;
  const [low, high] = [new Float64Array(2 * size), new Float64Array(2 * size)];
  const cell = Math.expm1(h);
  /** The share of the upper grid point at `part` of a cell, and of the lower one. */
  const shares = (part: number): [number, number] => [
    Math.expm1(part * h) / cell,
    (Math.exp(part * h) * Math.expm1((1 - part) * h)) / cell,
  ];
  const [toUpper, toLower] = shares(fraction);
  const [fromUpper, fromLower] = shares(1 - fraction);
  for (let n = 0; n < size; n++) {
    low[2 * n] = values[n]!;
    if (n > 0) low[2 * n - 1] = fromLower * values[n - 1]! + fromUpper * values[n]!;
    high[2 * n] = n + 1 < size ? toLower * values[n]! + toUpper * values[n + 1]! : values[n]!;
    if (n > 0) high[2 * n - 1] = values[n]!;
  }
  return { low, high };
}

/** The highest chord: a bound on it, and a time close to its own, as its place among those of the chords. */
export interface ChordFound {
  readonly bound: number;
  readonly time: number;
}

/** The time to which chords rise, from a time to its neighbours. */
function climb(
  chords: Chords,
  ends: ChordEnds,
  low: number,
  high: number,
  start: number,
  first: number,
  last: number,
): number {
  const { down, up } = chords;
  const { low: lows, high: highs } = ends;
  let time = start;
  let best = down[time]! * lows[low - time]! + up[time]! * highs[high - time]!;
  for (let direction = -1; direction <= 1; direction += 2) {
    for (let r = time + direction; r >= first && r <= last; r += direction) {
      const chord = down[r]! * lows[low - r]! + up[r]! * highs[high - r]!;
      if (chord <= best) break;
      best = chord;
      time = r;
    }
  }
  return time;
}

/**
 * How much farther from the best time the next range ends. With f'' = -c around it, straight lines through the ends of a
 * range from d to d + w have the curvature -2c: their chords exceed the best one only from w = 2 (1 + sqrt 2) d on.
 */
const FARTHER = 5;

/** Memory for the places that wait in {@link highestChord}: ranges are cut in halves, so few wait at once. */
export const placesInWait = (): Int32Array => new Int32Array(64);

/**
 * Bounds all chords of V from one state, t in [0, e] real, given upper bounds of V on the grid. A range of times is
 * bounded by the chords between the straight lines through the values at its two ends: V is convex in e^x, so it lies
 * below them. Such a chord is A + B u + C / u in u = e^-t: convex or monotone, so that its ends are highest, or, with slopes (per
 * width of the range) that rise at its lower u and fall at its upper u, concave; then the tangent at any point bounds
 * it, and the point is where a parabola through the two slopes has its top, so that the tangent is nearly flat. Ranges
 * whose bound does not exceed what was found are done with, others are cut in halves down to single pieces, whose
 * bounds count. The first ranges grow with the distance from the best time on the grid.
 *
 * u q_t and u (1 - q_t) are linear in u, so the weights inside come from those at the ends: for small e no t could be
 * told from u in doubles.
 *
 * `low` and `high` are the places of the state in the ends: stride n and stride (n + cells). `start` is the time where the
 * search begins: any choice is sound, that of a neighbouring state is quick. Ranges that are to be searched lie between
 * neighbouring places of `waiting`, the next one at its end.
 */
export function highestChord(
  chords: Chords,
  ends: ChordEnds,
  low: number,
  high: number,
  start: number,
  waiting = placesInWait(),
  first = 0,
  last = chords.down.length - 1,
): ChordFound {
  const { down, up, points, depths, slopes, growth } = chords;
  const { low: lows, high: highs } = ends;
  const found = climb(chords, ends, low, high, Math.max(first, Math.min(start, last)), first, last);
  let time = found;
  let best = down[time]! * lows[low - time]! + up[time]! * highs[high - time]!;
  for (let side = -1; side <= 1; side += 2) {
    const end = side < 0 ? first : last;
    let near = found;
    for (let away = 1; near !== end; away *= FARTHER) {
      const far = side < 0 ? Math.max(first, found - away) : Math.min(last, found + away);
      waiting[0] = Math.min(near, far);
      waiting[1] = Math.max(near, far);
      near = far;
      let top = 1;
      while (top > 0) {
        const r1 = waiting[top]!;
        const r0 = waiting[--top]!;
        const low0 = lows[low - r0]!;
        const low1 = lows[low - r1]!;
        const high0 = highs[high - r0]!;
        const high1 = highs[high - r1]!;
        const down0 = down[r0]!;
        const down1 = down[r1]!;
        const up0 = up[r0]!;
        const up1 = up[r1]!;
        const chord0 = down0 * low0 + up0 * high0;
        const chord1 = down1 * low1 + up1 * high1;
        if (chord0 > best) {
          best = chord0;
          time = r0;
        }
        if (chord1 > best) {
          best = chord1;
          time = r1;
        }
        const u0 = points[r0]!;
        const u1 = points[r1]!;
        const width = u0 > 0.5 ? depths[r1]! - depths[r0]! : u0 - u1;
        const fall = low0 - low1;
        const drop = high0 - high1;
        const atUpper = (low0 - high0) * width * slopes[r0]! + down0 * fall + up0 * drop;
        if (atUpper >= 0) continue;
        const atLower = (low1 - high1) * width * slopes[r1]! + down1 * fall + up1 * drop;
        if (atLower <= 0) continue;
        const share = atLower / (atLower - atUpper);
        const u = u1 + share * width;
        const weight0 = (share * u0) / u;
        const weight1 = ((1 - share) * u1) / u;
        const here = weight0 * down0 + weight1 * down1;
        const rest = weight0 * up0 + weight1 * up1;
        const lowThere = low1 + share * fall;
        const highThere = high1 + share * drop;
        const slope = (width * (lowThere - highThere)) / (u * u * growth) + here * fall + rest * drop;
        const bound = here * lowThere + rest * highThere + Math.abs(slope);
        if (bound <= best) continue;
        if (r1 - r0 === 1) {
          best = bound;
        } else {
          waiting[++top] = (r0 + r1) >> 1;
          waiting[++top] = r1;
        }
      }
    }
  }
  return { bound: best, time };
}
