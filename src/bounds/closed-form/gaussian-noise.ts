import { Decimal, encloseDecimal, ONE } from '../../numeric/decimal.ts';
import { exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { divide, exponential, log1p, logarithm, negate } from '../../numeric/enclosure-arithmetic.ts';
import { bracketRoot } from '../../numeric/bracket-root.ts';
import { gaussianLogDelta } from '../../privacy/gaussian.ts';
import { gaussianDelta } from '../precise/gaussian.ts';
import { Arithmetic } from '../precise/interval.ts';

/** The largest epsilon and the least delta for which Gaussian noise is computed. */
export const LARGEST_EPSILON = new Decimal('1e100');
export const LEAST_DELTA = new Decimal('1e-150');

/** A delta nearer to 1 counts as this. */
const LARGEST_DELTA = ONE.minus('1e-150');

/** Significant digits of a standard deviation. */
const DIGITS = 12;

/** Standard deviations within these limits lie between `LEAST` and `LEAST` e^SPAN. */
const LEAST = 1e-60;
const SPAN = Math.log(1e155 / LEAST);

/** Decimals decide what doubles cannot, within these. */
const PRECISE = { largestEpsilon: 1e4, leastSigma: 1e-3, largestSigma: 1e150 } as const;
const SPARE_DIGITS = 40;

/** The next decimal of so many digits after one that has no more of them. */
const above = (sigma: Decimal): Decimal => sigma.plus(`1e${sigma.e - DIGITS + 1}`);

/** The one before it. */
function below(sigma: Decimal): Decimal {
  const next = sigma.minus(`1e${sigma.e - DIGITS + 1}`);
  return next.e === sigma.e ? next : sigma.minus(`1e${sigma.e - DIGITS}`);
}

/** A decision on a standard deviation. */
type Verdict = 'suffices' | 'too-small' | 'unknown';

const verdict = (value: { readonly suffices: boolean; readonly tooSmall: boolean }): Verdict =>
  value.suffices ? 'suffices' : value.tooSmall ? 'too-small' : 'unknown';

/** By doubles, rounded outward. */
function byDoubles(sigma: Decimal, epsilon: Enclosure, logDelta: Enclosure): Verdict {
  const noiseLogDelta = gaussianLogDelta(divide(exactly(1), encloseDecimal(sigma)), epsilon);
  return verdict({ suffices: noiseLogDelta.upper <= logDelta.lower, tooSmall: noiseLogDelta.lower > logDelta.upper });
}

/** By decimals, of so many digits that the difference of two tails keeps enough of them. */
function byDecimals(sigma: Decimal, epsilon: Decimal, delta: Decimal): Verdict {
  const { largestEpsilon, leastSigma, largestSigma } = PRECISE;
  if (epsilon.gt(largestEpsilon) || sigma.lt(leastSigma) || sigma.gt(largestSigma)) return 'unknown';
  const a = new Arithmetic(SPARE_DIGITS - delta.e);
  const noiseDelta = gaussianDelta(epsilon, a.divide(a.one, a.of(sigma)), a);
  return verdict({ suffices: noiseDelta.upper.lte(delta), tooSmall: noiseDelta.lower.gt(delta) });
}

/** ln delta, to all digits near 1 too. */
const logarithmOf = (delta: Decimal): Enclosure =>
  delta.lt('0.5') ? logarithm(encloseDecimal(delta)) : log1p(negate(encloseDecimal(ONE.minus(delta))));

/** About how large it is: Phi(mu/2 - epsilon/mu) is about delta, or where epsilon is small, 2 Phi(mu/2) - 1 is. */
function guess(epsilon: number, delta: number): number {
  const t = Math.sqrt(-2 * Math.log(delta));
  return 1 / Math.max(Math.sqrt(t * t + 2 * epsilon) - t, Math.sqrt(2 * Math.PI) * delta);
}

/**
 * The smallest standard deviation, in decimals of 12 significant digits, of Gaussian noise that makes a statistic of
 * sensitivity 1 (epsilon, delta)-DP: with mu = 1 / sigma,
 *
 *   Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu) <= delta,
 *
 * which is necessary and sufficient, and decreases in sigma. For sensitivity s it is s times as large.
 *
 * A delta nearer to 1 than 1e-150 counts as 1 - 1e-150. It suffices for certain. The next smaller decimal does not, for certain where doubles (whose error is about 1e-14 of
 * sigma) or, for epsilon up to 10^4, decimals tell; beyond, the answer may be one unit in its last place too large.
 *
 * Source: Balle and Wang, "Improving the Gaussian mechanism for differential privacy", ICML 2018, Theorem 8.
 *
 * @param epsilon - from 0 to 1e100
 * @param delta - at least 1e-150 and below 1
 */
export function gaussianNoise(epsilon: Decimal, delta: Decimal): Decimal {
  if (epsilon.isNegative() || epsilon.gt(LARGEST_EPSILON) || delta.lt(LEAST_DELTA) || delta.gte(1)) {
    throw new RangeError(
      `No Gaussian noise is computed for epsilon ${epsilon.toString()} and delta ${delta.toString()}.`,
    );
  }
  const [epsilonEnclosure, logDelta] = [encloseDecimal(epsilon), logarithmOf(Decimal.min(delta, LARGEST_DELTA))];
  const decide = (sigma: Decimal): Verdict => {
    const quick = byDoubles(sigma, epsilonEnclosure, logDelta);
    return quick === 'unknown' ? byDecimals(sigma, epsilon, delta) : quick;
  };
  const { upper } = bracketRoot({
    evaluate: (x) => gaussianLogDelta(divide(exponential(exactly(-x)), exactly(LEAST)), epsilonEnclosure),
    target: logDelta,
    from: 0,
    to: SPAN,
    start: Math.log(guess(epsilonEnclosure.upper, delta.toNumber()) / LEAST),
  });
  let sigma = new Decimal(LEAST * Math.exp(upper)).toSignificantDigits(DIGITS, Decimal.ROUND_UP);
  while (decide(sigma) !== 'suffices') sigma = above(sigma);
  for (let next = below(sigma); decide(next) === 'suffices'; next = below(next)) sigma = next;
  return sigma;
}
