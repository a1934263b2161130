import { enclosure, exactly, midpoint, width, type Enclosure } from '../../numeric/enclosure.ts';
import { exponential, multiply, subtract, times } from '../../numeric/enclosure-arithmetic.ts';
import { chordsAbove, chordsBelow, type ConvexLaw, type CurvePoint } from '../../numeric/convex/lines-around.ts';
import { approximateQuantile, logNormalTail, normalTail, normalTailNear } from '../../numeric/normal.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { Allocation } from './allocation-table.ts';
import { alongLine, CutNoise, momentAt, mostBeyond, REACH, saddlePoint, type Exponent } from './cut-noise.ts';

/** So many batches are far out on the mean, or fewer, with a share of M that is at least this. */
const FAR = 1e-7;
const AT_LEAST = 4;
/** Lines are tried for noise up to places of this ratio. */
const NEARER = Math.exp(-0.5);
const NEAREST = 1.2;
/** The rest of the batches has places so many to its deviation, as far as this, and then at this share of what they are above 1. */
const PLACES = 5;
const WIDE = 7;
const APART = 0.1;
/** Beyond it has so many places more, each twice as far, where exponential moments bound it. */
const FURTHER = 10;
/** Of k, what two far batches may have before the second counts; see below. */
const SHARES = [1 / 8, 1 / 4, 1 / 2];
/** Exponents, over the place up to which noise is. */
const POWERS = [4, 6, 8, 11, 15, 20, 28, 40];

/** The mean of the batches without one, all of whose noise is up to a place. */
interface Rest {
  readonly place: number;
  readonly ratio: number;
  readonly above: ConvexLaw;
  readonly below: ConvexLaw;
}

/** P(x > a) and P(x > a - mu), from both sides. */
interface Tails {
  readonly plain: Enclosure;
  readonly shifted: Enclosure;
}

/**
 * The curve of a removal in one epoch of random allocation where e^epsilon is large, so that one batch decides: delta = E_Q[(M - K)+] as for
 * single epochs, without the part where the noise x of some batch is above the place where Y / t is K.
 *
 * Let c be a place so far out that hardly two batches are above it, and R the sum of the Y_i / t of t - 1 batches where
 * all of them are below c. Where exactly one batch is between c and the cut, the mean of (M - K)+ is
 *
 *     t E[(Y / t + R - K)+; c < x < cut, the others below c],
 *
 * in closed form for every value of R; it is convex in R, so that R lies between laws of few places. Of what is left, all are at most about
 * K / 2, and an exponential moment bounds it; or one is more, whose Y / t is less than K, and another one is beyond c. With M' the sum without
 * the first that is at most, for every u >= 0,
 *
 *     t P(c < x < cut) t E[(Y / t - (K - u))+; K / 2 < x < cut] + t P(K / 2 < x < cut) E[(M' - u)+; another one beyond c],
 *
 * and the last mean at most t E[(Y / t - (u - v))+; c < x < cut] + t P(c < x < cut) E[(M - v)+]. There E[(M - v)+] stands for that of all but
 * two batches: without any beyond c it is bounded by r^-1 e^(-1 - rv) phi^t, phi = E[e^(rY / t); x < c], instead of phi^(t - 2), which is more as
 * phi >= 1: phi - 1 >= (r / t) P(x < c - mu) - P(x > c), where with a = mu - c < c, as c is where Y / t > 1, and Mills' ratio R, which falls,
 * P(x < c - mu) = f(a) R(a) > f(a) R(c) = t (Y / t) P(x > c), f the normal density, and r Y / t >= 4.
 *
 * The gain in closed form is a mean over y of (y + R - K)+, which is (R - u)+ for u = K - y >= 0: a mixture of such for all R >= 0.
 *
 * Source: derived.
 */
export class OneFarBatch {
  readonly #law: Allocation;
  readonly #mu: number;
  readonly #noise: CutNoise;
  readonly #rest: Rest | null;
  readonly #exponents = new Map<number, readonly Exponent[]>();

  /** @param work - see {@link CutNoise.lineOf} */
  constructor(law: Allocation, work: number) {
    this.#law = law;
    this.#mu = Math.sqrt(law.muSquared);
    this.#noise = new CutNoise(law);
    const farthest = Math.max(AT_LEAST, this.#noise.ratioAt(-approximateQuantile(FAR / law.batches)));
    let rest: Rest | null = null;
    // Noise further out is left out.
    for (let ratio = Math.min(farthest, this.#noise.ratioAt(REACH)); ratio > NEAREST && rest === null; ratio *= NEARER)
      rest = this.#restBelow(ratio, work);
    this.#rest = rest;
  }

  /** From which k on it is known. */
  get least(): number {
    return this.#rest?.ratio ?? Infinity;
  }

  #restBelow(ratio: number, work: number): Rest | null {
    const { batches: t } = this.#law;
    const others = { ...this.#law, batches: t - 1 };
    const noise = new CutNoise(others);
    const place = this.#noise.placeOf(ratio);
    const part = { place };
    const about = noise.noiseOf(part);
    const { mean, variance } = about.tilted(0, 0);
    const deviation = Math.sqrt(variance);
    const s0 = Math.min(saddlePoint(about, ratio), 1 / deviation);
    // The sum of t - 1 is their mean times this.
    const share = (t - 1) / t;
    const points: number[] = [];
    const from = Math.max(mean / 8, mean - WIDE * deviation);
    const step = deviation / PLACES;
    for (let k = from; k < 2 * ratio; k += k < mean + WIDE * deviation ? step : Math.max(step, APART * (k - mean)))
      points.push(k);
    const line = noise.lineOf(part, s0, { least: from, most: 2 * ratio }, work);
    if (line === null) return null;
    const none = exponential(times(t - 1, logNormalTail(-place)));
    const below = exponential(times(t - 2, logNormalTail(-place)));
    const one = subtract(exactly(1), normalTailNear(place - this.#mu));
    const whole = times(share, multiply(below, one));
    const values = points.map((k): CurvePoint => ({ k: k * share, value: times(share, alongLine(line, k)) }));
    const exponents = POWERS.map((power) => momentAt(about, power / ratio));
    const further = Array.from({ length: FURTHER }, (_, i): CurvePoint => {
      const k = 2 ** (i + 1) * ratio;
      return { k: k * share, value: enclosure(0, leastBeyond(exponents, k)) };
    });
    return {
      place,
      ratio,
      above: chordsAbove(whole, [...values, ...further]),
      below: chordsBelow(whole, none.upper, values),
    };
  }

  /** Those of the mean of all batches whose noise is up to a place. */
  #exponentsBelow(place: number): readonly Exponent[] {
    const known = this.#exponents.get(place);
    if (known) return known;
    const noise = this.#noise.noiseOf({ place });
    const found = POWERS.map((power) => momentAt(noise, power / this.#noise.ratioAt(place)));
    this.#exponents.set(place, found);
    return found;
  }

  /** Encloses E[(M - k)+] without the part where some batch is above the place of k, which is at least the least. */
  deltaAt(k: number): Enclosure {
    const rest = this.#rest;
    if (rest === null) return enclosure(0, Infinity);
    const end = this.#tailsAt(this.#noise.placeOf(k));
    const half = Math.max(rest.place, this.#noise.placeOf(2 ** (Math.floor(4 * Math.log2(k / 2)) / 4)));
    const lower = this.#withOne(rest.below, k, rest.place, end).lower;
    const one =
      this.#withOne(rest.above, k, rest.place, end).upper + rest.above.beyond * this.#between(rest.place, end);
    const upper = one + this.#mostBelow(half, k) + this.#mostWithTwo(rest.place, half, k, end);
    return enclosure(Math.max(0, lower), upper * (1 + 1e-14));
  }

  /** At most E[(M - k)+] where the noise of all batches is up to a place. */
  #mostBelow(place: number, k: number): number {
    return leastBeyond(this.#exponentsBelow(place), k);
  }

  /** At most that where a batch is beyond the half and another one beyond the place, and all before the end. */
  #mostWithTwo(place: number, half: number, k: number, end: Tails): number {
    const far = this.#between(place, end);
    const [first, second] = [this.#between(half, end), this.#gain(0, place, end).upper + far];
    const v = this.#noise.ratioAt(place) / 2;
    const others = far * (second + this.#mostBelow(place, v));
    return SHARES.reduce((least, share) => {
      const u = share * k;
      const beyond = first * (this.#gain(u - v, place, end).upper + others);
      return Math.min(least, beyond + far * this.#gain(k - u, half, end).upper);
    }, first * second);
  }

  #tailsAt(x: number): Tails {
    return { plain: normalTail(x), shifted: normalTailNear(x - this.#mu) };
  }

  /** At most how many batches are expected to be between a place and the end. */
  #between(place: number, end: Tails): number {
    return times(this.#law.batches, subtract(normalTail(place), end.plain)).upper;
  }

  /** t E[(Y / t - u)+] with the noise between a place and the end. */
  #gain(u: number, place: number, end: Tails): Enclosure {
    const { batches: t } = this.#law;
    const from = u > 0 ? Math.max(place, this.#noise.placeOf(u)) : place;
    const { plain, shifted } = this.#tailsAt(from);
    const ofNoise = u * t;
    const value = midpoint(shifted) - midpoint(end.shifted) - ofNoise * (midpoint(plain) - midpoint(end.plain));
    const rounded = midpoint(shifted) + Math.abs(ofNoise) * midpoint(plain);
    const unknown = width(shifted) + width(end.shifted) + Math.abs(ofNoise) * (width(plain) + width(end.plain));
    return enclosure(value - unknown - 16 * U * rounded, value + unknown + 16 * U * rounded);
  }

  /** Where the others have this law, t E[(Y / t + R - k)+] with one batch between the place and the end. */
  #withOne({ places, masses, error }: ConvexLaw, k: number, place: number, end: Tails): Enclosure {
    const between = this.#between(place, end);
    let [sum, off] = [0, 0];
    for (let j = 0; j < places.length; j++) {
      const gain = this.#gain(k - places[j]!, place, end);
      sum += masses[j]! * midpoint(gain);
      // Places are rounded twice.
      off += masses[j]! * (width(gain) + 4 * U * places[j]! * between);
    }
    off += sum * (error + (places.length + 16) * U);
    return enclosure(sum - off, sum + off);
  }
}

/** At most E[(M - k)+] by exponents. */
const leastBeyond = (exponents: readonly Exponent[], k: number): number =>
  exponents.reduce((least, exponent) => Math.min(least, Math.exp(mostBeyond(exponent, k))), 1);
