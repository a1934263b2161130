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
  /** e^e - 1, and e^t - 1 and e^e - e^t at the times. */
  readonly growth: number;
  readonly rises: Float64Array;
  readonly falls: Float64Array;
  /** By what part e^x grows from the n-th place of a low end on the grid to the next, for even and for odd n. */
  readonly widths: readonly [number, number];
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
  return {
    cells,
    fraction,
    e,
    stride,
    times,
    down: inCells.map((t) => -Math.expm1((t - whole) * h) / scale),
    up: inCells.map((t) => (Math.exp((t - whole) * h) * -Math.expm1(-t * h)) / scale),
    growth: Math.expm1(e),
    rises: times.map((t) => Math.expm1(t)),
    falls: inCells.map((t) => Math.exp(t * h) * Math.expm1((whole - t) * h)),
    widths: stride === 1 ? [Math.expm1(h), Math.expm1(h)] : [Math.expm1((1 - fraction) * h), Math.expm1(fraction * h)],
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
