import { larger, Rational } from '../../../src/numeric/rational.ts';

/** C(n, i), exactly. */
function choose(n: number, i: number): bigint {
  let result = 1n;
  for (let j = 1; j <= i; j++) result = (result * BigInt(n - j + 1)) / BigInt(j);
  return result;
}

/**
 * The smallest delta at e^epsilon = `target` of `count` times randomized response with e^epsilon = `factor` and delta 0:
 *
 *     (1 + y)^-k  sum over i of C(k, i) max{0, y^i - y_g y^(k - i)}.
 *
 * Source: Murtagh, Vadhan (2016), Thm 1.5, with equal parameters; exact, as e^epsilon is given exactly.
 */
export function responseDelta(factor: Rational, count: number, target: Rational): Rational {
  let sum = Rational.ZERO;
  for (let i = 0; i <= count; i++) {
    const gain = factor.power(i).minus(target.times(factor.power(count - i)));
    sum = sum.plus(larger(Rational.ZERO, gain).times(Rational.of(choose(count, i))));
  }
  return sum.over(Rational.ONE.plus(factor).power(count));
}

/** 1 - (1 - a)(1 - b)^n. */
export function unless(a: Rational, b: Rational, n: number): Rational {
  return Rational.ONE.minus(Rational.ONE.minus(a).times(Rational.ONE.minus(b).power(n)));
}
