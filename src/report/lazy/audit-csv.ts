import type { Audit } from '../../lazy/accounting/audit.ts';
import { covers } from '../../lazy/theorems/theorem-3-2.ts';
import { csvText } from '../kit/csv.ts';

/** One record for Theorem 3.2 and one for each way of accounting. */
export function lazyAuditCsv({ theorem, moved, delta, accounting }: Audit): string {
  const claims = [theorem, ...(moved === null ? [] : [moved])].map((claim) => [
    claim === theorem ? 'theorem-3.2' : 'theorem-3.2-moved',
    'claimed',
    covers(claim),
    claim.epsilon.lower,
    claim.epsilon.upper,
    claim.delta.upper,
  ]);
  const guarantees = accounting.map(({ resampling, epsilon }) => [
    resampling,
    'guaranteed',
    true,
    epsilon.lower,
    epsilon.upper,
    delta.toString(),
  ]);
  const header = ['accounting', 'status', 'covers', 'epsilon_lower', 'epsilon_upper', 'delta'];
  return csvText(header, [...claims, ...guarantees]);
}
