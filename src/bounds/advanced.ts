import { encloseDecimal } from '../numeric/decimal.ts';
import { add, divide, exponential, expm1, multiply, negate } from '../numeric/enclosure-arithmetic.ts';
import { exactly, type Enclosure } from '../numeric/enclosure.ts';
import type { PureGroup } from '../privacy/pure-group.ts';

/** e tanh(e / 2): the largest expected loss of an (e, 0)-DP mechanism. */
export function pureKl(epsilon: Enclosure): Enclosure {
  const decay = exponential(negate(epsilon));
  return multiply(epsilon, divide(negate(expm1(negate(epsilon))), add(exactly(1), decay)));
}

/** What advanced composition is made of: m = sum e_i tanh(e_i / 2) and v = sum e_i^2. */
export interface MeanAndSquares {
  readonly mean: Enclosure;
  readonly squares: Enclosure;
}

export function meanAndSquares(groups: readonly PureGroup[]): MeanAndSquares {
  let [mean, squares] = [exactly(0), exactly(0)];
  for (const { epsilon, count } of groups) {
    const e = encloseDecimal(epsilon);
    mean = add(mean, multiply(exactly(count), pureKl(e)));
    squares = add(squares, multiply(exactly(count), multiply(e, e)));
  }
  return { mean, squares };
}
