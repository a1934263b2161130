import { add } from './enclosure-arithmetic.ts';
import { enclosure, exactly, type Enclosure } from './enclosure.ts';

/** Terms below this share of a sum no longer change it. */
const NEGLIGIBLE = 2 ** -60;
/** Terms below this have no digits left, and no longer fall. */
const SMALLEST = 1e-290;

/**
 * The sum of a series whose terms alternate in sign and fall in size: any two partial sums in a row enclose it.
 *
 * @param term - the n-th term with its sign, n = 0, 1, ...
 */
export function alternatingSum(term: (n: number) => Enclosure): Enclosure {
  let sum = exactly(0);
  for (let n = 0; ; n++) {
    const next = term(n);
    const before = sum;
    sum = add(sum, next);
    const size = Math.max(Math.abs(next.lower), Math.abs(next.upper));
    if (size <= NEGLIGIBLE * Math.abs(sum.lower) || size <= SMALLEST) {
      return enclosure(Math.min(sum.lower, before.lower), Math.max(sum.upper, before.upper));
    }
  }
}

/**
 * The sum of a series of terms of at least 0, each at most half of the one before: what is left out is at most the last
 * term.
 *
 * @param term - the n-th term, n = 0, 1, ...
 */
export function halvingSum(term: (n: number) => Enclosure): Enclosure {
  let sum = exactly(0);
  for (let n = 0; ; n++) {
    const next = term(n);
    sum = add(sum, next);
    if (next.upper <= NEGLIGIBLE * sum.lower || next.upper <= SMALLEST)
      return enclosure(sum.lower, add(sum, next).upper);
  }
}
