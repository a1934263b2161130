import { meetingsOf, sampled, type Meeting, type Sample } from '../../numeric/convex/samples.ts';
import { decimalFromDouble } from '../../numeric/decimal.ts';
import {
  asLower,
  asUpper,
  enclosure,
  exactly,
  type Bracket,
  type Enclosure,
  type LowerBound,
  type UpperBound,
} from '../../numeric/enclosure.ts';
import { add, divide, exponential, logarithm, multiply, negate, subtract } from '../../numeric/enclosure-arithmetic.ts';
import { approximateQuantile, normalQuantile, normalTail } from '../../numeric/normal.ts';
import { nextDown, nextUp } from '../../numeric/rounding.ts';
import { gaussianLogDelta } from '../../privacy/gaussian.ts';
import { muEverywhere, muOfGaussian } from './gaussian-everywhere.ts';
import { FIT_RATE } from './fit-rate.ts';
import type { Profile, Profiles } from './profile.ts';

/*
 * G is the trade-off function of mu-GDP, and 1 - G(a) = Phi(Phi^-1(a) + mu) its true-positive rate, concave in the
 * false-positive rate a; G is its own inverse. A trade-off function f and the one with the distributions exchanged, its
 * inverse, are each looked at where the slope of the true-positive rate is at least 1: that is all of either.
 */

/** The Gaussian trade-off functions on both sides of a trade-off function, of false-positive and false-negative rates of at least a rate. */
export interface GaussianFit {
  /** A mu of which G <= f over the range for the f of all mechanisms. */
  readonly above: UpperBound;
  /** A mu of which G >= f over the range for some mechanisms of the classes; null where none are known. */
  readonly below: LowerBound | null;
  /** A mu of which G <= f at all rates: they are mu-GDP; null where none is known. */
  readonly everywhere: UpperBound | null;
  /** What is lost by reporting `above` in place of f, see `gaussianFit`; null where f is not known from both sides. */
  readonly regret: Bracket | null;
}

/** The relative width at which a profile is no longer looked at. */
const TOLERANCE = 1e-4;
/** Values of a profile that is known from both sides, more of them for the regret, and of one that is claimed. */
const [MOST, MOST_MORE, MOST_CLAIMED] = [128, 32, 40];
const STEPS = 60;
/** No Gaussian with a larger mu is told from one that reveals everything, at any rate that a double can be. */
const LARGEST_MU = 80;

/** A profile, sampled from epsilon 0 to where a slope is as large as 1 / rate. */
type Samples = readonly Sample[];

/** Where the lines of slopes and heights of two samples meet, and a bound of the true-positive rate on both there. */
interface Corner {
  readonly alpha: number;
  /** 1 - f is at most that there, rounded up. */
  readonly rate: number;
}

const heightOf = ({ x, value }: Sample, alpha: number): number =>
  add(multiply(x, exactly(alpha)), exactly(value.upper)).upper;

/** The samples on the lower convex hull of their upper ends. */
function hullOf(samples: Samples): Samples {
  const hull: Sample[] = [];
  for (const next of samples) {
    for (;;) {
      const [before, last] = hull.slice(-2);
      if (before === undefined || last === undefined) break;
      const slopeToLast = (last.value.upper - before.value.upper) / (last.x.upper - before.x.upper);
      const slopeToNext = (next.value.upper - before.value.upper) / (next.x.upper - before.x.upper);
      if (slopeToLast < slopeToNext) break;
      hull.pop();
    }
    hull.push(next);
  }
  return hull;
}

/**
 * The corners, from right to left, of a concave function that no true-positive rate exceeds, 1 - rate at most: from where its
 * slope is 1 to a false-positive rate of `rate`. Between two of them it is below one line that is not above either.
 */
function cornersOf(samples: Samples, rate: number): readonly Corner[] {
  const [first, ...hull] = hullOf(samples);
  const cap = nextUp(1 - rate);
  const corners: Corner[] = [];
  let line = first!;
  let before: Corner = { alpha: 1, rate: 0 };
  const reach = (alpha: number, height: number): void => {
    // Where the line reaches the cap nothing more is asked of what is to the right.
    const crossing = ((cap - line.value.upper) / line.x.upper) * (1 - 1e-15);
    if (height < cap && before.rate > cap && crossing > alpha) corners.push({ alpha: crossing, rate: cap });
    corners.push({ alpha, rate: Math.min(cap, height) });
    before = { alpha, rate: height };
  };
  for (const next of hull) {
    const meeting = (line.value.upper - next.value.upper) / (next.x.upper - line.x.upper);
    const alpha = Math.min(before.alpha, meeting);
    if (!(alpha > rate)) break;
    reach(alpha, Math.max(heightOf(line, alpha), heightOf(next, alpha)));
    line = next;
  }
  reach(rate, heightOf(line, rate));
  return corners;
}

/** The mu whose Gaussian has exactly the rates of a corner, rounded up; at least 0. */
function muAt({ alpha, rate }: Corner): number {
  const place = (p: number): Enclosure => normalQuantile(exactly(p), enclosure(nextDown(1 - p), nextUp(1 - p)));
  return rate <= alpha ? 0 : Math.max(0, subtract(place(rate), place(alpha)).upper);
}

/** A mu above: a concave function lies below another if its corners do, for what is between them is a chord. */
const muAbove = (samples: Samples, rate: number): number => Math.max(...cornersOf(samples, rate).map(muAt));

/** At most delta at slopes and between samples, by its corners. */
const cornersBelow = (samples: Samples): readonly Meeting[] => [
  ...meetingsOf(samples, -1),
  ...samples.map(({ x, value }) => ({ x: x.lower, value: Math.max(0, value.lower) })),
];

/**
 * Whether Phi(Phi^-1(a) + mu) <= x a + value for all a of at least `rate`: it is farthest above the line at
 * a = Phi(-ln x / mu - mu / 2), by delta of mu-GDP at ln x, and where that is less than the rate, at the rate.
 */
function isBelowLine(mu: number, { x, value }: Meeting, rate: number): boolean {
  if (mu === 0) return true;
  const epsilon = logarithm(exactly(x));
  const at = enclosure(Math.max(0, epsilon.lower), Math.max(0, epsilon.upper));
  if (exponential(gaussianLogDelta(exactly(mu), at)).upper <= value) return true;
  const place = add(divide(at, exactly(mu)), multiply(exactly(0.5), exactly(mu)));
  if (normalTail(place.lower).upper > rate) return false;
  const start = normalQuantile(exactly(rate), exactly(nextUp(1 - rate)));
  const reached = normalTail(negate(add(start, exactly(mu))).lower).upper;
  return reached <= add(multiply(exactly(x), exactly(rate)), exactly(value)).lower;
}

/** A mu below: G >= f where the true-positive rate of G is below every line that f's is the lowest of. */
function muBelow(samples: Samples, rate: number, upperEnd: number): number {
  const corners = cornersBelow(samples);
  let [lowerEnd, beyond] = [0, upperEnd];
  for (let step = 0; step < STEPS && beyond - lowerEnd > 1e-13 * beyond; step++) {
    const mu = step === 0 ? beyond : lowerEnd + (beyond - lowerEnd) / 2;
    if (corners.every((corner) => isBelowLine(mu, corner, rate))) lowerEnd = mu;
    else beyond = mu;
    if (lowerEnd === beyond) break;
  }
  return lowerEnd;
}

const deltaOf = (mu: number, at: number): Enclosure => exponential(gaussianLogDelta(exactly(mu), exactly(at)));

/** (delta of mu-GDP - delta) / (1 + gamma), enclosed at a sample. */
const excessAt = (mu: number, { at, x, value }: Sample): Enclosure =>
  divide(subtract(deltaOf(mu, at), value), add(exactly(1), x));

/** At most that between two samples: both deltas are convex, so that it is at most where the corners of their bounds are. */
function excessBetween(mu: number, left: Sample, right: Sample, { x, value }: Meeting): number {
  const [high, low] = [deltaOf(mu, left.at).upper, deltaOf(mu, right.at).upper];
  const share = Math.min(1, nextUp(nextUp(right.x.upper - x) / nextDown(right.x.lower - left.x.upper)));
  const chord = nextUp(low + nextUp(share * Math.max(0, nextUp(high - low))));
  const excess = subtract(exactly(chord), exactly(value));
  return Math.max(
    excessAt(mu, left).upper,
    excessAt(mu, right).upper,
    divide(excess, add(exactly(1), exactly(x))).upper,
  );
}

/** The first places where a profile is looked at: near 0 and far from it, and its largest loss. */
function firstPlaces({ largest }: Profile, end: number): readonly number[] {
  const spread = Array.from({ length: 9 }, (_, i) => end * 3 ** (i - 8));
  return [...new Set([0, ...spread, ...(largest > 0 && largest < end ? [largest] : [])])].sort((a, b) => a - b);
}

interface Fitted {
  readonly samples: Samples;
  readonly mu: number;
}

/** The samples by which the mus of one profile are found; `cap` is a mu above that is known. */
function fitted(
  profile: Profile,
  rate: number,
  cap: number,
  evaluate: (at: number) => Enclosure,
  limit: number,
): Fitted {
  const end = -Math.log(rate) * (1 + 1e-9);
  /** About the mus for what is claimed of corners and what is certain there: the largest and the smallest that remain possible. */
  const gains = (samples: Samples, meetings: readonly Meeting[]): number[] => {
    const heightAt = (alpha: number): number => Math.min(1 - rate, ...samples.map((sample) => heightOf(sample, alpha)));
    const depthAt = (alpha: number): number =>
      Math.max(
        alpha,
        Math.min(
          1 - rate,
          ...meetings.map(({ x, value }) => x * alpha + value),
          ...samples.map(({ x, value }) => x.lower * alpha + value.lower),
        ),
      );
    const mus = meetings.map((_, i) => {
      const [left, right] = [samples[i]!, samples[i + 1]!];
      const meeting = (left.value.upper - right.value.upper) / (right.x.upper - left.x.upper);
      const alpha = Math.max(rate, meeting);
      const high = heightAt(alpha);
      // Left of the range only lines matter that are the lowest at its end.
      const isSeen = meeting >= rate || Math.min(heightOf(left, alpha), heightOf(right, alpha)) <= high * (1 + 1e-12);
      if (!(isSeen && high > alpha && alpha < 0.5)) return null;
      const place = approximateQuantile(alpha);
      const low = approximateQuantile(depthAt(alpha)) - place;
      return { high: Math.min(cap, approximateQuantile(high) - place), low };
    });
    const [needed, possible] = mus.reduce<[number, number]>(
      ([max, min], range) => (range === null ? [max, min] : [Math.max(max, range.low), Math.min(min, range.high)]),
      [0, Infinity],
    );
    return mus.map((range) => {
      if (range === null) return 0;
      const more = Math.max(range.high - needed, Math.min(possible - range.low, range.high - range.low));
      return more > TOLERANCE * (needed + TOLERANCE) ? more : 0;
    });
  };
  const samples = sampled({ evaluate, first: firstPlaces(profile, end), steepest: -1, gains, limit: limit });
  return { samples, mu: muAbove(samples, rate) };
}

/** Encloses the largest excess of the delta of mu-GDP over a profile's, over 1 + e^eps, at eps >= 0. */
function regretIn({ samples: firstSamples }: Fitted, mu: number, evaluate: (at: number) => Enclosure): Enclosure {
  let lowerEnd = 0;
  const gains = (samples: Samples, meetings: readonly Meeting[]): number[] => {
    lowerEnd = Math.max(lowerEnd, ...samples.map((sample) => excessAt(mu, sample).lower));
    return meetings.map((meeting, i) => {
      const more = excessBetween(mu, samples[i]!, samples[i + 1]!, meeting) - lowerEnd;
      return more > TOLERANCE * (lowerEnd + TOLERANCE) ? more : 0;
    });
  };
  const samples = sampled({
    evaluate,
    first: firstSamples.map(({ at }) => at),
    steepest: -1,
    gains,
    limit: firstSamples.length + MOST_MORE,
  });
  const meetings = meetingsOf(samples, -1);
  const between = meetings.map((meeting, i) => excessBetween(mu, samples[i]!, samples[i + 1]!, meeting));
  const last = samples.at(-1)!;
  const tail = divide(deltaOf(mu, last.at), add(exactly(1), last.x)).upper;
  return enclosure(Math.max(0, ...samples.map((sample) => excessAt(mu, sample).lower)), Math.max(0, tail, ...between));
}

/** As delta grows with mu by at most phi(0) < 0.4, and 1 + e^eps >= 2. */
const ofGaussian = ({ lower, upper }: Enclosure): GaussianFit => ({
  above: upper,
  below: lower,
  everywhere: upper,
  regret: { lower: asLower(0), upper: asUpper(nextUp(0.2 * nextUp(upper - lower))) },
});

/**
 * The Gaussian trade-off functions G that bound the trade-off function f of a composition where both error rates are at
 * least `rate`: that of `above` lies nowhere above f, that of `below` nowhere below the f of some mechanisms of the classes.
 *
 * Regret of `above`: the least kappa >= 0 with f(a + kappa) - kappa <= G(a) for all a. As both are convex, f shifted by
 * kappa has the support function min over a of p a + (1 - p) f(a), less kappa, at every prior p: so it is the largest
 * difference, over priors, between the probabilities of a right guess under G and under f, and with p = 1 / (1 + e^eps) that
 * is the largest of (delta_G(eps) - delta(eps)) / (1 + e^eps) over real eps, where eps < 0 is eps > 0 with the neighbours
 * exchanged.
 *
 * Source: Kaissis, Kolek, Balle, Hayes, Rueckert (2024), "Beyond the calibration point: mechanism comparison in differential
 * privacy" (their divergence of mechanisms, and its reading by priors); the enclosures are derived: lines of slope e^eps and
 * height delta above, chords of profiles below.
 *
 * @param rate - from 1e-12 to 0.01; what is said of smaller rates holds for larger ones
 */
export function gaussianFit({ claimed, attained, entries }: Profiles, rate = FIT_RATE.usual): GaussianFit {
  const exact = entries && muOfGaussian(entries);
  if (exact !== null) return ofGaussian(exact);
  const largest = Math.max(...claimed.map((profile) => profile.largest));
  const everywhere = muEverywhere(entries, largest);
  const fits = new Map<Profile, { readonly fit: Fitted; readonly evaluate: (at: number) => Enclosure }>();
  for (const profile of new Set([...attained, ...claimed])) {
    const values = new Map<number, Enclosure>();
    const evaluate = (at: number): Enclosure => {
      const cachedValue = values.get(at);
      if (cachedValue !== undefined) return cachedValue;
      const { lower, upper } = profile.delta(decimalFromDouble(at));
      const value = enclosure(lower ?? upper, upper);
      values.set(at, value);
      return value;
    };
    const limit = attained.includes(profile) ? MOST : MOST_CLAIMED;
    fits.set(profile, { fit: fitted(profile, rate, everywhere ?? Infinity, evaluate, limit), evaluate });
  }
  const byRange = Math.max(...claimed.map((profile) => fits.get(profile)!.fit.mu));
  const above = Math.min(byRange, everywhere ?? Infinity);
  // The mu at the largest loss alone may be infinite.
  const upperEnd = Math.min(LARGEST_MU, Math.max(above, TOLERANCE));
  const below =
    attained.length === 0
      ? null
      : Math.min(above, ...attained.map((profile) => muBelow(fits.get(profile)!.fit.samples, rate, upperEnd)));
  const regrets =
    claimed === attained && Number.isFinite(above)
      ? claimed.map((profile) => regretIn(fits.get(profile)!.fit, above, fits.get(profile)!.evaluate))
      : [];
  return {
    above: asUpper(above),
    below: below === null ? null : asLower(below),
    everywhere: everywhere === null ? null : asUpper(everywhere),
    regret:
      regrets.length === 0
        ? null
        : {
            lower: asLower(Math.max(...regrets.map(({ lower }) => lower))),
            upper: asUpper(Math.max(...regrets.map(({ upper }) => upper))),
          },
  };
}
