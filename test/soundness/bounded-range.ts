import { approximately, expFixed, multiplied, oneAt, times, type Interval, type Real } from './fixed-point.ts';

/**
 * The optimum over k equal mechanisms fixed in advance by all of the O(k^2) terms of Dong, Durfee, Rogers (2020),
 * Theorem 3: the largest over l with t_l = (eps + (l+1) e) / (k+1) in [0, e] of
 * sum_i C(k,i) q^(k-i) (1-q)^i (1 - e^(eps - k t + i e)), where k t_l - i e - eps = (l+1-i) e - t_l.
 */
export function boundedRangeAt(k: number, e: Real, epsilon: Real): Interval {
  const approximate = (x: Real): number => approximately(x(96), 96);
  const each = approximate(e);
  // Tiny e leave k + 1 powers of it in delta.
  const bits = 448 + Math.ceil(3 * k * each + (k + 2) * Math.max(0, -Math.log2(each)));
  const one = oneAt(bits);
  const [eFixed, epsilonFixed] = [e(bits), epsilon(bits)];
  const exact = (value: bigint, error: bigint): Interval => ({ low: value - error, high: value + error, bits });
  if (epsilonFixed >= BigInt(k) * eFixed) return exact(0n, 64n);
  if (epsilonFixed <= -BigInt(k) * eFixed) return exact(one - expFixed(epsilonFixed, bits), 64n);
  const divide = (a: bigint, b: bigint): bigint => (a << BigInt(bits)) / b;
  const whole = one - expFixed(-eFixed, bits);
  const down = expFixed(-eFixed, bits);
  const shrink = expFixed(times(e, -1n, BigInt(k + 1))(bits), bits);
  let best = 0n;
  let minusT = expFixed(times(epsilon, -1n, BigInt(k + 1))(bits), bits);
  for (let l = 0; l <= k; l++) {
    // e^-t_l
    minusT = multiplied(minusT, shrink, bits);
    if (minusT > one || minusT < down) continue;
    // 1 - q = (e^(t-e) - e^-e) / (1 - e^-e)
    const high = divide(one - divide(down, minusT), whole);
    const low = one - high;
    if (high <= 0n) continue;
    const powers = [one];
    for (let i = 1; i <= k; i++) powers.push(multiplied(powers[i - 1]!, high, bits));
    // e^-((l+1-i) e - t_l) from i = l on, where it is e^-(e - t_l)
    let gap = divide(down, minusT);
    const terms: bigint[] = [];
    for (let i = l; i >= 0; i--) {
      terms[i] = one - gap;
      gap = multiplied(gap, down, bits);
    }
    let lowPower = one;
    let choose = 1n;
    let sum = 0n;
    for (let i = 0; i <= l; i++) {
      if (i > 0) {
        lowPower = multiplied(lowPower, low, bits);
        choose = (choose * BigInt(k - i + 1)) / BigInt(i);
      }
      sum += choose * multiplied(multiplied(powers[k - i]!, lowPower, bits), terms[i]!, bits);
    }
    if (sum > best) best = sum;
  }
  const growth = BigInt(Math.ceil(2 ** Math.min(900, k + 2 * Math.max(0, -Math.log2(each)) + 1.5 * each)));
  return exact(best, growth * BigInt(k + 8) * 64n);
}
