import type { Caveat } from '../core/caveat.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Guarantee } from '../core/guarantee.ts';
import type { Budgets, Concurrency, Rule, RuleId } from '../core/terms.ts';
import type { Accumulator } from './accumulate.ts';

/**
 * An assumption about interactive and continual mechanisms, beside guarantees against adaptive adversaries: nothing more of
 * Renyi DP, discrete answers of (e, d)-DP, finite communication of trade-off functions.
 *
 * Source: Henzinger, Safavi, Vadhan 2025 (second version), Corollary 13.8, Theorem 12.4, Corollary 14.10.
 */
export type Assumption = Extract<Caveat, 'adaptive-adversaries' | 'discrete-answers' | 'finite-communication'>;

/** A theorem about parameters that are chosen along the way: a filter where there is a budget, else an odometer. */
export interface FilterRule<Id extends RuleId> {
  readonly id: Id;
  readonly name: string;
  readonly reference: string;
  /** Whether it is known to hold where interactive mechanisms are asked in turns. */
  readonly concurrent: 'proved' | 'open';
  /** What it assumes of interactive and continual mechanisms there. */
  readonly assumes: Assumption;
  readonly accumulator: (
    rule: Extract<Rule, { id: Id }>,
    budget: Budgets[Id] | null,
    concurrency: Concurrency,
  ) => Accumulator;
}

export const wrongMeasure = (rule: RuleId, { type }: Guarantee): { readonly refusal: Refusal } => ({
  refusal: { code: 'unverified', reason: 'wrong-measure', rule, found: type },
});

export const positiveDelta = (rule: RuleId, { type }: Guarantee): { readonly refusal: Refusal } => ({
  refusal: { code: 'unverified', reason: 'positive-delta', rule, found: type },
});

/** The assumption about interactive and continual mechanisms; one after the other they need adaptive adversaries only. */
export const assumedOf = (assumes: Assumption, concurrency: Concurrency): readonly Caveat[] => [
  concurrency === 'concurrent' ? assumes : 'adaptive-adversaries',
];
