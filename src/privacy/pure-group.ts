import { Decimal } from '../numeric/decimal.ts';

/** `count` mechanisms that are (epsilon, 0)-DP, epsilon > 0. */
export interface PureGroup {
  readonly epsilon: Decimal;
  readonly count: number;
}

/** Collects equal parameters and drops those that are 0; ascending. */
export function groupEqual(parts: readonly PureGroup[]): PureGroup[] {
  const counts = new Map<string, PureGroup>();
  for (const { epsilon, count } of parts) {
    if (epsilon.isZero()) continue;
    const key = epsilon.toString();
    counts.set(key, { epsilon, count: count + (counts.get(key)?.count ?? 0) });
  }
  return [...counts.values()].sort((a, b) => a.epsilon.cmp(b.epsilon));
}

/** sum of epsilon count, exactly. */
export function totalEpsilon(groups: readonly PureGroup[]): Decimal {
  return groups.reduce((sum, { epsilon, count }) => sum.plus(epsilon.times(count)), new Decimal(0));
}
