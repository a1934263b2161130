import { add, divide, exponential, expm1, multiply, negate } from '../numeric/enclosure-arithmetic.ts';
import { exactly, type Enclosure } from '../numeric/enclosure.ts';

/**
 * The largest expected loss of an (e, 0)-DP mechanism, e tanh(e / 2).
 *
 * It is also the zCDP parameter of the class, at most e^2 / 2, with equality as the order tends to 1.
 *
 * [derived] Randomized response, which dominates, has the divergence of order a
 * D_a = ln(cosh((a - 1/2) e) / cosh(e / 2)) / (a - 1). ln cosh(e sqrt(s)) is concave in s, since its derivative is a
 * multiple of tanh(y) / y at y = e sqrt(s), which decreases; so from s = 1/4 to (a - 1/2)^2 = 1/4 + a (a - 1) it grows by
 * at most a (a - 1) e tanh(e / 2), its slope at s = 1/4 times the distance. Hence D_a <= a e tanh(e / 2).
 */
export function pureKl(epsilon: Enclosure): Enclosure {
  const decay = exponential(negate(epsilon));
  return multiply(epsilon, divide(negate(expm1(negate(epsilon))), add(exactly(1), decay)));
}
