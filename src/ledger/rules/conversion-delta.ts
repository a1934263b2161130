import type { Decimal } from '../../numeric/decimal.ts';
import type { Deltas } from '../terms.ts';
import type { Coordinate } from './accumulate.ts';

/** The running total of the d_i, which begins with what the conversion costs. */
export const convertedDelta = (
  { delta, deltaPrime, deltas }: { readonly delta: Decimal; readonly deltaPrime: Decimal; readonly deltas: Deltas },
  limited: boolean,
): Coordinate => ({ name: 'delta', adding: deltas, initial: deltaPrime, limit: limited ? delta : null });
