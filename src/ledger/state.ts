import type { Decimal } from '../numeric/decimal.ts';
import type { CompiledRule } from './rules/rule.ts';
import type { Terms } from './terms.ts';

export type HaltReason = 'insufficient-budget' | 'count-limit';

/** A ledger at one moment: a value, never changed in place. Made by `open`, `resume` and decisions. */
export interface LedgerState {
  readonly terms: Terms;
  /** The terms' rule and budget, ready for decisions. */
  readonly rule: CompiledRule;
  readonly launched: number;
  /** The running total of each coordinate of the rule. */
  readonly spent: readonly Decimal[];
  readonly halted: HaltReason | null;
}
