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
  /** u = e^-t at the times. */
  readonly points: Float64Array;
  /** How far u falls to the next time. */
  readonly widths: Float64Array;
  /** width / (u^2 (e^e - 1)) from the upper end of each piece and from its lower end: the slope of q_t in u. */
  readonly turn: Float64Array;
  readonly turnBelow: Float64Array;
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
  const widths = points.map((u, r) => (r < last ? u * -Math.expm1(-(inCells[r + 1]! - inCells[r]!) * h) : 0));
  const turnAt = (u: number, width: number): number => width / (u * u * Math.expm1(e));
  return {
    cells,
    fraction,
    e,
    stride,
    times,
    down: inCells.map((t) => -Math.expm1((t - whole) * h) / scale),
    up: inCells.map((t) => (Math.exp((t - whole) * h) * -Math.expm1(-t * h)) / scale),
    points,
    widths,
    turn: points.map((u, r) => turnAt(u, widths[r]!)),
    turnBelow: points.map((_, r) => (r < last ? turnAt(points[r + 1]!, widths[r]!) : 0)),
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

/** A chord's height, and the index of the time nearest to where it was found. */
export interface Highest {
  value: number;
  time: number;
}

/**
 * Bounds the chords of one piece with a maximum inside: the chord is A + B u + C / u, so with slopes (per width of the
 * piece) rising at its lower u and falling at its upper u it is concave, and the tangent at any point bounds it; the
 * point is where a parabola through the two slopes has its top, so the tangent is nearly flat.
 *
 * u q_t and u (1 - q_t) are linear in u, so the weights there come from those at the two ends: for small e no t could be
 * told from u in doubles.
 */
function chordInside(
  { e, points, widths, down, up }: Chords,
  r: number,
  share: number,
  low0: number,
  low1: number,
  high0: number,
  high1: number,
): number {
  const width = widths[r]!;
  const u = points[r + 1]! + share * width;
  const [first, second] = [(share * points[r]!) / u, ((1 - share) * points[r + 1]!) / u];
  const here = first * down[r]! + second * down[r + 1]!;
  const rest = first * up[r]! + second * up[r + 1]!;
  const low = low1 + share * (low0 - low1);
  const high = high1 + share * (high0 - high1);
  const slope = (width * (low - high)) / (u * u * Math.expm1(e)) + here * (low0 - low1) + rest * (high0 - high1);
  return here * low + rest * high + Math.abs(slope);
}

/**
 * The highest of all chords from one state, t in [0, e] real: at the times or, where the slopes at the two ends of a piece
 * show it, inside. Pieces without a maximum inside are convex or monotone, so their ends are best. All are tried: there
 * are plateaus where a climb would stop short.
 *
 * `low` and `high` are the places of the state in the ends: stride n and stride (n + cells).
 */
export function highestChord(chords: Chords, ends: ChordEnds, low: number, high: number, found: Highest): void {
  const { down, up, turn, turnBelow } = chords;
  const { low: lows, high: highs } = ends;
  const last = down.length - 1;
  let low0 = lows[low]!;
  let high0 = highs[high]!;
  let best = down[0]! * low0 + up[0]! * high0;
  let time = 0;
  for (let r = 0; r < last; r++) {
    const low1 = lows[low - r - 1]!;
    const high1 = highs[high - r - 1]!;
    const chord = down[r + 1]! * low1 + up[r + 1]! * high1;
    if (chord > best) {
      best = chord;
      time = r + 1;
    }
    const fall = low0 - low1;
    const drop = high0 - high1;
    const atUpper = (low0 - high0) * turn[r]! + down[r]! * fall + up[r]! * drop;
    if (atUpper < 0) {
      const atLower = (low1 - high1) * turnBelow[r]! + down[r + 1]! * fall + up[r + 1]! * drop;
      if (atLower > 0) {
        const share = atLower / (atLower - atUpper);
        const inside = chordInside(chords, r, share, low0, low1, high0, high1);
        if (inside > best) {
          best = inside;
          time = share > 0.5 ? r : r + 1;
        }
      }
    }
    low0 = low1;
    high0 = high1;
  }
  found.value = best;
  found.time = time;
}
