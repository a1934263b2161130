import { ONE, toLower, type Decimal } from '../../numeric/decimal.ts';
import { asLower, exactly, midpoint, type LowerBound } from '../../numeric/enclosure.ts';
import { add, exponential, multiply } from '../../numeric/enclosure-arithmetic.ts';
import { approximateQuantile, normalTail } from '../../numeric/normal.ts';
import { nextDown, nextUp } from '../../numeric/rounding.ts';
import type { Guesses } from './one-run.ts';

/** A line: no test with a true-positive rate of y has a false-positive rate below slope y + offset; the slope is at least 0. */
export interface RateLine {
  readonly slope: number;
  readonly offset: number;
}

/**
 * Whether so many correct guesses or more cannot have a chance of `mass`, in (0, 1], if the tests of every canary obey these lines, in
 * either direction. Certain where it says so.
 *
 * With p_i = P[i correct], R_t = sum_{i >= t} i p_i / m and H_t = sum_{i >= t} (g - i) p_i / m: R_t and at most H_(t-1) are the true- and
 * false-positive rates, averaged over canaries and sides, of the test "it is guessed to be on this side, and t - 1 or more others
 * rightly". So H_(t-1) >= L(R_t), L the largest of the lines, which is convex. From p_c = mass, r_c = mass c / m and
 * h_c = mass (g - c) / m the least masses that obey this are taken: h_(t-1) = max(h_t, L(r_t)) and r_(t-1) = r_t + k_t (h_(t-1) - h_t),
 * k_t = (t - 1) / (g - t + 1). If r + h passes g / m, the whole of R_0 + H_0, the mass is impossible.
 *
 * Proof. R_t >= r_t and R_t - k_t H_t >= r_t - k_t h_t hold at t = c, where what lies beyond c is at least as correct, and are kept: where h_(t-1) = L(r_t), H_(t-1) >= L(R_t) >= h_(t-1),
 * and R_(t-1) - k_(t-1) H_(t-1) = (R_t - k_t H_t) + (k_t - k_(t-1)) H_(t-1) with k_t >= k_(t-1); where h_(t-1) = h_t, either
 * H_(t-1) >= h_t as before, or both parts of R - k H are no worse. When h last rose, R >= r and H >= h. QED. The code keeps a = r - k h, so that all
 * terms are positive and rounded down.
 *
 * Source: Mahloujifar, Melis, Chaudhuri (2024), the recursion; the proof is derived.
 */
export function isImpossible(
  lines: readonly RateLine[],
  { canaries: m, guesses: g, correct: c }: Guesses,
  mass: number,
): boolean {
  if (c === 0) return false;
  const whole = nextUp(g / m);
  let best = 0;
  const valueAt = (index: number, y: number): number =>
    index < lines.length ? nextDown(nextDown(lines[index]!.slope * y) + lines[index]!.offset) : -Infinity;
  const leastRate = (y: number): number => {
    while (valueAt(best + 1, y) > valueAt(best, y)) best++;
    return valueAt(best, y);
  };
  let a = nextDown(nextDown(nextDown(mass * g) / (g - c + 1)) / m);
  let h = Math.max(0, nextDown(nextDown(mass * (g - c)) / m));
  for (let t = c; t >= 1; t--) {
    const rest = g - t + 1;
    const r = nextDown(a + nextDown(nextDown((t - 1) / rest) * h));
    if (nextDown(r + h) > whole) return true;
    h = Math.max(h, leastRate(r));
    if (t > 1) a = nextDown(a + nextDown(nextDown(nextDown(g / rest) / (rest + 1)) * h));
  }
  return nextDown(a + h) > whole;
}

/** Lines by which a Gaussian trade-off function is approached: their lower envelope costs mu about 2e-6 of it. */
const LINES = 1000;
/** True-positive rates nearer to 1 than this have no lines of their own. */
const NEAR_ONE = 1e-9;

/**
 * Tangents of Phi(Phi^-1(y) - mu), the least false-positive rate of a test of N(0, 1) against N(mu, 1) with true-positive rate y, from
 * `least` up to `most`, by ascending slopes: at y = Phi(-z) the slope is e^(-mu z - mu^2 / 2). Rounded down for y >= 0.
 */
function gaussianLines(mu: number, least: number, most: number): RateLine[] {
  const [from, to] = [approximateQuantile(least), approximateQuantile(Math.min(most, 1 - NEAR_ONE))];
  const half = multiply(exactly(-mu), exactly(mu / 2));
  return Array.from({ length: LINES }, (_, index) => {
    const z = exactly(-(from + ((to - from) * index) / (LINES - 1)));
    const shifted = add(z, exactly(mu));
    const slope = exponential(add(multiply(exactly(-mu), z), half));
    // The tangent below: at a place a little farther out it lies lower.
    const rate = normalTail(shifted.upper).lower;
    const offset = nextDown(rate - multiply(slope, normalTail(midpoint(z))).upper);
    return { slope: slope.lower, offset };
  });
}

/** Relative width at which the search for mu ends. */
const WIDTH = 1e-7;
/** Where the search ends; what was rejected stands. */
const LARGEST = 80;

/**
 * The largest mu, rounded down, that so many correct guesses reject: the guesses of a mu-GDP mechanism are right as often or more with a
 * chance below 1 - confidence. At least 0.
 *
 * Units and domain: whole 0 <= correct <= guesses <= canaries, guesses up to 1,000,000; 1/2 <= confidence < 1. See {@link isImpossible}.
 */
export function muByGuesses(guesses: Guesses, confidence: Decimal): LowerBound {
  const risk = toLower(ONE.minus(confidence));
  const { canaries, guesses: count, correct } = guesses;
  const least = Math.min(0.5, (risk * correct) / canaries);
  const isRejected = (mu: number): boolean => isImpossible(gaussianLines(mu, least, count / canaries), guesses, risk);
  if (correct === 0 || !isRejected(WIDTH)) return asLower(0);
  let [rejected, other] = [WIDTH, 1];
  while (other < LARGEST && isRejected(other)) [rejected, other] = [other, 2 * other];
  while (other - rejected > WIDTH * other) {
    const middle = (rejected + other) / 2;
    if (isRejected(middle)) rejected = middle;
    else other = middle;
  }
  return asLower(rejected);
}
