import { add, logarithm, multiply, subtract } from './enclosure-arithmetic.ts';
import { enclosure, exactly, type Enclosure } from './enclosure.ts';
import type { DoubleDouble } from './double-double.ts';
import type { LossAtoms } from './loss-atoms.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U, nextDown, nextUp, roundDownBy, roundUpBy } from './rounding.ts';

/** Sum over pairs with a + b > threshold of w_a w_b e^(-tilt x) (1 - e^-x), x = a + b - threshold, with its relative error. */
function tiltedHockeyStick(a: LossAtoms, b: LossAtoms, threshold: number): { sum: number; error: number } {
  const { tilt } = a;
  let [position, tail, rest] = [NaN, 0, 0];
  let next = 0;
  let sum = 0;
  const lowerTo = (x: number): void => {
    const gap = position - x;
    const damp = Math.exp(-tilt * gap);
    tail = damp * (tail - rest * Math.expm1(-gap));
    rest *= damp * Math.exp(-gap);
    position = x;
  };
  for (let i = a.losses.length - 1; i >= 0; i--) {
    const x = threshold - a.losses[i]!;
    for (; next < b.losses.length && b.losses[next]! > x; next++) {
      if (next === 0) position = b.losses[0]!;
      else lowerTo(b.losses[next]!);
      rest += b.weights[next]!;
    }
    if (next === 0) continue;
    lowerTo(x);
    sum += a.weights[i]! * tail;
  }
  const turns = a.losses.length + b.losses.length;
  const span = (b.losses[0]! - b.losses.at(-1)! + a.losses[0]! - a.losses.at(-1)!) * (1 + tilt);
  const error = a.relativeError + b.relativeError + turns * (4 * ELEMENTARY_ERROR + 8 * U) + 4 * U * span;
  return { sum, error };
}

/**
 * ln of the sum over atoms a of A and b of B with a + b > eps of mass(a) mass(b) (1 - e^(eps - a - b)), enclosed: the
 * hockey-stick of the sum of two independent losses, in time |A| + |B| although there are |A||B| pairs (the idea of
 * Horowitz and Sahni 1974).
 *
 * For B alone let T(x) = sum_{b > x} w_b e^(-t(b-x)) (1 - e^-(b-x)) and F(x) = sum_{b > x} w_b e^(-(t+1)(b-x)), t the
 * tilt. Lowering x by g turns them into e^(-tg) (T + F (1 - e^-g)) and e^(-(t+1)g) F: positive terms only. Walking A
 * upward lowers x = eps - a, so B is walked downward, each list once.
 *
 * The atoms that the lists leave out add at most their weight. The losses are off by at most r in all, so the value
 * lies between those of the threshold moved by r up and down.
 */
export function logHockeyStickOfSum(a: LossAtoms, b: LossAtoms, epsilon: DoubleDouble): Enclosure {
  const largest = Math.abs(epsilon.high) + Math.max(Math.abs(a.losses[0]!), Math.abs(a.losses.at(-1)!));
  const radius = (a.lossError + b.lossError + 4 * U * largest) * (1 + 8 * U);
  const inherited = 2 * a.tilt * radius;
  const above = tiltedHockeyStick(a, b, epsilon.high - radius);
  const below = tiltedHockeyStick(a, b, epsilon.high + radius);
  const sum = enclosure(
    Math.max(0, roundDownBy(below.sum, below.error + inherited)),
    roundUpBy(roundUpBy(above.sum, above.error + inherited) + a.leak + b.leak, U),
  );
  const shift = multiply(exactly(a.tilt), enclosure(nextDown(epsilon.high - radius), nextUp(epsilon.high + radius)));
  return add(subtract(add(a.logScale, b.logScale), shift), logarithm(sum));
}
