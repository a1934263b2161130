import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { Factor } from './rate.ts';
import type { SampledLaw, SampledPart } from './sampled-law.ts';
import type { Stretch } from './path.ts';
import type { TiltedMeasure } from './tilted-measure.ts';
import { otherShare, ownShare, share } from './ratio.ts';
import { logLabels, logNormalMost, logWeight, powersOf, type Powers } from './tilted-part.ts';

/** ln of a bound on |E[e^((c + it)L)]| / E[e^(cL)] for all t from a place on, sought until it is `enough`. */
export type Decay = (t: number, enough: number) => number;

/** A part in cells, from one place to the next. */
interface Cells {
  readonly part: SampledPart;
  readonly places: Float64Array;
  /** The shares of the second summands of g's factors at each place, summed; and of h's. */
  readonly share: Float64Array;
  readonly otherShare: Float64Array;
  /** Of each cell at least and at most its mass under the tilt, over all. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** At least the density at the two ends. */
  readonly ends: readonly [number, number];
  readonly powers: Powers;
  readonly labels: readonly CellLabel[];
}

/** Cells are so wide that the logarithm of the density bends by no more than BEND along one, and the share grows by e^GROWTH. */
const WIDEST = 0.2;
const BEND = 0.5;
const GROWTH = 0.4;
const MOST_CELLS = 20_000;
/** So many widths beyond its place the logarithm of a label bends by less than 1e-9. */
const FLAT = 7.5;

function cellsOf(
  law: SampledLaw,
  part: SampledPart,
  { from, to }: Stretch,
  tilt: number,
  logMoment: number,
  slack: number,
): Cells | null {
  const { base, labels } = part;
  const { slope, shift } = base;
  const { own, other, otherShift } = law.ratio;
  const powers = powersOf(part, tilt);
  const weight = logWeight(law, part, tilt);
  const shareAt = (u: number): number => ownShare(law.ratio, base, u);
  const otherAt = (u: number): number => otherShare(law.ratio, base, u);
  const spread = (factors: readonly Factor[], low: number, high: number): number =>
    factors.reduce((sum, rates) => {
      const s = Math.min(Math.max(share(rates, low), 0.5), share(rates, high));
      return sum + rates.power * s * (1 - s);
    }, 0);
  const isNormal = base.law === 'normal';
  /** The curvature of the logarithm of the density between places: at most, and at least. That of a label is where it is not 1. */
  const curvatures = (a: number, b: number): readonly [number, number] => {
    const bend = slope * slope * spread(own, slope * a + shift, slope * b + shift);
    const otherBend = slope * slope * spread(other, otherShift - slope * b, otherShift - slope * a);
    let labelled = isNormal ? 1 : 0;
    for (const { place, width, rises } of labels) {
      const x = (rises ? a - place : place - b) / width;
      labelled += (x > FLAT ? 1e-9 : 1) / (width * width);
    }
    return [
      Math.max(0, powers.own) * bend + Math.max(0, -powers.other) * otherBend,
      Math.max(0, -powers.own) * bend + Math.max(0, powers.other) * otherBend + labelled,
    ];
  };
  const [places, logs]: [number[], number[]] = [[from], [weight(from)]];
  const [lower, upper]: [number[], number[]] = [[], []];
  for (let u = from; u < to;) {
    const near = Math.min(WIDEST, GROWTH / slope);
    const [up, down] = curvatures(u, u + near);
    const next = Math.min(to, u + Math.min(near, BEND / Math.sqrt(up + down + 1e-300)));
    if (!(next > u) || places.length > MOST_CELLS) return null;
    const [before, after] = [logs.at(-1)!, weight(next)];
    const bulge = (next - u) ** 2 / 8;
    const roundings = slack + 16 * U * (Math.abs(before) + Math.abs(after));
    lower.push((next - u) * Math.exp(Math.min(before, after) - up * bulge - logMoment - roundings));
    upper.push((next - u) * Math.exp(Math.max(before, after) + down * bulge - logMoment + roundings));
    places.push(next);
    logs.push(after);
    u = next;
  }
  return {
    part,
    places: Float64Array.from(places),
    share: Float64Array.from(places, shareAt),
    otherShare: Float64Array.from(places, otherAt),
    lower: Float64Array.from(lower),
    upper: Float64Array.from(upper),
    ends: [Math.exp(logs[0]! - logMoment + slack + 1e-12), Math.exp(logs.at(-1)! - logMoment + slack + 1e-12)],
    powers,
    labels: labelsOf(part, places),
  };
}

/** Of a label at the end of each cell at which it is smaller: where it is there, in its widths, and ln of it. */
interface CellLabel {
  readonly width: number;
  readonly x: Float64Array;
  readonly log: Float64Array;
}

function labelsOf({ labels }: SampledPart, places: readonly number[]): readonly CellLabel[] {
  return labels.map((label) => {
    const ends = places.slice(0, -1).map((place, i) => (label.rises ? place : places[i + 1]!));
    return {
      width: label.width,
      x: Float64Array.from(ends, (u) => ((label.rises ? 1 : -1) * (u - label.place)) / label.width),
      log: Float64Array.from(ends, (u) => logLabels({ labels: [label] }, u)),
    };
  });
}

/** Where labels are 1 but for e^-FADED on the real axis and above it they grow by less than a rounding. */
const FADED = 40;

/** How much larger labels are at a height than on the real axis, at most, along a cell: ln of it. */
function logGrowthOf(labels: readonly CellLabel[], cell: number, height: number): number {
  let sum = 0;
  for (const { width, x, log } of labels) {
    const raised = (height / width) ** 2 / 2;
    const at = x[cell]!;
    if (at > 0 && (at * at) / 2 > raised + FADED) {
      sum += 1e-16;
      continue;
    }
    // Where the label is smaller it grows by more.
    const whole = Math.log1p(Math.exp(Math.min(700, raised + logNormalMost(-at)))) - log[cell]!;
    sum += Math.min(raised, whole);
  }
  return sum;
}

const MOST_TRIES = 6;
/** From one height to the next that is tried. */
const FACTOR = 2;

/** At least how much of a part's mass is lost at a place t, and at most how much is kept, in units of the moment. */
interface Fallen {
  readonly lost: number;
  readonly residue: number;
}

/** The integral along the line at a height a; see {@link decayOf}. */
function fallenAt(cells: Cells, t: number, a: number): Fallen {
  const { part, share: shares, otherShare: others, lower, upper, ends, powers, labels } = cells;
  const { slope, law: kind } = part.base;
  const raised = kind === 'normal' ? (a * a) / 2 : 0;
  const lessened = 4 * Math.log(1 / Math.cos((a * slope) / 2));
  const fall = lessened * Math.max(0, -powers.own);
  const otherFall = others[0]! > 0 ? lessened * Math.max(0, powers.other) : 0;
  const turned = t * Math.sin(a * slope);
  const [x, y] = [turned - fall, turned - otherFall];
  if (!(x > 0 && y > 0)) return { lost: 0, residue: Infinity };
  let [lost, residue] = [0, 0];
  for (let i = 0; i < lower.length; i++) {
    const grown = logGrowthOf(labels, i, a);
    const damping = Math.exp(raised + grown - x * shares[i]! - y * others[i + 1]!);
    lost += (1 - damping) * (damping < 1 ? lower[i]! : upper[i]!);
    residue += damping * upper[i]!;
  }
  let upwards = 0;
  for (let side = 0; side < 2; side++) {
    const end = side === 0 ? 0 : lower.length;
    const [s, other] = [shares[end]!, others[end]!];
    const grown = logGrowthOf(labels, side === 0 ? 0 : lower.length - 1, a);
    // Of the length a the logarithm of the integrand is convex, but for labels, and so no more than along its chord.
    const top = raised + fall * s + otherFall * other - (2 / Math.PI) * t * (s + other) * a * slope;
    upwards += ends[side]! * Math.exp(grown) * a * (top < 0 ? Math.min(1, -1 / top) : Math.exp(top));
  }
  return { lost: lost - upwards - 1e-12 * (Math.abs(lost) + 1), residue: (residue + upwards) * (1 + 1e-12) };
}

/** About the mean and the variance of the share, and a height at which labels are no larger where the mass is. */
function sideOf({ part, places, lower, share: shares, otherShare: others }: Cells): {
  readonly mean: number;
  readonly variance: number;
  readonly clear: number;
} {
  let [mean, square, mass, place, spread] = [0, 0, 1e-300, 0, 0];
  for (let i = 0; i < lower.length; i++) {
    const weight = lower[i]!;
    mass += weight;
    const s = shares[i]! + others[i]!;
    mean += weight * s;
    square += weight * s ** 2;
    place += weight * places[i]!;
    spread += weight * places[i]! ** 2;
  }
  mean /= mass;
  place /= mass;
  const deviation = Math.sqrt(Math.max(0, spread / mass - place * place));
  const clear = part.labels.reduce(
    (min, label) => Math.min(min, Math.max(2 * label.width, Math.abs(label.place - place) - 5 * deviation)),
    Infinity,
  );
  return { mean, variance: Math.max(0, square / mass - mean * mean), clear };
}

/**
 * How the moments of a law fall along the line c + it.
 *
 * The integral of a part is taken along a line at height a, 0 < b = a slope <= pi / 2, and up and down to it at its ends. There the
 * argument of a factor of g is at least s sin b and its modulus that on the real axis times r, r^2 = 1 - 4 s (1 - s) sin^2(b/2), so
 * that the integrand is, but for its labels, at most e^(a^2 / 2) (of normal noise) e^(-x s), s summed over the factors, times that on the
 * real axis,
 *
 *   x = t sin b + 4 min(w, 0) ln(1 / cos(b/2)),   w the power of g,
 *
 * and for 1 / h as much with its shares and w = -v, v its power,
 *
 * which falls with t. (The argument, as a function of s, is convex up to 1/2 and concave beyond, and its chords from 0 to 1/2 and to
 * 1 are above its tangent at 0; -ln r is convex in 4 s (1 - s) <= 4 s.) s rises along u, and that of h falls, so that s at the beginning
 * of a cell, and at its end, bounds it, and what a cell loses is at least that times its least mass. Up to the line at an end, sin b is at
 * least 2 b / pi.
 *
 * @param logMoment - about ln E[e^(cL)] before anything is divided by the survival, with an error of at most `slack`
 */
export function decayOf(
  law: SampledLaw,
  tilt: number,
  { covered, uncovered }: Pick<TiltedMeasure, 'covered' | 'uncovered'>,
  logMoment: number,
  slack: number,
): Decay {
  const all = law.parts.flatMap((part, at) =>
    covered[at]!.map((stretch) => cellsOf(law, part, stretch, tilt, logMoment, slack)),
  );
  const cells = all.filter((segment) => segment !== null);
  /** What does not fall: atoms, and what is elsewhere. */
  const still =
    cells.length < all.length
      ? Infinity
      : law.atoms.reduce((sum, { loss, logMass }) => sum + Math.exp(logMass + tilt * loss - logMoment), uncovered);
  const sides = cells.map(sideOf);
  return (t, enough) => {
    if (!(t > 0)) return 0;
    let [lost, residue] = [0, still];
    cells.forEach((segment, i) => {
      const { slope } = segment.part.base;
      const { mean, variance, clear } = sides[i]!;
      const highest = Math.PI / 2 / slope;
      const residueWith = (fallen: Fallen): number => Math.min(1 - lost - fallen.lost, residue + fallen.residue);
      // The best height if the share were normal, and no label near.
      let a = Math.min(highest, clear, (t * slope * mean) / (1 + (t * slope) ** 2 * variance));
      let best = fallenAt(segment, t, a);
      let factor = FACTOR;
      for (let tries = 0; tries < MOST_TRIES && residueWith(best) > Math.exp(enough); tries++) {
        const next = Math.min(highest, a * factor);
        const candidate = next === a ? null : fallenAt(segment, t, next);
        if (candidate !== null && residueWith(candidate) < residueWith(best)) [best, a] = [candidate, next];
        else if (tries === 0) factor = 1 / FACTOR;
        else break;
      }
      lost += Math.max(0, best.lost);
      residue += best.residue;
    });
    // Roundings of the sum, of parts of about 1.
    const bound = Math.min(1 - lost + 4 * slack + 1e-13, residue * (1 + 4 * slack));
    return Math.min(0, Math.log(bound) + 1e-12);
  };
}
