import type { Decimal } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';

/** One value that was checked. */
export interface Check {
  /** The value that was computed, in a few words. */
  readonly what: string;
  readonly expected: Decimal;
  /** A value or an enclosure of it; null: none at all. */
  readonly got: number | Bracket | null;
  readonly passed: boolean;
}

/** Values that are checked by one rule. */
export interface CheckGroup {
  readonly id: string;
  readonly name: string;
  /** The condition that a value must satisfy to pass. */
  readonly rule: string;
  readonly checks: readonly Check[];
}
