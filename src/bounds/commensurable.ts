import type { Decimal } from '../numeric/decimal.ts';
import { Decimal as Exact } from '../numeric/decimal.ts';

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** The largest decimal of which every value is a whole multiple; the values are positive. */
export function commonDivisor(values: readonly Decimal[]): Decimal {
  const places = Math.max(...values.map((value) => value.decimalPlaces()));
  const scale = new Exact(10).pow(places);
  const divisor = values.map((value) => BigInt(value.times(scale).toFixed(0))).reduce(gcd);
  return new Exact(divisor.toString()).div(scale);
}
