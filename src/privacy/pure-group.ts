import { Decimal } from '../numeric/decimal.ts';
import { equalTogether } from './equal-together.ts';

/** `count` mechanisms that are (epsilon, 0)-DP, epsilon > 0. */
export interface PureGroup {
  readonly epsilon: Decimal;
  readonly count: number;
}

/** Collects equal parameters, as far as doubles can count them, and drops those that are 0; ascending. */
export const groupEqual = (parts: readonly PureGroup[]): PureGroup[] =>
  equalTogether(
    parts.filter(({ epsilon }) => !epsilon.isZero()).map(({ epsilon, count }) => ({ epsilon, count })),
    ({ epsilon }) => epsilon.toString(),
  ).sort((a, b) => a.epsilon.cmp(b.epsilon));

/** sum of epsilon count, exactly. */
export function totalEpsilon(groups: readonly PureGroup[]): Decimal {
  return groups.reduce((sum, { epsilon, count }) => sum.plus(epsilon.times(count)), new Decimal(0));
}

/** How many mechanisms they are. */
export const mechanismsOf = (groups: readonly PureGroup[]): number => groups.reduce((sum, { count }) => sum + count, 0);
