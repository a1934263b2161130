import type { Decimal } from '../../src/numeric/decimal.ts';
import { ONE, Precise, precise } from './precise.ts';

/** B_2j / (2j (2j - 1)) for j = 1, 2, ... */
const COEFFICIENTS = (
  [
    [1, 12],
    [-1, 360],
    [1, 1260],
    [-1, 1680],
    [1, 1188],
    [-691, 360360],
    [1, 156],
    [-3617, 122400],
    [43867, 244188],
    [-174611, 125400],
    [77683, 5796],
  ] as const
).map(([a, b]) => new Precise(a).div(b));

const HALF_LOG_TWO_PI = Precise.acos(-1).times(2).ln().div(2);

/** ln n!: a product up to 2,000, beyond that Stirling's series with 11 terms (error below 1e-70). */
export function logFactorial(n: number): Decimal {
  if (n <= 2000) {
    let product = ONE;
    for (let i = 2; i <= n; i++) product = product.times(i);
    return product.ln();
  }
  const x = new Precise(n);
  const tail = COEFFICIENTS.reduce<Decimal>((sum, c, j) => sum.plus(c.div(x.pow(2 * j + 1))), new Precise(0));
  return x.plus(0.5).times(x.ln()).minus(x).plus(HALF_LOG_TWO_PI).plus(tail);
}

/** ln n! - (n ln n - n + ln(2 pi n) / 2). */
export const stirlingRemainderByDecimals = (n: number): Decimal => {
  const x = new Precise(n);
  return logFactorial(n).minus(x.plus(0.5).times(x.ln())).plus(x).minus(HALF_LOG_TWO_PI);
};

/** ln of C(n,i) p^i (1-p)^(n-i). */
export function logBinomialByDecimals(n: number, i: number, p: Decimal): Decimal {
  const choose = logFactorial(n)
    .minus(logFactorial(i))
    .minus(logFactorial(n - i));
  const power = (x: Decimal, count: number): Decimal => (count === 0 ? new Precise(0) : precise(x).ln().times(count));
  return choose.plus(power(p, i)).plus(power(ONE.minus(p), n - i));
}
