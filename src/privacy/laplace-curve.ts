import { divide, expm1, logarithm, negate, subtract } from '../numeric/enclosure-arithmetic.ts';
import { enclosure, exactly, type Enclosure } from '../numeric/enclosure.ts';

/**
 * ln delta of one Laplace mechanism of parameter e = sensitivity / scale, at 0 <= epsilon: delta = 1 - e^((epsilon - e) / 2)
 * up to e, 0 from there on. Encloses it for every choice inside the given enclosures.
 *
 * Source: derived; stated in Balle, Barthe, Gaboardi 2018. With the pair of laplacePair, delta = (1 - e^(epsilon - e)) / 2
 * + the integral over L from epsilon to e of (1 - e^(epsilon - L)) e^((L - e) / 2) / 4.
 */
export function laplaceLogDelta(e: Enclosure, epsilon: Enclosure): Enclosure {
  const { lower, upper } = negate(expm1(divide(subtract(epsilon, e), exactly(2))));
  if (upper <= 0) return enclosure(-Infinity, -Infinity);
  return logarithm(enclosure(Math.max(0, lower), upper));
}
