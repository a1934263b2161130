import type { RateTable } from '../../lazy/rates/rate-table.ts';
import { csvText } from '../kit/csv.ts';

/** One record for each alpha or epsilon, one column for each rate. */
export const lazyRatesCsv = ({ question, rows }: RateTable): string =>
  csvText(Array.from(question.at.keys()), [
    [question.kind === 'exponents' ? 'alpha' : 'epsilon', (index) => question.at[index]!.toString()],
    ...rows.map(({ rate, values }) => [rate.id, (index: number) => values[index] ?? null] as const),
  ]);
