import { encloseDecimal, type Decimal, Decimal as Exact, toLower, toUpper } from '../numeric/decimal.ts';
import { enclosure, exactly, type Enclosure } from '../numeric/enclosure.ts';
import {
  add,
  divide,
  exponential,
  expm1,
  log1p,
  logarithm,
  multiply,
  negate,
  subtract,
} from '../numeric/enclosure-arithmetic.ts';

/**
 * Upper bounds, over a class of mechanisms, of ln E[e^(lambda L)] (L the privacy loss, lambda > 0): lambda times the
 * Renyi divergence of order 1 + lambda. Sums of them bound the adaptive composition.
 */
export interface LogMoment {
  (lambda: number): Enclosure;
  /** About the same, where that is quicker: for choosing lambda. */
  readonly about?: (lambda: number) => number;
}

const ONE = exactly(1);

/**
 * ln(lambda^lambda / (1 + lambda)^(1 + lambda)): the largest value of ln((1 - e^-x) e^(-lambda x)) over x > 0.
 *
 * Written -ln(1 + lambda) - lambda ln(1 + 1/lambda), a sum of two negative numbers.
 */
export function logConversionFactor(lambda: number): Enclosure {
  const t = exactly(lambda);
  return negate(add(log1p(t), multiply(t, log1p(divide(exactly(1), t)))));
}
const softplus = (x: Enclosure): Enclosure => log1p(exponential(x));

/** Where lambda e is at most this, the difference from 1 is written without cancellation. */
const SMALL = 1;

/**
 * (e, 0)-DP: randomized response is worst, lambda e + ln(1 + e^-(1+2 lambda)e) - ln(1 + e^-e), which is
 * ln(1 + (1 - e^-(1+lambda)e)(e^(lambda e) - 1) / (1 + e^-e)).
 *
 * Source: Mironov, "Renyi differential privacy" (2017), Proposition 6, in forms without overflow and without cancellation.
 */
export function pureDpMoment(epsilon: Enclosure): LogMoment {
  const base = softplus(negate(epsilon));
  const whole = add(ONE, exponential(negate(epsilon)));
  return (lambda) => {
    const t = exactly(lambda);
    const product = multiply(t, epsilon);
    if (product.upper <= SMALL) {
      const falling = negate(expm1(negate(add(product, epsilon))));
      return log1p(divide(multiply(falling, expm1(product)), whole));
    }
    const sharpened = multiply(epsilon, add(ONE, multiply(exactly(2), t)));
    return add(product, subtract(softplus(negate(sharpened)), base));
  };
}

/** lambda e + ln(1 - w (1 - e^(-(1 + 2 lambda) e))). */
const laplaceShaped = (e: Enclosure, lambda: Enclosure, weight: Enclosure): Enclosure => {
  const span = multiply(e, add(ONE, multiply(exactly(2), lambda)));
  return add(multiply(lambda, e), log1p(multiply(weight, expm1(negate(span)))));
};

/**
 * Laplace noise, e = sensitivity / scale: ln((1 + lambda)/(1 + 2 lambda) e^(lambda e) +
 * lambda/(1 + 2 lambda) e^(-(1 + lambda) e)), with the larger exponential taken out.
 *
 * Source: Mironov, "Renyi differential privacy" (2017), Proposition 6.
 */
export const laplaceMoment =
  (e: Enclosure): LogMoment =>
  (lambda) => {
    const t = exactly(lambda);
    return laplaceShaped(e, t, divide(t, add(ONE, multiply(exactly(2), t))));
  };

/**
 * Discrete Laplace noise, P(z) proportional to e^(-r |z|), e = sensitivity r: as {@link laplaceMoment} with the weight
 * 1 / (1 + sinh((1 + lambda) r) / sinh(lambda r)).
 *
 * [derived] The outcomes up to 0, from the sensitivity on, and those between, which form a geometric series.
 */
export const discreteLaplaceMoment =
  (e: Enclosure, rate: Enclosure): LogMoment =>
  (lambda) => {
    const t = exactly(lambda);
    const half = (x: Enclosure): Enclosure => negate(expm1(multiply(exactly(-2), multiply(x, rate))));
    const quotient = multiply(exponential(rate), divide(half(add(ONE, t)), half(t)));
    return laplaceShaped(e, t, divide(ONE, add(ONE, quotient)));
  };

/** Where (1 + lambda) e is at most this, the series is as good as exact. */
const TINY = 1 / 16;

/**
 * The moment of e-bounded range for small (1 + lambda) e. With z = e / 2 and F(y) = y ln(sinh y / y) it is
 * (F((1 + lambda) z) - F(lambda z) - F(z)) / z = lambda (1 + lambda) z^2 (1/2 - w z^2 / 36 + w^2 z^4 / 405 - ...),
 * w = lambda^2 + lambda + 1.
 *
 * [derived] Term by term: (1 + x)^n - x^n - 1 is 3 x (1 + x), 5 x (1 + x) w, 7 x (1 + x) w^2 and 3 x (1 + x)(3 w^3 + (x (1 + x))^2)
 * for n = 3, 5, 7, 9, and grows from one odd n to the next by at most 5/3 (1 + x)^2. So signs alternate and terms fall, and
 * what follows the third is between -w^3 z^6 / 3150 and 0.
 */
function smallRangeMoment(epsilon: Enclosure, lambda: Enclosure): Enclosure {
  const z = multiply(exactly(0.5), epsilon);
  const square = multiply(z, z);
  const rise = multiply(lambda, add(ONE, lambda));
  const x = multiply(add(rise, ONE), square);
  const part = (power: Enclosure, by: number): Enclosure => divide(power, exactly(by));
  const xx = multiply(x, x);
  const sum = add(subtract(exactly(0.5), part(x, 36)), part(xx, 405));
  const rest = part(multiply(xx, x), 3150);
  return multiply(multiply(rise, square), enclosure(subtract(sum, rest).lower, sum.upper));
}

/**
 * e-bounded range, e > 0: h_e(lambda) = sup_t lambda (e - t) + ln(1 + p_t (e^(-lambda e) - 1)) over t in [0, e].
 *
 * With kappa = (1 - e^(-lambda e)) / (1 - e^-e) the supremum over all real t, attained inside [0, e] (the function is
 * concave and 0 at both ends), is
 * lambda e + (1 + lambda) ln((1 + kappa e^-e) / (1 + lambda)) - lambda ln(kappa / lambda).
 *
 * Source: Dong, Durfee, Rogers, "Optimal differential privacy composition for exponential mechanisms" (2020), Theorem
 * 5 (there with the supremum); the closed form is derived.
 */
export function boundedRangeMoment(epsilon: Enclosure): LogMoment {
  const decay = exponential(negate(epsilon));
  const whole = negate(expm1(negate(epsilon)));
  return (lambda) => {
    const t = exactly(lambda);
    const order = add(ONE, t);
    if (multiply(order, epsilon).upper <= TINY) return smallRangeMoment(epsilon, t);
    const kappa = divide(negate(expm1(multiply(negate(t), epsilon))), whole);
    const first = logarithm(divide(add(ONE, multiply(kappa, decay)), order));
    const second = logarithm(divide(kappa, t));
    return add(multiply(t, epsilon), subtract(multiply(order, first), multiply(t, second)));
  };
}

/** rho-zCDP: lambda (1 + lambda) rho. Gaussian noise and mu-GDP have rho = mu^2 / 2. Source: Bun, Steinke (2016). */
export function zcdpMoment(rho: Enclosure): LogMoment {
  return (lambda) => multiply(multiply(exactly(lambda), add(ONE, exactly(lambda))), rho);
}

/** Renyi DP at given orders: lambda times the epsilon of the smallest order at or above 1 + lambda, else Infinity. */
export function rdpMoment(orders: readonly { readonly alpha: Decimal; readonly epsilon: Decimal }[]): LogMoment {
  const rounded = orders.map(({ alpha, epsilon }) => ({
    lambda: toLower(alpha.minus(1)),
    epsilon: encloseDecimal(epsilon),
  }));
  return (lambda) => {
    const smallestEpsilon = rounded
      .filter((order) => order.lambda >= lambda)
      .reduce((min, { epsilon }) => (epsilon.upper < min.upper ? epsilon : min), exactly(Infinity));
    return smallestEpsilon.upper === Infinity ? exactly(Infinity) : multiply(exactly(lambda), smallestEpsilon);
  };
}

const Ratio = { down: Exact.clone({ precision: 40, rounding: 1 }), up: Exact.clone({ precision: 40, rounding: 0 }) };

/** (sensitivity / sigma)^2, enclosed. */
export function squaredRatio(sensitivity: Decimal, sigma: Decimal): Enclosure {
  const lower = new Ratio.down(sensitivity).div(sigma);
  const upper = new Ratio.up(sensitivity).div(sigma);
  return enclosure(toLower(lower.times(lower)), toUpper(upper.times(upper)));
}
