import type { LowerBound42 } from '../../lazy/theorems/theorem-4-2.ts';
import { csvText } from '../kit/csv.ts';

/** One record for each condition. */
export const lazyLowerBoundCsv = ({ conditions }: LowerBound42): string =>
  csvText(conditions, [['condition', ({ id }) => id], 'stated', 'value', 'least', 'holds']);
