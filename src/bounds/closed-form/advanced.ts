import { encloseDecimal } from '../../numeric/decimal.ts';
import { add, multiply } from '../../numeric/enclosure-arithmetic.ts';
import { exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { pureKl, type PureGroup } from '../../privacy/pure.ts';

/** The two sums of advanced composition: m = sum e_i tanh(e_i / 2) and v = sum e_i^2. */
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
