import { Decimal, ZERO, ONE } from '../../numeric/decimal.ts';
import { isKnownTo, type Arithmetic, type Interval } from './interval.ts';
import { lossless, withFailure, type LossCurve, type PreciseBound } from './curve.ts';
import { totalGaussianRho } from './entries.ts';
import { certifiedRoot } from './root.ts';

/** 1 / sqrt(2 pi). */
function normalisation(a: Arithmetic): Interval {
  const Context = Decimal.clone({ precision: a.digits + 10 });
  const pi = Context.acos(-1);
  const unit = new Decimal(10).pow(-a.digits - 5);
  return a.divide(a.one, a.squareRoot(a.multiply(a.of(2), a.between(pi.minus(unit), pi.plus(unit)))));
}

/** sum of x^(2n+1) / (2n+1)!!, x >= 0: positive terms; what is left out is a geometric series once 2n+3 > 2 x^2. */
function oddSeries(x: Interval, a: Arithmetic): Interval {
  const square = a.square(x);
  const smallest = new Decimal(10).pow(-a.digits - 2);
  let [term, sum] = [x, x];
  for (let n = 1; ; n++) {
    term = a.divide(a.multiply(term, square), a.of(2 * n + 1));
    sum = a.add(sum, term);
    if (square.upper.times(2).lt(2 * n + 3) && term.upper.lte(sum.upper.times(smallest))) break;
  }
  return a.between(sum.lower, a.add(sum, term).upper);
}

/** The steps after which the continued fraction is about as exact as the arithmetic, at first guess. */
const depthFor = (x: Interval, { digits }: Arithmetic): number =>
  Math.ceil(1.5 * ((digits * Math.LN10) / (2 * Math.SQRT2 * x.lower.toNumber())) ** 2) + digits;

const MOST_STEPS = 1e6;

/**
 * (1 - Phi(x)) / phi(x) = 1 / (x + 1 / (x + 2 / (x + 3 / ...))), x > 0, evaluated from the inside: the tail after n
 * steps lies between 0 and n / x, and every step outwards narrows that. Where it is not narrow enough, again with more.
 */
function millsRatio(x: Interval, a: Arithmetic): Interval {
  for (let depth = depthFor(x, a); ; depth *= 2) {
    let tail = a.between(a.zero.lower, a.divide(a.of(depth + 1), x).upper);
    for (let n = depth; n >= 1; n--) tail = a.divide(a.of(n), a.add(x, tail));
    const ratio = a.divide(a.one, a.add(x, tail));
    if (isKnownTo(ratio, a.digits - 5) || depth > MOST_STEPS) return ratio;
  }
}

/** phi(x), the density of the standard normal distribution. */
const density = (x: Interval, a: Arithmetic): Interval =>
  a.multiply(normalisation(a), a.exponential(a.negate(a.divide(a.square(x), a.of(2)))));

/** 1/2 - phi(x) sum x^(2n+1) / (2n+1)!!, with the digits more that this difference loses. */
function centralTail(x: Decimal, a: Arithmetic): Interval {
  const lost = Math.ceil(x.toNumber() ** 2 / 2 / Math.LN10) + 5;
  const wide = a.withDigits(a.digits + lost);
  const same = wide.of(x);
  const within = wide.multiply(density(same, wide), oddSeries(same, wide));
  const tail = wide.subtract(wide.divide(wide.one, wide.of(2)), within);
  return a.between(tail.lower, tail.upper);
}

/** 1 - Phi(x) at one x: by the series around 0, and where the continued fraction is cheaper, by that. */
function tailAt(x: Decimal, a: Arithmetic): Interval {
  if (x.isNegative()) return a.subtract(a.one, tailAt(x.negated(), a));
  const point = a.of(x);
  return x.times(x).gt(a.digits) ? a.multiply(density(point, a), millsRatio(point, a)) : centralTail(x, a);
}

/** 1 - Phi(x), from its values at both ends: it decreases. */
const upperTail = ({ lower, upper }: Interval, a: Arithmetic): Interval =>
  a.between(tailAt(upper, a).lower, tailAt(lower, a).upper);

/** mu^2 above this is not handled in decimals. */
const LARGEST = 1e6;

/** Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2), the delta of Gaussian noise of sensitivity mu and deviation 1. */
export function gaussianDelta(epsilon: Decimal, mu: Interval, a: Arithmetic): Interval {
  const x = a.of(epsilon);
  const [quotient, half] = [a.divide(x, mu), a.divide(mu, a.of(2))];
  const second = a.multiply(a.exponential(x), upperTail(a.add(quotient, half), a));
  return a.max(a.zero, a.subtract(upperTail(a.subtract(quotient, half), a), second));
}

/** The exact composition of Gaussian noise, see src/bounds/closed-form/gaussian.ts. */
export const gaussian: PreciseBound = ({ entries }, a) => {
  const muIn = (b: Arithmetic): Interval => b.squareRoot(b.multiply(b.of(2), totalGaussianRho(entries, b) ?? b.zero));
  const rho = totalGaussianRho(entries, a);
  if (!rho) return 'mechanism-not-covered';
  if (rho.upper.gt(LARGEST / 2)) return 'too-large';
  const mu = muIn(a);
  if (mu.upper.isZero()) return withFailure(a, lossless(a), a.zero);
  const curve: LossCurve = {
    maximum: null,
    delta: (epsilon) => gaussianDelta(epsilon, mu, a),
    epsilon(target) {
      const about = (digits: number): ((x: Decimal) => Decimal) => {
        const b = a.withDigits(digits);
        const muAtDigits = muIn(b);
        return (x) => b.middle(gaussianDelta(x, muAtDigits, b));
      };
      if (gaussianDelta(ZERO, mu, a).upper.lte(target.lower)) return a.zero;
      let to = ONE;
      while (gaussianDelta(to, mu, a).upper.gt(target.lower)) to = to.times(2);
      const atLeast = (x: Decimal): Decimal => gaussianDelta(x, mu, a).lower;
      const atMost = (x: Decimal): Decimal => gaussianDelta(x, mu, a).upper;
      return certifiedRoot(a, { about, atLeast, atMost }, target, ZERO, to);
    },
  };
  return withFailure(a, curve, a.zero);
};
