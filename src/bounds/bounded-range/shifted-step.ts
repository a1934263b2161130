import { encloseDecimal } from '../../numeric/decimal.ts';
import { millsRatio } from '../../numeric/normal.ts';
import { boundedRangeMoment } from '../../privacy/log-moment.ts';
import type { PureGroup } from '../../privacy/pure.ts';

/** A line above h(a) / a for a > 0, h(a) the extremal ln E e^(a L), and below it for -1/2 < a < 0: drift + a spread / 2. */
export interface Line {
  readonly drift: number;
  readonly spread: number;
  /** drift - spread / 2, at least 0. */
  readonly surplus: number;
}

/** What is certain of all tilts a between two: E(a) = a drift + a^2 spread / 2, and the moments of w with density e^(E w) on (0, 1). */
interface Cell {
  readonly least: number;
  readonly most: number;
  /** At most ln((e^E(a) - 1) / (e^h(a) - 1)), at least 0. */
  readonly gained: number;
  readonly leastMean: number;
  readonly mostMean: number;
  /** At least the mean of w^2. */
  readonly mostSquare: number;
}

/** Covers comparisons of few operations. */
const SAFE = 1 - 1e-9;

const roundedBy = (sign: 1 | -1, energy: number): number => energy + sign * (1 - SAFE) * Math.abs(energy);

/** Below this |E| the moments of w are told by their first derivatives, the second being at most 1. */
const FLAT = 1e-2;

function momentsOfShare(energy: number): { readonly lower: number; readonly upper: number; readonly square: number } {
  if (Math.abs(energy) < FLAT) {
    const [mean, error] = [0.5 + energy / 12, energy ** 2 / 2];
    return { lower: mean - error, upper: mean + error, square: 1 / 3 + energy / 12 + error };
  }
  const whole = -1 / Math.expm1(-energy);
  const mean = whole - 1 / energy;
  return { lower: mean * SAFE, upper: mean / SAFE, square: (whole - (2 * mean) / energy) / SAFE };
}

/** Cells of a: so many below 0, then from FIRST / e to LAST / e each longer by GROWTH. */
const BELOW = 8;
const [FIRST, LAST, GROWTH] = [0.2, 40, 1.04];

/** The cells that cover a from -1/2 to the end. */
export interface Cells {
  readonly all: readonly Cell[];
  /** Beyond this a no cell is. */
  readonly end: number;
  /** At least E(end) - e end, below which ln((e^E - 1) / (e^h - 1)) is not: no loss exceeds e. */
  readonly beyond: number;
  /** At least E(end). */
  readonly energy: number;
}

/**
 * In a cell h, which is convex, lies below its chord, and E, a square, below its own by at most an eighth of the spread times the
 * square of the width.
 */
export function cellsOf(epsilon: PureGroup['epsilon'], { drift, spread }: Line): Cells {
  const enclosed = encloseDecimal(epsilon);
  const e = enclosed.upper;
  const moment = boundedRangeMoment(enclosed);
  const energyAt = (a: number): number => a * (drift + (a * spread) / 2);
  const ends = Array.from({ length: BELOW }, (_, i) => (i - BELOW) / (2 * BELOW));
  const start = FIRST / e;
  const many = Math.ceil(Math.log(LAST / FIRST) / Math.log(GROWTH));
  ends.push(0, ...Array.from({ length: many + 1 }, (_, i) => start * GROWTH ** i));
  const energies = ends.map(energyAt);
  const above = ends.map((a, i) => (a > 0 ? energies[i]! * SAFE - moment(a).upper : 0));
  const all = ends.slice(1).map((to, i): Cell => {
    const [least, most] = [roundedBy(-1, energies[i]!), roundedBy(1, energies[i + 1]!)];
    const chord = Math.min(above[i]!, above[i + 1]!) - (spread * (to - ends[i]!) ** 2) / 8;
    const [first, last] = [momentsOfShare(least), momentsOfShare(most)];
    return {
      least,
      most,
      gained: to > 0 && chord > 0 ? (chord / -Math.expm1(-most)) * SAFE : 0,
      leastMean: first.lower,
      mostMean: last.upper,
      mostSquare: last.square,
    };
  });
  const end = ends.at(-1)!;
  const energy = energies.at(-1)!;
  return { all, end, beyond: energy * SAFE - (e * end) / SAFE, energy: energy / SAFE };
}

/**
 * Whether steps that are longer by the part C spread / s are sound from s on, as far as tilts a >= -1/2 go.
 *
 * With eta = spread / s, at most 1/3, c = C eta and k = 1 + c, what the step adds is by Jensen's inequality at least n (e^E - 1) / (a (a + 1)) times
 * e^(eta G), w the share of the way with density proportional to e^(E w) on (0, 1), and
 *
 *   G = C / k - k E[w] / 2 + E (C E[w] - k^2 E[w^2]) - k^2 E[w^2] (drift + z)^2 / (2 spread) - 2 k E[w] surplus / spread;
 *
 * for E < 0 its third term is C E E[w]. The optimum of one mechanism is less than that by ln((e^E - 1) / (e^h - 1)), which is at least
 * (E - h) / (1 - e^-E). So it is enough that this and eta G are together at least 0, and as G grows as eta falls, for every larger s as well.
 * Beyond the last cell G is at least -k^2 E - k / 2 less the last two terms with w = 1, and E (1 - eta k^2) - e a convex in a.
 */
function isCovered(cells: Cells, eta: number, longer: number, { drift, spread, surplus }: Line): boolean {
  const k = 1 + longer * eta;
  const slowed = (k * (drift + (4 * surplus * eta) / spread)) ** 2 / (2 * spread) / SAFE;
  const turned = (2 * k * surplus) / spread / SAFE;
  const isEnough = (gained: number, gain: number, loss: number): boolean =>
    gained + eta * (gain * SAFE - loss / SAFE) >= 0;
  const { beyond, energy } = cells;
  if (!(eta * k * k <= 0.9) || !isEnough(beyond, 0, k * k * energy + k / 2 + slowed + turned)) return false;
  return cells.all.every(({ least, most, gained, leastMean, mostMean, mostSquare }) => {
    const gain = longer / k + Math.max(0, least) * longer * leastMean;
    const lost = Math.max(0, -least) * longer * mostMean + Math.max(0, most) * k * k * mostSquare;
    return isEnough(gained, gain, (k / 2 + turned) * mostMean + lost + slowed * mostSquare);
  });
}

/** (s + 4) (1 - R / 2) is above this, R as below: see shifted-step.test.ts. */
export const LEAST_REST = 2.7;

/** For every u >= 0: (spread / 2) (1 - e^(-u Q)) <= 2 surplus (e^(g u) - 1 / (1 + u)). */
function holdsForAll(spread: number, surplus: number, q: number, g: number): boolean {
  const gained = (u: number): number => 2 * surplus * (Math.exp(g * u) - 1 / (1 + u)) * SAFE;
  const first = 2 ** -10;
  if ((spread / 2) * q > 2 * surplus * (g + 1 / (1 + first)) * SAFE) return false;
  for (let u = first; u < 1e6; u *= 1.01) {
    if (gained(u) >= spread / 2) return true;
    // Both sides grow: from here to the next u the left is at most what it is beyond it.
    if ((spread / 2) * -Math.expm1(-1.011 * u * q) > gained(u)) return false;
  }
  return false;
}

/**
 * Whether steps are sound from s on, as far as tilts a < -1/2 go: with eta = spread / s, z = 4 surplus / s and Q = surplus (1 + 2 / s),
 *
 *   (spread / 2) (e^(uQ) - 1) + 2 surplus e^(uQ) / (1 + u) <= (surplus + z) R((1 - (1 - eta) u) / 2) for u >= 0,
 *
 * R(b) the integral of e^(-br - r^2 / (2s)) over r > 0, which is log-convex. With R = R(1/2) and the mean
 * mu = s (1 / R - 1/2) of r under it, R(1/2 - y) >= R e^(mu y); and (1 + 4 / s) R >= 2. With g = (1 - eta) mu / 2 - Q >= 0, as
 * 1 - e^-x <= min(x, 1) and e^(gu) >= 1 + gu, it holds where
 *
 *   (spread / 2) (1 + 2 / s) + (1 + 4 / s) R Q^2 / (1 + Q) <= (1 - eta) / 2 (s + 4) (1 - R / 2),
 *
 * and where {@link holdsForAll} does. What is required here holds for every larger s if for s: mu and 1 - eta grow, Q falls.
 */
function isMirrored(s: number, { spread, surplus }: Line): boolean {
  const q = surplus * (1 + 2 / s);
  const mean = s * (1 / (Math.sqrt(s) * millsRatio(Math.sqrt(s) / 2).upper) - 0.5) * SAFE;
  const g = ((1 - spread / s) / 2) * mean - q;
  if (!(g >= 0)) return false;
  const left = (spread / 2) * (1 + 2 / s) + (2 * (1 + 4 / s) * q * q) / (1 + q);
  return left <= LEAST_REST * ((1 - spread / s) / 2) * SAFE || holdsForAll(spread, surplus, q, g);
}

/** Parts by which steps are tried to be longer, from about the least at which any is sound. */
const LENGTHENINGS = Array.from({ length: 48 }, (_, i) => 0.26 * 1.028 ** i);
/** The largest spread / s of the cells. */
const COARSE = 1 / 3;

/**
 * A C of at most 1 such that a step along a line is sound from s on, or null where none is known: with eta = spread / s, z = 4 surplus / s and
 * 1 + c = 1 + C eta / (1 - eta), the curve of a normal loss of mean m and variance s lies after a step below that of mean
 * m + (1 + c) (drift + z) and variance s + (1 + c) spread.
 *
 * For a >= -1/2 that is {@link isCovered} by cells; or it is C = 1, where
 *
 *   (drift + z)^2 / (2 (1 - eta)) + 2 surplus <= 1.5 spread.
 *
 * Source: derived, see shiftedGaussianAbove.
 */
export function lengtheningFrom(s: number, line: Line, cells: Cells): number | null {
  if (!isMirrored(s, line)) return null;
  const { drift, spread, surplus } = line;
  const [eta, z] = [spread / s, (4 * surplus) / s];
  const isSound = (longer: number): boolean => isCovered(cells, eta, longer, line);
  let [low, high] = [0, LENGTHENINGS.length];
  while (eta <= COARSE && low < high) {
    const middle = (low + high) >> 1;
    if (isSound(LENGTHENINGS[middle]!)) high = middle;
    else low = middle + 1;
  }
  const least = LENGTHENINGS[high];
  if (eta <= COARSE && least !== undefined && least <= 1 && isSound(least)) return least;
  return (drift + z) ** 2 / (2 * (1 - eta)) + 2 * surplus <= 1.5 * spread * SAFE ? 1 : null;
}
