import { Arithmetic, type Interval } from '../../bounds/precise/interval.ts';
import { Decimal } from '../../numeric/decimal.ts';

const SHOWN_DIGITS = 20;
const UP = 0;
const a = new Arithmetic(28);
const TWO = a.of(2);

/** From here on e tanh(e / 2), which no order is below, is e up to a share of 1e-86. */
const LARGE = 200;
/** At least e^-200. */
const NEGLIGIBLE = a.of('1e-86');
/** A term of this share of a sum no longer counts. */
const SMALL_TERM = '1e-28';
/** Below this five terms of ln(1 + x) leave a share of 1e-20. */
const SMALL = '1e-4';

/** e^x and e^-x. */
function exponentials(x: Interval): readonly [Interval, Interval] {
  const growth = a.exponential(x);
  return [growth, a.divide(a.one, growth)];
}

/** sinh x for x >= 0; for x <= 1 by its series, whose terms fall to a sixth or less of the one before. */
function sinh(x: Interval): Interval {
  if (x.upper.gt(1)) {
    const [growth, decay] = exponentials(x);
    return a.divide(a.subtract(growth, decay), TWO);
  }
  const square = a.square(x);
  let [term, sum] = [x, x];
  for (let n = 2; term.upper.gt(sum.upper.times(SMALL_TERM)); n += 2) {
    term = a.divide(a.multiply(term, square), a.of(n * (n + 1)));
    sum = a.add(sum, term);
  }
  return { lower: sum.lower, upper: sum.upper.plus(term.upper) };
}

/** At least ln(1 + x) for x >= 0: the series alternates, and ends with a positive term. */
function logarithmAbove(x: Decimal): Decimal {
  const exact = a.of(x);
  if (x.gt(SMALL)) return a.log1p(exact).upper;
  const inner = [4, 3, 2].reduce(
    (sum, n) => a.subtract(a.divide(a.one, a.of(n)), a.multiply(exact, sum)),
    a.divide(a.one, a.of(5)),
  );
  return a.multiply(exact, a.subtract(a.one, a.multiply(exact, inner))).upper;
}

/** (1 / (alpha - 1)) ln(1 + 2 sinh(alpha e / 2) sinh((alpha - 1) e / 2) / cosh(e / 2)). */
function nearZero(e: Interval, alpha: Interval, lambda: Interval): Decimal {
  const half = a.divide(e, TWO);
  const [growth, decay] = exponentials(half);
  const twiceCosh = a.add(growth, decay);
  const sinhs = a.multiply(sinh(a.multiply(alpha, half)), sinh(a.multiply(lambda, half)));
  const { upper } = a.divide(a.multiply(a.of(4), sinhs), twiceCosh);
  return a.divide(a.of(logarithmAbove(upper)), lambda).upper;
}

/** e - (ln(1 + x) - ln(1 + y)) / (alpha - 1), x = e^-e, for y = e^(-(2 alpha - 1) e) of at most e^-200. */
function farOut(e: Interval, lambda: Interval): Decimal {
  const saved = a.subtract(a.log1p(a.exponential(a.negate(e))), NEGLIGIBLE);
  return a.subtract(e, a.divide(saved, lambda)).upper;
}

/**
 * The largest Renyi divergence of order alpha > 1 of an (epsilon, 0)-DP mechanism, that of randomized response:
 *
 * D = ln(cosh((alpha - 1/2) e) / cosh(e / 2)) / (alpha - 1),
 *
 * rounded up at 20 digits, and at most epsilon: never below the truth, and at most a share of 1e-15 above it, however small
 * epsilon and alpha - 1 are.
 *
 * Accuracy: by cosh A - cosh B = 2 sinh((A + B) / 2) sinh((A - B) / 2) the quotient is 1 + X with X =
 * 2 sinh(alpha e / 2) sinh((alpha - 1) e / 2) / cosh(e / 2), in which nothing cancels. Where (2 alpha - 1) e is above 200,
 * D = e - (ln(1 + e^-e) - ln(1 + e^(-(2 alpha - 1) e))) / (alpha - 1), whose last term is nothing. In intervals of 28 digits.
 *
 * Source: Mironov, "Renyi differential privacy" (2017), Proposition 6, rearranged.
 */
export function pureRenyi(epsilon: Decimal, alpha: Decimal): Decimal {
  if (epsilon.gte(LARGE) || epsilon.isZero()) return epsilon;
  const [e, order] = [a.of(epsilon), a.of(alpha)];
  const lambda = a.subtract(order, a.one);
  const span = a.multiply(e, a.add(order, lambda));
  const divergence = span.lower.gt(LARGE) ? farOut(e, lambda) : nearZero(e, order, lambda);
  return Decimal.min(epsilon, divergence.toSignificantDigits(SHOWN_DIGITS, UP));
}
