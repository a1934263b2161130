import { ellipse, GAUSS_LEGENDRE_16 } from '../../numeric/gauss-legendre.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { Factor } from './rate.ts';
import { logOther, logOwn, otherShare, ownShare, share } from './ratio.ts';
import type { SampledLaw, SampledPart } from './sampled-law.ts';
import { logNormalMost, type Powers } from './tilted-part.ts';

/*
 * The moments of a sampled loss are integrals of density times labels times g^w g^(it) along a stretch of u, all of which are
 * analytic. They are taken along a path above the real axis, from the one end of the stretch to the other: there the argument of g
 * is positive, so that |g^(it)| <= 1 falls with t instead of turning ever faster, and the same nodes serve all t >= 0.
 */

/** A chord of the path: all x + iy of middle + s half, -1 <= s <= 1. */
interface Chord {
  readonly x: number;
  readonly y: number;
  readonly halfX: number;
  readonly halfY: number;
}

/** A rectangle of complex u: |Re u - x| <= wide, low <= Im u <= high. */
interface Box {
  readonly x: number;
  readonly wide: number;
  readonly low: number;
  readonly high: number;
}

/** Bounds over a box. */
interface OnBox {
  /** ln of bounds on |density labels g^w|, for each power w. */
  readonly logWeights: readonly number[];
  /** Bounds |ln g|. */
  readonly loss: number;
  /** How far the argument of g may be below 0. */
  readonly below: number;
}

/** Of g's second summand: up to a smaller share than this g keeps away from 0 at any height. */
const SMALL_SHARE = 0.4;

/** The largest s (1 - s) of low <= s <= high. */
const largestSpread = (low: number, high: number): number => {
  const s = Math.min(Math.max(low, 0.5), high);
  return s * (1 - s);
};

/** The largest a + b z + c z^2 on [-1, 1]. */
function largestOfSquare(a: number, b: number, c: number): number {
  const isInside = c < 0 && Math.abs(b) < -2 * c;
  return isInside ? a - (b * b) / (4 * c) : a + Math.abs(b) + c;
}

/** ln of a bound on |Phi(x + iy)|, low <= x <= high, |y| <= height: e^(y^2 / 2) Phi(x), and 1 + e^(y^2 / 2) Phi(-x). */
function logLabelMost(low: number, high: number, height: number): number {
  const raised = (height * height) / 2;
  const whole = Math.log1p(Math.exp(Math.min(700, raised + logNormalMost(-low))));
  return Math.min(raised + logNormalMost(high), whole);
}

/** Of a product of rest + rate e^l over a box, l between two ends: what of its factors is largest there, summed. */
interface Spread {
  /** Of s (1 - s), s the share of a factor. */
  spread: number;
  /** ln of what a height may leave of the modulus, less. */
  shrunk: number;
  argument: number;
  /** At the height of what is below the axis. */
  below: number;
}

/** The largest argument of 1 - s + s e^(i angle) up to a share. */
const largestArgument = (s: number, angle: number): number =>
  angle <= Math.PI / 2 ? Math.atan2(s * Math.sin(angle), 1 - s + s * Math.cos(angle)) : Math.asin(s / (1 - s));

/** null where a factor may vanish. */
function spreadOf(factors: readonly Factor[], least: number, most: number, turn: number, below: number): Spread | null {
  const isNear = turn <= Math.PI / 2;
  const sums: Spread = { spread: 0, shrunk: 0, argument: 0, below: 0 };
  for (const rates of factors) {
    const largest = share(rates, most);
    if (!isNear && !(largest < SMALL_SHARE)) return null;
    const spread = largestSpread(share(rates, least), largest);
    const { power } = rates;
    sums.spread += power * spread;
    sums.shrunk += -0.5 * power * Math.log1p(-4 * spread * (isNear ? Math.sin(turn / 2) ** 2 : 1));
    sums.argument += power * largestArgument(largest, turn);
    if (below > 0) sums.below += power * largestArgument(largest, below);
  }
  return sums;
}

/**
 * Bounds of a part over a box; null where g or h may vanish there.
 *
 * At height v, a factor of g is f(x) (1 - s + s e^ib), b = slope v, s the share of its second summand at x: of modulus f(x) r, r^2 = 1 -
 * 4 s (1 - s) sin^2(b / 2), and of argument atan2(s sin b, 1 - s + s cos b), which has the sign of b for |b| <= pi, grows with s, and
 * with |b| up to pi / 2, and is never more than asin(s / (1 - s)) for s < 1/2; then r >= 1 - 2s. Those of h are the same along -u. The
 * modulus of a normal density is e^(v^2 / 2) times that at x, that of an exponential one is that at x. The logarithm of the density at x
 * times g(x)^w h(x)^-v has a second derivative of at most max(0, w) slope^2 s (1 - s), and max(0, -v) as much of h, summed over the
 * factors, less 1 where the density is normal, so that a square function of x with its value and its slope in the middle bounds it.
 */
function onBox({ ratio }: SampledLaw, part: SampledPart, powers: readonly Powers[], box: Box): OnBox | null {
  const { base, labels } = part;
  const { slope, shift } = base;
  const { x, wide, low, high } = box;
  const highest = Math.max(high, -low);
  const turn = slope * highest;
  const beneath = turn <= Math.PI && low < 0 ? -slope * low : 0;
  const [left, right] = [x - wide, x + wide];
  const own = spreadOf(ratio.own, slope * left + shift, slope * right + shift, turn, beneath);
  const other = spreadOf(ratio.other, ratio.otherShift - slope * right, ratio.otherShift - slope * left, turn, beneath);
  if (own === null || other === null) return null;
  const isNormal = base.law === 'normal';
  let labelled = isNormal ? (highest * highest) / 2 : 0;
  for (const { place, width, rises } of labels) {
    const from = (left - place) / width;
    const to = (right - place) / width;
    labelled += rises ? logLabelMost(from, to, highest / width) : logLabelMost(-to, -from, highest / width);
  }
  const log = logOwn(ratio, base, x);
  const otherLog = logOther(ratio, base, x);
  const logDensity = base.logDensity(x);
  const density = isNormal ? -x : -0.5;
  const [share, shareOfOther] = [ownShare(ratio, base, x), otherShare(ratio, base, x)];
  const loss = (u: number): number => logOwn(ratio, base, u) - logOther(ratio, base, u);
  const argument = own.argument + other.argument;
  return {
    logWeights: powers.map(({ own: w, other: v }) => {
      const bend =
        Math.max(0, w) * slope * slope * own.spread +
        Math.max(0, -v) * slope * slope * other.spread -
        (isNormal ? 1 : 0);
      const steep = density + w * slope * share + v * slope * shareOfOther;
      const size =
        Math.abs(logDensity) +
        Math.abs(w * log) +
        Math.abs(v * otherLog) +
        Math.abs(steep) * (wide + Math.abs(x)) +
        Math.abs(bend) * wide * wide;
      return (
        largestOfSquare(logDensity + w * log - v * otherLog, steep * wide, (bend * wide * wide) / 2) +
        labelled +
        Math.max(0, -w) * own.shrunk +
        Math.max(0, v) * other.shrunk +
        64 * U * size +
        1e-9
      );
    }),
    loss: (Math.max(Math.abs(loss(left)), Math.abs(loss(right))) + own.shrunk + other.shrunk + argument) * (1 + 1e-9),
    below: turn > Math.PI ? argument : low < 0 ? (own.below + other.below) * (1 + 1e-9) : 0,
  };
}

/** A stretch of u. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** How a path is laid: over a stretch of u, as high as this at most. */
export interface Course extends Stretch {
  readonly height: number;
}

/** At the ends a path is on the real axis; it passes labels so low that they are no larger there than elsewhere. */
function heightAt({ labels }: SampledPart, { from, to, height }: Course, u: number): number {
  return labels.reduce(
    (min, { place, width }) => Math.min(min, 1.5 * width + Math.abs(u - place) / 2),
    Math.min(height, u - from, to - u),
  );
}

/** Ellipses around chords, from the nearest. */
const ELLIPSES = [2.3, 2.6, 3, 3.5, 4.2, 5.5, 8, 13].map(ellipse);

/** Of those that are not too high so many are tried, the largest ones. */
const TRIED = 3;
/** A path is not looked at in fewer pieces. */
const PIECES = 8;
/** So many turns of g^(it) below the axis do not matter. */
const FREE = 3;

/** Powers of g and 1 / h, with ln of the height of their weight, and of |L| times it. */
export interface PathPower {
  readonly powers: Powers;
  readonly top: number;
  readonly levered: number;
}

/** What a path is asked for. */
export interface PathGoal {
  readonly powers: readonly PathPower[];
  /** The largest t of g^(it). */
  readonly turns: number;
  /** ln of the error of a chord over the heights. */
  readonly logMost: number;
  readonly limit: number;
}

/**
 * Bounds on the errors of the integrals of f, f ln g and f (ln g)^2 along a path, |f| <= |density labels g^w g^(it)|, over e^top.
 */
export interface PathErrors {
  plain: number;
  first: number;
  second: number;
}

/** What came of a path. */
export interface Walked {
  /** For each power. */
  readonly errors: readonly PathErrors[];
  /** Stretches of u without what was left out, also on the real axis, where the weight is no larger. */
  readonly covered: readonly Stretch[];
}

/**
 * Gives `add` the nodes x + iy and complex weights of the sixteen-point rule on chords of a path, halved until the errors of the
 * integrals of any f, |f| <= |density labels g^w g^(it)|, and of f ln g, are at most e^logMost of the heights on each, for every
 * power w and all 0 <= t <= turns. A chord whose integrals are no more than that is left out. null where more than `limit` chords would be needed.
 */
export function walkPath(
  law: SampledLaw,
  part: SampledPart,
  course: Course,
  { powers, turns, logMost, limit }: PathGoal,
  add: (x: number, y: number, re: number, im: number) => void,
): Walked | null {
  const exponents = powers.map((goal) => goal.powers);
  const errors: PathErrors[] = powers.map(() => ({ plain: 0, first: 0, second: 0 }));
  const chordOf = (a: number, b: number): Chord => {
    const low = heightAt(part, course, a);
    const high = heightAt(part, course, b);
    return { x: (a + b) / 2, y: (low + high) / 2, halfX: (b - a) / 2, halfY: (high - low) / 2 };
  };
  /** Bounds on the box around an ellipse whose axes are a chord's direction and across it. */
  const boundsAround = ({ x, y, halfX, halfY }: Chord, along: number, across: number): OnBox | null => {
    const wide = Math.hypot(along * halfX, across * halfY) * (1 + 1e-12);
    const tall = Math.hypot(along * halfY, across * halfX) * (1 + 1e-12);
    return onBox(law, part, exponents, { x, wide, low: y - tall, high: y + tall });
  };
  /** Whether something of this size, times the weights, is small; then it counts as error. */
  const isLeftOut = ({ logWeights, loss, below }: OnBox, logSize: number): boolean => {
    const log = logSize + turns * below;
    const logLoss = Math.log(loss);
    for (let i = 0; i < powers.length; i++) {
      const size = log + logWeights[i]!;
      if (size - powers[i]!.top > logMost || size + logLoss - powers[i]!.levered > logMost) return false;
    }
    for (let i = 0; i < powers.length; i++) {
      const off = Math.exp(log + logWeights[i]! - powers[i]!.top);
      errors[i]!.plain += off;
      errors[i]!.first += off * loss;
      errors[i]!.second += off * loss * loss;
    }
    return true;
  };
  const free = FREE / (turns * part.base.slope + 1e-300);
  const placeAt = (i: number): number =>
    i === PIECES ? course.to : course.from + ((course.to - course.from) * i) / PIECES;
  const waiting = Array.from({ length: PIECES }, (_, i) => ({ a: placeAt(i), b: placeAt(i + 1) })).reverse();
  const covered: { from: number; to: number }[] = [];
  let count = 0;
  for (let piece = waiting.pop(); piece !== undefined; piece = waiting.pop()) {
    const { a, b } = piece;
    const chord = chordOf(a, b);
    const length = Math.log(Math.hypot(chord.halfX, chord.halfY));
    const own = boundsAround(chord, 1, 0);
    if (own !== null && isLeftOut(own, length + Math.LN2)) continue;
    // Where an ellipse reaches below the real axis g^(it) grows with t.
    const above = Math.min(heightAt(part, course, a), heightAt(part, course, b)) + free;
    const size = Math.exp(length);
    const isFine = ELLIPSES.filter(({ across }) => across * size <= above)
      .slice(-TRIED)
      .some(({ along, across, logError }) => {
        const bounds = boundsAround(chord, along, across);
        return bounds !== null && isLeftOut(bounds, length + logError);
      });
    if (!isFine) {
      const middle = (a + b) / 2;
      if (count + waiting.length >= limit || !(middle > a && middle < b)) return null;
      waiting.push({ a: middle, b }, { a, b: middle });
      continue;
    }
    count++;
    const last = covered.at(-1);
    if (last?.to === a) last.to = b;
    else covered.push({ from: a, to: b });
    for (const { x: s, weight } of GAUSS_LEGENDRE_16) {
      add(chord.x + s * chord.halfX, chord.y + s * chord.halfY, weight * chord.halfX, weight * chord.halfY);
    }
  }
  return { errors, covered };
}
