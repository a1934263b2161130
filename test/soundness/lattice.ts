import { Decimal } from '../../src/numeric/decimal.ts';
import { expFixed, multiplied, ofDecimal, oneAt, type Interval, type Real } from './fixed-point.ts';
import { NO_FAILURE, type Truth } from './truth.ts';

interface Part {
  readonly epsilon: string;
  readonly count: number;
}

/** The integers e_i / unit, and the unit; null where they would be too many. */
function onLattice(parts: readonly Part[]): { unit: Decimal; steps: number[] } {
  const values = parts.map(({ epsilon }) => new Decimal(epsilon));
  const places = Math.max(...values.map((x) => x.decimalPlaces()));
  const unit = new Decimal(10).pow(-places);
  return { unit, steps: values.map((x) => x.div(unit).toNumber()) };
}

/** Randomized responses with whole multiples of a decimal unit, by plain convolution of exact probabilities. */
export function latticeTruth(parts: readonly Part[]): Truth {
  const bits = 448;
  const one = oneAt(bits);
  const { unit, steps } = onLattice(parts);
  let weights: bigint[] = [one];
  let mechanisms = 0;
  parts.forEach(({ epsilon, count }, index) => {
    const low = (one << BigInt(bits)) / (one + expFixed(ofDecimal(new Decimal(epsilon))(bits), bits));
    const high = one - low;
    const jump = steps[index]!;
    for (let n = 0; n < count; n++) {
      const next = Array.from({ length: weights.length + jump }, () => 0n);
      weights.forEach((weight, m) => {
        if (weight === 0n) return;
        next[m]! += weight * low;
        next[m + jump]! += weight * high;
      });
      weights = next.map((x) => x >> BigInt(bits));
      mechanisms++;
    }
  });
  // L = (2m - M) unit
  const size = weights.length - 1;
  const unitReal = ofDecimal(unit);
  const deltaAt = (epsilon: Real): Interval => {
    const step = unitReal(bits + 64);
    const threshold = epsilon(bits + 64);
    // The first m with (2m - size) unit > eps
    const quotient = threshold / step + (threshold > 0n && threshold % step !== 0n ? 1n : 0n);
    let from = Math.max(0, Math.floor((Number(quotient) + size) / 2) - 1);
    const loss = (m: number): bigint => BigInt(2 * m - size) * step;
    while (from <= size && loss(from) <= threshold) from++;
    let sum = 0n;
    let w = from <= size ? expFixed((threshold - loss(from)) >> 64n, bits) : 0n;
    const fall = expFixed(-2n * unitReal(bits), bits);
    for (let m = from; m <= size; m++) {
      if (weights[m] !== 0n) sum += multiplied(weights[m]!, one - w, bits);
      w = multiplied(w, fall, bits);
    }
    const error = BigInt(size + 64) * BigInt(mechanisms + 64) * 16n;
    return { low: sum - error, high: sum + error, bits };
  };
  return { means: 'optimum', deltaAt, failure: NO_FAILURE, maximum: size * unit.toNumber() };
}
