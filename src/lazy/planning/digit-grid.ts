import { Decimal, decimalFromDouble } from '../../numeric/decimal.ts';

/** Positive decimals of so many significant digits. */
const DIGITS = 4;
const FIRST = 10 ** (DIGITS - 1);
const PER_DECADE = 9 * FIRST;

/** The positive decimals of four significant digits, numbered in their order: 1 is number 0. */
export function gridValue(index: number): Decimal {
  const decade = Math.floor(index / PER_DECADE);
  return new Decimal(FIRST + index - decade * PER_DECADE).times(new Decimal(10).pow(decade - DIGITS + 1));
}

/** The number of the largest decimal of four digits that is at most x > 0. */
export function gridIndexBelow(x: number): number {
  const value = decimalFromDouble(x).toSignificantDigits(DIGITS, Decimal.ROUND_DOWN);
  const decade = value.e;
  return decade * PER_DECADE + value.times(new Decimal(10).pow(DIGITS - 1 - decade)).toNumber() - FIRST;
}

/**
 * A number from `from` to `to` that is allowed while the next one is not (or is beyond `to`), near `start`; null where
 * none is found below it.
 */
export function lastAllowed(
  allowed: (index: number) => boolean,
  start: number,
  from: number,
  to: number,
): number | null {
  const first = Math.max(from, Math.min(to, start));
  const up = allowed(first);
  const end = up ? to : from;
  let near = first;
  for (let step = 1; near !== end; step *= 4) {
    const far = up ? Math.min(to, near + step) : Math.max(from, near - step);
    if (allowed(far) !== up) return up ? lastBetween(allowed, near, far) : lastBetween(allowed, far, near);
    near = far;
  }
  return up ? to : null;
}

/** The last number before one that is not allowed, `low` being allowed and `high` not. */
function lastBetween(allowed: (index: number) => boolean, low: number, high: number): number {
  let [inside, outside] = [low, high];
  while (outside - inside > 1) {
    const middle = Math.floor((inside + outside) / 2);
    if (allowed(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
}
