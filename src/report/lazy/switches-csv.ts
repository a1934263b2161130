import type { Switches } from '../../lazy/accounting/switches.ts';
import { csvText } from '../kit/csv.ts';

/** The law of every count: one record for each value with a probability of 1e-15 or more. */
export function lazySwitchesCsv({ counts }: Switches): string {
  const rows = counts.flatMap(({ kind, law }) =>
    Array.from(law.weights, (probability, i) => ({ count: kind, value: law.first + i * law.step, probability })),
  );
  const seen = rows.filter(({ probability }) => probability >= 1e-15);
  return csvText(seen, ['count', 'value', 'probability']);
}
