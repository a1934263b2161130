import type { Audit } from '../../lazy/accounting/audit.ts';
import { covers } from '../../lazy/theorems/theorem-3-2.ts';
import { csvText } from '../kit/csv.ts';

/** One record for Theorem 3.2 and one for each way of accounting. */
export function lazyAuditCsv({ theorem, moved, delta, accounting }: Audit): string {
  const claims = [theorem, moved]
    .filter((claim) => claim !== null)
    .map((claim) => ({
      accounting: claim === theorem ? 'theorem-3.2' : 'theorem-3.2-moved',
      status: 'claimed',
      covers: covers(claim),
      epsilon: claim.epsilon,
      delta: String(claim.delta.upper),
    }));
  const guarantees = accounting.map(({ resampling, epsilon }) => {
    return { accounting: resampling, status: 'guaranteed', covers: true, epsilon, delta: delta.toString() };
  });
  const rows = [...claims, ...guarantees];
  return csvText(rows, [
    'accounting',
    'status',
    'covers',
    ['epsilon_lower', ({ epsilon }) => epsilon.lower],
    ['epsilon_upper', ({ epsilon }) => epsilon.upper],
    'delta',
  ]);
}
