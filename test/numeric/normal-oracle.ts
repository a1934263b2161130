import { readFileSync } from 'node:fs';
import { Decimal, decimalFromDouble } from '../../src/numeric/decimal.ts';
import type { Enclosure } from '../../src/numeric/enclosure.ts';

/** 160 digits: the second tail of a point 15 standard deviations out keeps more than 100 after its cancellation. */
const Wide = Decimal.clone({ precision: 160 });
const SQRT_TWO_PI = Wide.acos(-1).times(2).sqrt();

const exact = (x: number): Decimal => (Number.isFinite(x) ? decimalFromDouble(x) : new Decimal(x));

export function contains({ lower, upper }: Enclosure, truth: Decimal): boolean {
  return exact(lower).lte(truth) && exact(upper).gte(truth);
}

/** Phi(-x) = 1/2 - phi(x) sum_k x^(2k+1) / (2k+1)!!, for |x| <= 15: a method the code under test does not use. */
export function tailByDecimals(x: Decimal): Decimal {
  const square = new Wide(x).times(x);
  let term = new Wide(x);
  let sum = new Wide(0);
  for (let k = 1; !term.isZero() && term.abs().gt(1e-160); k++) {
    sum = sum.plus(term);
    term = term.times(square).div(2 * k + 1);
  }
  return new Wide(0.5).minus(square.div(-2).exp().div(SQRT_TWO_PI).times(sum));
}

/** ln delta by its definition. */
export function logDeltaByDecimals(mu: number, epsilon: number): Decimal {
  const wideMu = new Wide(exact(mu));
  const wideEpsilon = new Wide(exact(epsilon));
  const middle = wideEpsilon.div(wideMu);
  const half = wideMu.div(2);
  const second = wideEpsilon.exp().times(tailByDecimals(middle.plus(half)));
  return tailByDecimals(middle.minus(half)).minus(second).ln();
}

export interface Golden {
  readonly mills: readonly (readonly [number, string])[];
  readonly logTail: readonly (readonly [number, string])[];
  readonly tail: readonly (readonly [number, string])[];
  readonly logDelta: readonly (readonly [number, number, string])[];
}

export const golden = JSON.parse(
  readFileSync(new URL('../../fixtures/golden/normal.json', import.meta.url), 'utf8'),
) as Golden;

/** How wide the enclosure is relative to the truth. */
export function relativeWidth({ lower, upper }: Enclosure, truth: Decimal): number {
  return (upper - lower) / Math.abs(truth.toNumber());
}
