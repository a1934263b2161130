import type { RateTable } from '../../lazy/rates/rate-table.ts';
import { csvText } from '../kit/csv.ts';

/** One record for each alpha or epsilon, one column for each rate. */
export function lazyRatesCsv({ question, rows }: RateTable): string {
  const first = question.kind === 'exponents' ? 'alpha' : 'epsilon';
  return csvText(
    [first, ...rows.map(({ rate }) => rate.id)],
    question.at.map((value, index) => [value.toString(), ...rows.map(({ values }) => values[index] ?? null)]),
  );
}
