import type { FilterTerms } from '../core/terms.ts';
import type { Template } from './template.ts';

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
