import { Decimal } from '../../numeric/decimal.ts';
import { exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { add, multiply, squareRoot } from '../../numeric/enclosure-arithmetic.ts';
import type { Entry, Mechanism } from '../../privacy/mechanism.ts';
import { epsilonDeltaOf, gaussianRho, hasPurePart, isZeroLoss } from '../../privacy/mechanisms/records.ts';
import { muOfPure } from '../../privacy/pure.ts';
import { isAllocation, sizesOf } from '../../privacy/sampling/random-allocation.ts';
import { isCovered } from '../../privacy/sampling/sampled-moment.ts';
import { reachOfRecords } from '../../privacy/sampling/several-records.ts';

/** At least the mu^2 of which a mechanism is mu-GDP; null where none is known. */
function squaredMu(mechanism: Mechanism): Enclosure | null {
  if (isZeroLoss(mechanism)) return exactly(0);
  if (mechanism.type === 'gaussian' || mechanism.type === 'gdp') {
    return multiply(exactly(2), gaussianRho({ mechanism, count: 1, kind: 'noninteractive', label: null })!);
  }
  if (mechanism.type === 'sampled') {
    const square = isCovered(mechanism) ? squaredMu(mechanism.of) : null;
    const factor = isAllocation(mechanism) ? sizesOf(mechanism).selected : reachOfRecords(mechanism) ** 2;
    return square && multiply(exactly(factor), square);
  }
  if (!hasPurePart(mechanism)) return null;
  const { epsilon, delta } = epsilonDeltaOf(mechanism);
  if (!delta.isZero()) return null;
  const mu = exactly(muOfPure(epsilon));
  return multiply(mu, mu);
}

/** The mu^2 of mechanisms together, each of which answers once; null where one has none. */
function squaredSum(entries: readonly Entry[], squareOf: (mechanism: Mechanism) => Enclosure | null): Enclosure | null {
  let sum = exactly(0);
  for (const { mechanism, count, kind } of entries) {
    const square = kind === 'noninteractive' ? squareOf(mechanism) : null;
    if (square === null) return null;
    sum = add(sum, multiply(exactly(count), square));
  }
  return sum;
}

/** The mu of Gaussian mechanisms, which together are one; null of others. */
export function muOfGaussian(entries: readonly Entry[]): Enclosure | null {
  const square = squaredSum(entries, (mechanism) =>
    mechanism.type === 'gaussian' || mechanism.type === 'gdp' ? squaredMu(mechanism) : null,
  );
  return square && squareRoot(square);
}

/**
 * The smallest mu known for which mechanisms are together mu-GDP, rounded up; null where none is known: the root of the sum
 * of their mu^2 where each answers once, and that of pure privacy with the largest loss of all. On samples a mechanism is as
 * private as on all data.
 *
 * Source: Dong, Roth, Su (2022), Cor 3.3 and, by f_q = q f + (1 - q) Id >= f, Sec 4; {@link muOfPure}.
 *
 * @param largest - no loss exceeds it; Infinity where none is known
 */
export function muEverywhere(entries: readonly Entry[] | null, largest: number): number | null {
  const square = entries && squaredSum(entries, squaredMu);
  const bounds = [
    ...(Number.isFinite(largest) ? [muOfPure(new Decimal(largest))] : []),
    ...(square === null ? [] : [squareRoot(square).upper]),
  ];
  return bounds.length === 0 ? null : Math.min(...bounds);
}
