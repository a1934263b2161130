import { Decimal } from '../../numeric/decimal.ts';

const Up = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_UP });

/** More factors than this are not multiplied. */
const MOST_FACTORS = 10_000;
/** A number of sets beyond this leaves nothing of a delta. */
const MOST = new Decimal('1e280');

/** One set: nothing is to be chosen. */
export const ONE_SET = new Decimal(1);

/** The number of sets of `k` of `n` things, rounded up; Infinity where it is too large to be of use. */
export function setsOf(n: number, k: number): Decimal {
  const factors = Math.min(k, n - k);
  if (factors > MOST_FACTORS) return new Decimal(Infinity);
  let sets = new Up(1);
  for (let i = 1; i <= factors; i++) {
    sets = sets.times(n - factors + i).div(i);
    if (sets.gt(MOST)) return new Decimal(Infinity);
  }
  return new Decimal(sets.ceil());
}

/** Sets chosen one after the other; Infinity where there are too many. */
export const setsTogether = (sets: readonly Decimal[]): Decimal =>
  new Decimal(sets.reduce((product, each) => product.times(each), new Up(1)));

/** As many sets as there are ways to choose `times` times over. */
export const setsRepeated = (sets: Decimal, times: number): Decimal =>
  sets.eq(1) ? ONE_SET : times > MOST_FACTORS ? new Decimal(Infinity) : new Decimal(new Up(sets).pow(times));
