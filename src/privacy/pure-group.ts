import { Decimal } from '../numeric/decimal.ts';

/** `count` mechanisms that are (epsilon, 0)-DP, epsilon > 0. */
export interface PureGroup {
  readonly epsilon: Decimal;
  readonly count: number;
}

/** Collects equal parameters, as far as doubles can count them, and drops those that are 0; ascending. */
export function groupEqual(parts: readonly PureGroup[]): PureGroup[] {
  const counts = new Map<string, PureGroup>();
  const full: PureGroup[] = [];
  for (const { epsilon, count } of parts) {
    if (epsilon.isZero()) continue;
    const key = epsilon.toString();
    const known = counts.get(key);
    const sum = count + (known?.count ?? 0);
    if (known && sum > Number.MAX_SAFE_INTEGER) full.push(known);
    counts.set(key, { epsilon, count: sum > Number.MAX_SAFE_INTEGER ? count : sum });
  }
  return [...full, ...counts.values()].sort((a, b) => a.epsilon.cmp(b.epsilon));
}

/** sum of epsilon count, exactly. */
export function totalEpsilon(groups: readonly PureGroup[]): Decimal {
  return groups.reduce((sum, { epsilon, count }) => sum.plus(epsilon.times(count)), new Decimal(0));
}

/** How many mechanisms they are. */
export const mechanismsOf = (groups: readonly PureGroup[]): number => groups.reduce((sum, { count }) => sum + count, 0);
