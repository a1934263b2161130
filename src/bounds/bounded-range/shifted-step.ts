import { encloseDecimal } from '../../numeric/decimal.ts';
import { boundedRangeMoment } from '../../privacy/log-moment.ts';
import type { PureGroup } from '../../privacy/pure.ts';

/** A line above h(a) / a for a >= -1/2, h(a) the extremal ln E e^(a L): drift + a spread / 2. */
export interface Line {
  readonly drift: number;
  readonly spread: number;
  /** drift - spread / 2, at least 0. */
  readonly surplus: number;
  /** The a > 0 about which it touches. */
  readonly tilt: number;
}

/** Covers comparisons of few operations. */
const SAFE = 1 - 1e-9;

/**
 * The stretches of eta = spread / s that are looked at one by one, falling, and below the last all together: 1/2, and from there on
 * each a part of the one before.
 */
const ETAS = Array.from({ length: 22 }, (_, i) => 0.5 / (1.5 ** Math.min(i, 9) * 2 ** Math.max(0, i - 9)));
const LAST = ETAS.length - 1;

/** Variances from which steps may be sound, over the largest spread. */
export const STARTS = ETAS.slice(1, 10).map((eta) => 1 / (eta * SAFE * SAFE));

/** The moments of w with density proportional to e^(E w) on (0, 1): ends of its mean, and at least the mean of w^2. */
function momentsOfShare(energy: number): { readonly lower: number; readonly upper: number; readonly square: number } {
  // The third derivative of ln E[e^(E w)], and the second of E[w^2], are at most 1.
  if (Math.abs(energy) < 1e-2) {
    const [mean, error] = [0.5 + energy / 12, energy ** 2 / 2];
    return { lower: mean - error, upper: mean + error, square: 1 / 3 + energy / 12 + error };
  }
  const whole = -1 / Math.expm1(-energy);
  const mean = whole - 1 / energy;
  return { lower: mean * SAFE, upper: mean / SAFE, square: (whole - (2 * mean) / energy) / SAFE };
}

/** The Mills ratio at x >= 0 is at least the one, and at most the other. Source: Boyd, "Inequalities for Mills' ratio" (1959). */
export const millsBelow = (x: number): number => Math.PI / ((Math.PI - 1) * x + Math.sqrt(x * x + 2 * Math.PI));
export const millsAbove = (x: number): number =>
  Math.PI / (2 * x + Math.sqrt((Math.PI - 2) ** 2 * x * x + 2 * Math.PI));

/** A deviation of more is taken for this one. */
const FARTHEST = 37;

/** At most the integral R(b, s) of e^(-br - r^2 / (2s)) over r > 0, which grows with s and falls in b. */
function decayBelow(b: number, s: number): number {
  const root = Math.sqrt(s);
  const x = Math.max(-FARTHEST, b * root);
  if (x >= 0) return root * millsBelow(x) * SAFE;
  return root * (Math.sqrt(2 * Math.PI) * Math.exp((x * x) / 2) - millsAbove(-x)) * SAFE;
}

/** What is certain of all tilts a from one to another. */
interface Cell {
  /** Ends of E(a) = a (drift + a spread / 2). */
  readonly least: number;
  readonly most: number;
  /** At most ln((e^E(a) - 1) / (e^h(a) - 1)), at least 0. */
  readonly gained: number;
  /** Of the moments at E(a). */
  readonly leastMean: number;
  readonly mostMean: number;
  readonly mostSquare: number;
  /** At least the part that surplus / (1 + a) is of spread / 2 + surplus / (1 + a). */
  readonly share: number;
  /** At least 1 / (s (1 + a)^2) over eta. */
  readonly reach: number;
  /** For all ETAS: at most ln(1 - share (1 - (1 + a) R(1 + a, s))). */
  readonly straight: readonly number[];
  /** For all ETAS: at most {@link mirrored}. */
  readonly mirrored: readonly number[];
}

/**
 * At most the logarithm of (spread / 2 + surplus R) / (spread / 2 + 2 surplus / (1 + u)), less surplus u E[w (1 + c) s / s_w], for u = 1 + 2a with a in
 * a cell, R = R((1 - (1 - eta) u) / 2, s). As R grows with u, and is least for the largest eta, it is a function of u that is concave: least at an end.
 * Its value at u = 0 is that of `straight`, and left out.
 */
function mirrored([from, to]: readonly [number, number], mostMean: number, eta: number, line: Line): number {
  const { spread, surplus } = line;
  const starting = 1 + 2 * from;
  const decay = decayBelow((1 - (1 - eta) * starting) / 2, spread / eta);
  const turned = (surplus * Math.min(1, (1 + eta) * mostMean)) / SAFE;
  const at = (u: number): number =>
    Math.log1p((surplus * (decay - 2 / (1 + u))) / (spread / 2 + (2 * surplus) / (1 + u))) - turned * u;
  return starting > 0 ? Math.min(at(starting), at(1 + 2 * to)) : at(1 + 2 * to);
}

/** The cells that cover a from -1/2 to an end, with the energy there and what no loss exceeds. */
export interface Cells {
  readonly all: readonly Cell[];
  readonly end: number;
  readonly energy: number;
  readonly range: number;
}

/** Lengths of cells: 1 + 2a grows by the one, from NARROW on, and a from FIRST / e to LAST / e by the other. */
const [NARROW, COARSE, FINE] = [0.03, 1.15, 1.04];
const [FIRST, FARTHEST_TILT] = [0.2, 40];

function endsOfCells(e: number): readonly number[] {
  const ends = [-0.5];
  for (let above = NARROW; above - 0.5 < FIRST / e; above *= COARSE) ends.push(above - 0.5);
  for (let a = FIRST / e; a < (FARTHEST_TILT / e) * FINE; a *= FINE) ends.push(a);
  return ends;
}

/**
 * With d(a) = drift + a spread / 2 - h(a) / a it is E - h = a d, and ln((e^E - 1) / (e^h - 1)) at least a d / (1 - e^-E): for a > 0 at least
 * d a / E, for a < 0 that times |E| / (e^|E| - 1). Up to the tilt of the line d is convex (see tangentAt) and falls. Farther out h, which is convex, lies below
 * its chord in a cell, and E below its own by at most an eighth of the spread times the square of the width.
 */
export function cellsOf(epsilon: PureGroup['epsilon'], line: Line): Cells {
  const { drift, spread, surplus, tilt } = line;
  const enclosed = encloseDecimal(epsilon);
  const moment = boundedRangeMoment(enclosed);
  const slopeAt = (a: number): number => drift + (a * spread) / 2;
  const above = (a: number): number => {
    const { lower, upper } = moment(a);
    return slopeAt(a) * SAFE - (a > 0 ? upper : lower) / a;
  };
  const ends = endsOfCells(enclosed.upper);
  const distances = ends.map(above);
  const touching = slopeAt(tilt) / SAFE - moment(tilt).lower / tilt;

  const gainedIn = (i: number, least: number, most: number): number => {
    const [from, to, distance] = [ends[i]!, ends[i + 1]!, distances[i + 1]!];
    if (to <= tilt) {
      if (!(distance > touching)) return 0;
      return (distance / slopeAt(to)) * (least < 0 ? least / -Math.expm1(-least) : 1) * SAFE;
    }
    const chord = Math.min(from * distances[i]!, to * distance) - (spread * (to - from) ** 2) / 8;
    return from > 0 && chord > 0 ? (chord / -Math.expm1(-most)) * SAFE : 0;
  };
  const all = ends.slice(1).map((to, i): Cell => {
    const from = ends[i]!;
    const [start, end] = [from * slopeAt(from), to * slopeAt(to)];
    const [least, most] = [start - (1 - SAFE) * Math.abs(start), end + (1 - SAFE) * Math.abs(end)];
    const [first, last] = [momentsOfShare(least), momentsOfShare(most)];
    const b = 1 + from;
    const share = (2 * surplus) / (spread * b + 2 * surplus) / SAFE;
    return {
      least,
      most,
      gained: gainedIn(i, least, most),
      leastMean: first.lower,
      mostMean: last.upper,
      mostSquare: last.square,
      share,
      reach: 1 / (spread * b * b) / SAFE,
      straight: ETAS.map((eta) => Math.log1p(-share * (1 - b * decayBelow(b, spread / eta)))),
      mirrored: ETAS.map((eta) => mirrored([from, to], last.upper, eta, line)),
    };
  });
  const end = ends.at(-1)!;
  return { all, end, energy: end * slopeAt(end), range: enclosed.upper };
}

/**
 * G and what is subtracted from it for a cell, for eta up to one of the ETAS, c = C eta and k = 1 + c:
 *
 *   G = C / k - k E[w] / 2 + E (C E[w] - k^2 E[w^2]) - k^2 E[w^2] drift^2 / (2 spread), for E < 0 with the third term C E E[w].
 */
function rateIn({ least, most, leastMean, mostMean, mostSquare }: Cell, k: number, longer: number, line: Line): number {
  const gain = longer / k + Math.max(0, least) * longer * leastMean;
  const slowed = Math.max(0, most) + line.drift ** 2 / (2 * line.spread);
  const loss = (k * mostMean) / 2 + Math.max(0, -least) * longer * mostMean + k * k * mostSquare * slowed;
  return gain * SAFE - loss / SAFE;
}

/** Whether gained + eta G + straight and gained + eta G + mirrored are at least 0 in a cell, for all eta from the next of the ETAS to one of them. */
function holdsIn(cell: Cell, i: number, longer: number, line: Line): boolean {
  const { gained, share, reach } = cell;
  const [eta, next] = [ETAS[i]!, i < LAST ? ETAS[i + 1]! : 0];
  const rate = rateIn(cell, 1 + longer * eta, longer, line);
  const sum = gained + rate * (rate > 0 ? next : eta);
  // By Mills' ratio straight is at least -share reach eta / (1 + (1 - share) reach eta).
  const isStraight = gained / eta + rate - (share * reach) / (1 + (1 - share) * reach * next) >= 0;
  const opposite = cell.mirrored[i]!;
  return (
    (isStraight || (i < LAST && sum + cell.straight[i]! >= 0)) && (opposite >= 0 || (i < LAST && sum + opposite >= 0))
  );
}

/**
 * Beyond the last cell gained is at least E - e a, straight and mirrored at least -4 surplus / spread - surplus (1 + 2a) and G at least
 * -k / 2 - k^2 (E + drift^2 / (2 spread)): their sum is convex in a, and below 0 at a = 0.
 */
function holdsBeyond(
  { end, energy, range }: Cells,
  eta: number,
  longer: number,
  { drift, spread, surplus }: Line,
): boolean {
  const k = 1 + longer * eta;
  const loss = range * end + surplus * (1 + 2 * end) + (4 * surplus) / spread;
  const slowed = eta * (k / 2 + k * k * (energy + drift ** 2 / (2 * spread)));
  return eta * k * k <= 0.9 && energy * SAFE >= (loss + slowed) / SAFE;
}

/** Parts by which steps are tried to be longer, from about the least at which any is sound; at most 1. */
const LENGTHENINGS = Array.from({ length: 48 }, (_, i) => 0.26 * 1.028 ** i);

/**
 * A C such that a step along a line is sound from s on, or null where none is known: with eta = spread / s and
 * 1 + c = 1 + C eta / (1 - eta), the curve of a normal loss of mean m and variance s lies after a step below that of mean m + (1 + c) drift
 * and variance s + (1 + c) spread.
 *
 * With w as the share of the way, s_w = s + w (1 + c) spread, and density proportional to e^(E w), Jensen's inequality bounds the logarithm of what
 * the step adds over n (e^E - 1) / (a (a + 1)) from below by
 *
 *   E[ln(1 + c) - ln(s_w / s) / 2 - w^2 dm^2 / (2 s_w) + w E ((1 + c) s / s_w - 1)] >= eta G
 *
 * and the mean of ln((spread / 2 + surplus R_w) / (spread / 2 + surplus / (1 + a))), which for a >= -1/2 is `straight`. For -1 - a, whose energy is
 * E(a) - surplus (1 + 2a), it is `mirrored`. The optimum of one mechanism is less than n (e^E - 1) / (a (a + 1)) by `gained`. All are
 * looked at in cells of a and of eta.
 *
 * Source: derived, see shiftedGaussianAbove.
 */
export function lengtheningFrom(s: number, line: Line, cells: Cells): number | null {
  const first = ETAS.findLastIndex((eta) => eta * SAFE * s >= line.spread);
  if (first === -1) return null;
  const stretches = [...ETAS.keys()].slice(first);
  const isSound = (longer: number): boolean =>
    holdsBeyond(cells, ETAS[first]!, longer, line) &&
    cells.all.every((cell) => stretches.every((i) => holdsIn(cell, i, longer, line)));
  return LENGTHENINGS.find(isSound) ?? null;
}
