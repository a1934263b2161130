import { Decimal, toLower, toUpper } from '../../numeric/decimal.ts';
import type { PureGroup } from '../../privacy/pure.ts';
import type { GridParameter } from './adaptive-chords.ts';

/** Bounded-range parameters on a common grid of states. */
export interface Grid {
  readonly step: number;
  /** As multiples of the step: not below the true parameters. */
  readonly parameters: readonly GridParameter[];
  /** Not above the true parameters. */
  readonly legal: readonly number[];
}

/** Parameters that are not whole multiples of the step are rounded up to this part of it. */
const FINEST_FRACTION = 2 ** 20;

/** A base is not this many times smaller than the parameter that weighs most. */
const LARGEST_RATIO = 16;

/** Whether a few cells of the base divide every other parameter. */
const LARGEST_MULTIPLE = 24;

/** The parameter whose cells are the grid: the smallest that is not far below the weightiest. */
export function baseOf(groups: readonly PureGroup[]): Decimal {
  const weight = ({ epsilon, count }: PureGroup): number => count * epsilon.toNumber() ** 2;
  const weightiest = groups.reduce((most, group) => (weight(group) > weight(most) ? group : most));
  const least = weightiest.epsilon.div(LARGEST_RATIO);
  return groups.reduce(
    (base, { epsilon }) => (epsilon.gte(least) && epsilon.lt(base) ? epsilon : base),
    weightiest.epsilon,
  );
}

/** Grids for these parameters (all above 0), by the number of cells that the base parameter is to have at least. */
export function gridsFor(groups: readonly PureGroup[]): (cells: number) => Grid {
  const base = baseOf(groups);
  const multiple = Array.from({ length: LARGEST_MULTIPLE }, (_, n) => n + 1).find((n) =>
    groups.every(({ epsilon }) => epsilon.times(n).mod(base).isZero()),
  );
  const unit = multiple ?? 1;
  const legal = groups.map(({ epsilon }) => toLower(epsilon));
  return (asked) => {
    const cells = Math.ceil(asked / unit) * unit;
    return {
      step: toUpper(base.div(cells)),
      legal,
      parameters: groups.map(({ epsilon }) => {
        const scaled = epsilon.times(cells).times(FINEST_FRACTION).div(base);
        const rounded = scaled.toDecimalPlaces(0, Decimal.ROUND_UP);
        const whole = rounded.div(FINEST_FRACTION).floor();
        return {
          cells: whole.toNumber(),
          fraction: rounded.minus(whole.times(FINEST_FRACTION)).toNumber() / FINEST_FRACTION,
        };
      }),
    };
  };
}
