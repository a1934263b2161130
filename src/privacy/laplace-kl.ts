import { add, divide, expm1, exponential, multiply, negate, subtract } from '../numeric/enclosure-arithmetic.ts';
import { exactly, type Enclosure } from '../numeric/enclosure.ts';
import { alternatingSum, halvingSum } from '../numeric/series.ts';

/** Below this the closed forms cancel. */
const SMALL = 0.25;

const ONE = exactly(1);

/** 1 - e^-x. */
const decayed = (x: Enclosure): Enclosure => negate(expm1(negate(x)));

/**
 * The expected loss of Laplace noise, e + e^-e - 1; e = sensitivity / scale > 0.
 *
 * It is also the zCDP parameter: D_a <= a (e + e^-e - 1) at every order a > 1, with equality as a tends to 1.
 *
 * [derived] With s = a - 1 >= 0, s D_a = ln((s + 1)/(2s + 1) e^(se) + s/(2s + 1) e^(-(s+1)e)) and s (s + 1) (e + e^-e - 1)
 * are both 0 at e = 0, and their derivatives in e are s (s + 1) (1 - x)/(s + 1 + s x) with x = e^(-(2s+1)e), and
 * s (s + 1) (1 - y) with y = e^-e. The second is the larger: g(y) = s (1 - x y) + (s + 1)(x - y) >= 0, because g(1) = 0
 * and g'(y) = (s + 1)((2s + 1) y^(2s) - 2s y^(2s+1) - 1) <= 0, what is subtracted from there growing up to 1 at y = 1.
 * Harrison, Manurangsi (2026), "Exact zCDP characterizations for fundamental differentially private mechanisms", prove
 * the same.
 *
 * Accuracy: for small e an alternating series with falling terms, of which two partial sums enclose it.
 */
export function laplaceKl(e: Enclosure): Enclosure {
  if (e.lower >= SMALL) return add(e, expm1(negate(e)));
  let term = e;
  return alternatingSum((n) => {
    term = divide(multiply(term, e), exactly(n + 2));
    return n % 2 === 0 ? term : negate(term);
  });
}

/** 1 - x / sinh x for x > 0. */
function sinhDefect(x: Enclosure): Enclosure {
  if (x.lower >= SMALL) {
    const ratio = divide(multiply(exactly(2), multiply(x, exponential(negate(x)))), decayed(multiply(exactly(2), x)));
    return subtract(ONE, ratio);
  }
  // (sinh x - x) / sinh x, sinh x - x = x^3/3! + x^5/5! + ...
  const square = multiply(x, x);
  let term = x;
  const above = halvingSum((n) => (term = divide(multiply(term, square), exactly((2 * n + 2) * (2 * n + 3)))));
  return divide(above, add(x, above));
}

/**
 * The expected loss of discrete Laplace noise, P(z) proportional to e^(-r |z|), on a statistic that changes by a whole
 * number: e - (r / sinh r)(1 - e^-e); e = sensitivity r > 0, r = 1 / scale > 0.
 *
 * It is also the zCDP parameter, with equality as the order tends to 1.
 *
 * [derived] With s = a - 1 and p = r / 2, m = 2s + 1, s D_a = s e + ln(1 - (1 - y)/(1 + c)), y = e^(-me) and
 * c = sinh((s + 1) r) / sinh(s r). As functions of a real sensitivity s D_a and s (s + 1) times the claim are both 0 at 0.
 * The derivative of their difference is r times q(Y) = s^2 - s (s + 1) Y r / sinh r + m y / (c + y), Y = e^-e, y = Y^m.
 * q falls in Y, as (by sinh x / x growing) Y^2s / (1 + y/c)^2 grows up to Y = 1, where q' <= 0 is
 * m^2 - f(mp)/f(p) <= (m^2 - 1) p coth p with f(x) = (x / sinh x)^2: equal at m = 1, and for the derivatives in m it is
 * enough that f falls and coth x - 1/x is concave from 0. So q is least at Y = 1, where 4 q =
 * m^2 + 1 - (m^2 - 1) p / (sinh p cosh p) - 2m tanh p coth(mp) is 0 at m = 1 and grows in m, as k(x)/x falls for
 * k = (x coth x)'. Harrison, Manurangsi (2026) prove the same.
 *
 * Accuracy: as laplaceKl, to which (1 - r / sinh r)(1 - e^-e) is added.
 */
export const discreteLaplaceKl = (e: Enclosure, rate: Enclosure): Enclosure =>
  add(laplaceKl(e), multiply(sinhDefect(rate), decayed(e)));
