import type { Decimal } from './decimal.ts';

/** Values in ascending order, each once. */
export function ascending(values: readonly Decimal[]): readonly Decimal[] {
  const sorted = [...values].sort((a, b) => a.comparedTo(b));
  return sorted.filter((value, index) => index === 0 || !value.eq(sorted[index - 1]!));
}
