import type { Switches } from '../../lazy/accounting/switches.ts';
import { csvText } from '../kit/csv.ts';

/** The law of every count: one record for each value with a probability of 1e-15 or more. */
export function lazySwitchesCsv({ counts }: Switches): string {
  const records = counts.flatMap(({ kind, law }) =>
    Array.from(law.weights, (weight, i) => [kind, law.first + i * law.step, weight] as const),
  );
  return csvText(
    ['count', 'value', 'probability'],
    records.filter(([, , probability]) => probability >= 1e-15),
  );
}
