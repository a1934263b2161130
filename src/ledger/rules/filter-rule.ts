import type { Caveat } from '../core/caveat.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Guarantee } from '../core/guarantee.ts';
import type { Budgets, Concurrency, Rule, RuleId } from '../core/terms.ts';
import type { Accumulator } from './accumulate.ts';

/** A theorem about parameters that are chosen along the way: a filter where there is a budget, else an odometer. */
export interface FilterRule<Id extends RuleId> {
  readonly id: Id;
  readonly name: string;
  readonly reference: string;
  /** Whether it is known to hold where interactive mechanisms are asked in turns. */
  readonly concurrent: 'proved' | 'open';
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

/** Theorems 1.20 and 1.21 of Haney et al. are for mechanisms that exchange finitely many messages. */
export const finiteCommunication = (concurrency: Concurrency): readonly Caveat[] =>
  concurrency === 'concurrent' ? ['finite-communication'] : [];
