import { decimalFromDouble } from '../../../numeric/decimal.ts';
import type { Query } from '../../../privacy/curve.ts';
import type { Entry } from '../../../privacy/mechanism.ts';
import type { FilterBudget } from '../../../composition/certificate/certificate.ts';
import type { Present } from '../../../ledger/present.ts';
import { covered } from '../../kit/refusal.ts';
import { UsageError, conflict } from '../../kit/usage-error.ts';

const fail = (message: string, hint: string): UsageError => new UsageError([conflict('--certificate', message, hint)]);

/** The budget of a filter as an (epsilon, delta), of zCDP at the delta that is asked for. */
async function budgetOf({ state, header: { terms } }: Present, query: Query | null): Promise<FilterBudget> {
  const { loss } = await import('../../../ledger/loss.ts');
  const { guarantee } = loss(state);
  if (terms.mode !== 'filter')
    throw fail('is for filters', 'Use dpcompose compose --certificate for fixed parameters.');
  if (!terms.distance.eq(1)) throw fail('is for ledgers at distance 1', 'Omit it.');
  if (guarantee === null) throw fail('does not go with mechanisms beyond the budget', 'Omit it.');
  const { rule } = terms;
  if (guarantee.type === 'dp' && (rule.id === 'pure' || rule.id === 'basic')) return { ...guarantee, lambda: null };
  if (guarantee.type === 'dp' && (rule.id === 'zcdp-optimal' || rule.id === 'approximate-dp')) {
    const { conversionLambda } = await import('../../../ledger/rules/converting-rules.ts');
    return { ...guarantee, lambda: conversionLambda(guarantee.epsilon, rule.deltaPrime) };
  }
  if (guarantee.type !== 'zcdp' || 'delta' in guarantee) {
    throw fail(`is not for the rule ${rule.id}`, 'It is for pure, basic, approximate-dp, zcdp-optimal and zcdp.');
  }
  if (query?.solveFor !== 'epsilon') throw fail('needs a delta for the rule zcdp', 'Add --at-delta, such as 1e-6.');
  const { compose } = await import('../../../composition/compose/compose.ts');
  const { claimedLambda } = await import('../../../bounds/renyi/renyi.ts');
  const entries: Entry[] = [{ mechanism: guarantee, count: 1, kind: 'noninteractive', label: null }];
  const outcome = compose({ entries, adaptivity: 'adaptive', order: 'any' }, query, { bounds: ['zcdp'] });
  const epsilon = decimalFromDouble(covered(outcome).answer.epsilon.upper);
  // Without a largest loss there is always one.
  return { epsilon, delta: query.delta, lambda: decimalFromDouble(claimedLambda('zcdp', entries, query)!) };
}

/** The certificate of a filter, by all that was launched. */
export async function filterCertificate(
  present: Present,
  launched: readonly (Entry | 'nested-ledger')[],
  query: Query | null,
): Promise<string> {
  const entries = launched.filter((entry) => entry !== 'nested-ledger');
  if (entries.length < launched.length) throw fail('does not go with nested ledgers', 'Omit it.');
  if (entries.length === 0) throw fail('needs a mechanism that was launched', 'Omit it.');
  const { certifyFilter } = await import('../../../composition/certificate/certificate.ts');
  const { certificateText } = await import('../../../output/certificate.ts');
  return certificateText(covered(certifyFilter(entries, await budgetOf(present, query))).certificate);
}
