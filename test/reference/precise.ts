import { Decimal, decimalFromDouble } from '../../src/numeric/decimal.ts';

/** Reference values are computed with 60 digits, far from any claim in doubles. */
export const Precise = Decimal.clone({ precision: 60 });

export const ZERO = new Precise(0);
export const ONE = new Precise(1);

export const precise = (x: Decimal | string | number): Decimal =>
  new Precise(typeof x === 'number' && Number.isFinite(x) ? decimalFromDouble(x) : x);

export const sumOf = (values: readonly Decimal[]): Decimal => values.reduce((sum, x) => sum.plus(x), ZERO);

/** What 60 digits leave open, relatively. */
const DIGITS = 1e-50;

/** `truth`, known to 50 digits, lies in the enclosure. */
export function holds({ lower, upper }: { lower: number | null; upper: number }, truth: Decimal): boolean {
  const slack = truth.abs().times(DIGITS);
  const above = lower === null || lower === -Infinity || precise(lower).lte(truth.plus(slack));
  return above && (upper === Infinity || precise(upper).gte(truth.minus(slack)));
}

/** ln x, -Infinity at 0. */
export const ln = (x: Decimal): Decimal => (x.isZero() ? new Precise(-Infinity) : new Precise(x).ln());

/** 1 - e^-x to full relative accuracy. */
export function oneMinusExp(x: Decimal): Decimal {
  if (x.abs().gt(1e-3)) return ONE.minus(x.negated().exp());
  let term: Decimal = new Precise(x);
  let sum = term;
  for (let n = 2; n < 30; n++) {
    term = term.times(x).div(-n);
    sum = sum.plus(term);
  }
  return sum;
}
