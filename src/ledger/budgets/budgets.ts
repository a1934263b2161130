import type { FilterTerms } from '../core/terms.ts';
import type { Template } from './template.ts';
import type { Caveat } from '../core/caveat.ts';

/**
 * Who or what the ledgers of a line are for. all: everything is charged to it; data: there is one for each part of the data, and a
 * mechanism is charged to those of the parts that it reads; people: one for each person or group, charged with what they ask.
 */
export type Scope = 'all' | 'data' | 'people';

/** A line of budgets: one ledger, or one for each value of its key, all with the same terms. */
export interface BudgetLine {
  readonly name: Template;
  readonly scope: Scope;
  readonly terms: FilterTerms;
}

/** Budgets that hold at the same time. */
export interface Budgets {
  readonly name: string | null;
  /** At least one; no two of them can name the same ledger. */
  readonly lines: readonly BudgetLine[];
}

/**
 * What budgets that hold at the same time do not guarantee. Every decision is made from terms, totals and requests alone, so that a
 * refusal by one ledger is, for another, a request that was not made.
 *
 * all [Haney et al. 2023, Thm 1.20, 1.21, 4.10, by the rule]: the requests that every other ledger lets through are those of an
 * adversary of this filter; all results together are within its budget.
 *
 * data [derived; Lecuyer et al. 2019, block composition]: of two neighbours that differ in one record of part k, all mechanisms
 * that do not read k see the same data. An adversary who knows that data can run them itself; what is left is the filter of k.
 * So all results together tell of a record at most the budget of its part, whatever is chosen along the way, and however
 * many parts there are. A record that moves is in two parts.
 *
 * people: where nothing that depends on the results of others reaches a person, the same holds of that person's view and
 * ledger. Results, requests and data of others that depend on their results, and refusals that follow from these, can carry what
 * was charged to others: no accounting person by person covers that [Tholoniat et al. 2025, arXiv 2506.05290]. Of any k people
 * named beforehand who share all they see, and whom nothing of others reaches, the ledgers are k filters asked in turns:
 * their budgets compose [Haney et al. 2023, Thm 1.8].
 */
export function caveatsOfBudgets({ lines }: Budgets): readonly Caveat[] {
  const has = (scope: Scope): boolean => lines.some((line) => line.scope === scope);
  return [
    ...(has('data') ? ['one-record-one-part' as const] : []),
    ...(has('people') ? ['own-results-only' as const] : []),
    ...(has('all') || has('data') ? [] : ['no-budget-over-all' as const]),
  ];
}
