import type { LowerBound42 } from '../../lazy/theorems/theorem-4-2.ts';
import { csvText } from '../kit/csv.ts';

/** One record for each condition. */
export const lazyLowerBoundCsv = ({ conditions }: LowerBound42): string =>
  csvText(
    ['condition', 'stated', 'value', 'least', 'holds'],
    conditions.map(({ id, stated, value, least, holds }) => [id, stated, value, least, holds]),
  );
