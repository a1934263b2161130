import type { Decimal } from '../../src/numeric/decimal.ts';
import { expFixed, multiplied, ofQuotient, oneAt, times, ofDecimal, type Interval, type Real } from './fixed-point.ts';

/**
 * One outcome, or one end of a continuous stretch, of the measure e^(-L/2) dP(L): `weight` times the polynomial
 * `operator` in the operator "integrate from above", applied at the loss `shift`. The coefficients are over 4^degree.
 */
interface Knot {
  readonly shift: Real;
  readonly weight: Real;
  readonly operator: readonly bigint[];
}

const product = (a: readonly bigint[], b: readonly bigint[]): bigint[] => {
  const result = Array.from({ length: a.length + b.length - 1 }, () => 0n);
  a.forEach((x, i) => {
    b.forEach((y, j) => (result[i + j]! += x * y));
  });
  return result;
};

function powerOf(base: readonly bigint[], n: number): bigint[] {
  let result = [1n];
  for (let i = 0; i < n; i++) result = product(result, base);
  return result;
}

function binomial(n: number, i: number): bigint {
  let result = 1n;
  for (let j = 1; j <= i; j++) result = (result * BigInt(n - j + 1)) / BigInt(j);
  return result;
}

const sum =
  (a: Real, b: Real): Real =>
  (bits) =>
    a(bits) + b(bits);

/**
 * `count` Laplace mechanisms of parameter e. Of one, e^(-L/2) dP is e^(-e/2) times atoms of 1/2 at +-e and the density
 * 1/4 between, which is the difference of two half-lines: the operators 1/2 + J/4 at e and 1/2 - J/4 at -e.
 */
export function laplaceKnots(scale: Decimal, sensitivity: Decimal, count: number): Knot[] {
  const e = ofQuotient(sensitivity, scale);
  return Array.from({ length: count + 1 }, (_, i) => ({
    shift: times(e, BigInt(count - 2 * i)),
    weight: (bits) => expFixed(times(e, -BigInt(count), 2n)(bits), bits) * binomial(count, i),
    operator: product(powerOf([2n, 1n], count - i), powerOf([2n, -1n], i)),
  }));
}

/** `count` randomized responses. */
export function responseKnots(epsilon: Decimal, count: number): Knot[] {
  const e = ofDecimal(epsilon);
  // sqrt(p q) = e^(e/2) / (1 + e^e)
  const half: Real = (bits) =>
    (expFixed(times(e, 1n, 2n)(bits), bits) << BigInt(bits)) / (oneAt(bits) + expFixed(e(bits), bits));
  return Array.from({ length: count + 1 }, (_, i) => ({
    shift: times(e, BigInt(count - 2 * i)),
    weight: (bits) => {
      let weight = oneAt(bits);
      const each = half(bits);
      for (let n = 0; n < count; n++) weight = multiplied(weight, each, bits);
      return weight * binomial(count, i);
    },
    operator: [1n],
  }));
}

/** Outcomes by their loss j / scale and their probability. */
export function listedKnots(losses: readonly { loss: Real; p: Real }[]): Knot[] {
  return losses.map(({ loss, p }) => ({
    shift: loss,
    weight: (bits) => multiplied(p(bits), expFixed(times(loss, -1n, 2n)(bits), bits), bits),
    operator: [1n],
  }));
}

export function joined(a: readonly Knot[], b: readonly Knot[]): Knot[] {
  return a.flatMap((x) =>
    b.map((y) => ({
      shift: sum(x.shift, y.shift),
      weight: (bits: number) => multiplied(x.weight(bits), y.weight(bits), bits),
      operator: product(x.operator, y.operator),
    })),
  );
}

/** F_c(T) = 2 sum over odd j of (T/2)^j T^c j!/... = 2 sum 2^-j T^(j+c) / (j+c)!, c = 0..degree: positive terms only. */
function integrals(t: bigint, degree: number, bits: number): bigint[] {
  // T^n / n!
  const powers = [oneAt(bits)];
  for (let n = 1; n <= degree + 1; n++) powers.push(multiplied(powers[n - 1]!, t, bits) / BigInt(n));
  const quarter = multiplied(t, t, bits) / 4n;
  const result: bigint[] = [];
  for (let c = degree; c >= Math.max(0, degree - 1); c--) {
    let term = powers[c + 1]!;
    let value = 0n;
    for (let n = BigInt(c + 2); term > 0n; n += 2n) {
      value += term;
      term = multiplied(term, quarter, bits) / (n * (n + 1n));
    }
    result[c] = value;
  }
  for (let c = degree - 2; c >= 0; c--) result[c] = result[c + 2]! / 4n + powers[c + 1]!;
  return result;
}

/**
 * E[max(0, 1 - e^(eps - L))] = e^(eps/2) sum over knots of weight * operator F (shift - eps): with e^(-L/2) dP symmetric
 * in what it integrates, e^(L/2) - e^(eps - L/2) = e^(eps/2) 2 sinh((L - eps)/2), whose c-fold integral from eps is F_c.
 */
export function splineDelta(knots: readonly Knot[], largest: number): (epsilon: Real) => Interval {
  const bits = 700 + Math.ceil(4 * largest);
  const list = knots.map(({ shift, weight, operator }) => ({ shift: shift(bits), weight: weight(bits), operator }));
  return (epsilon) => {
    const at = epsilon(bits);
    let total = 0n;
    for (const { shift, weight, operator } of list) {
      const t = shift - at;
      if (t <= 0n) continue;
      const degree = operator.length - 1;
      const values = integrals(t, degree, bits);
      const applied =
        operator.reduce((all, coefficient, c) => all + coefficient * values[c]!, 0n) >> BigInt(2 * degree);
      total += multiplied(weight, applied, bits);
    }
    const value = multiplied(expFixed(at / 2n, bits), total, bits);
    const error = 1n << BigInt(300 + Math.ceil(3 * largest));
    return { low: value - error, high: value + error, bits };
  };
}
