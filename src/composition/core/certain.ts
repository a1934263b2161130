import type { RowId } from '../../bounds/core/bound.ts';
import type { Bracket } from '../../numeric/enclosure.ts';

/** A lower end may exceed an upper one by the rounding of parameters such as 1/3, relatively, and no more. */
const CROSSING = 1e-12;

/** A bound that is not a number would pass every comparison: it must never leave here. */
export function checked<B extends Bracket>(bracket: B, id: RowId): B {
  const { lower, upper } = bracket;
  if (Number.isNaN(upper) || Number.isNaN(lower ?? 0)) throw new Error(`${id} computed a bound that is not a number`);
  return bracket;
}

/** Two certified ends that cross prove a mistake in one of them: no claim is made then. */
export function consistent<B extends Bracket>(bracket: B, id: RowId): B {
  const { lower, upper } = bracket;
  const [low, high]: [number, number] = [lower ?? 0, upper];
  if (low > high && low - high > CROSSING * Math.abs(low)) {
    throw new Error(`${id} claims ${high}, but nothing below ${low} can be claimed`);
  }
  return bracket;
}
