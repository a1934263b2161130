import type { LedgerState } from '../core/state.ts';
import type { Recorded } from '../records/record.ts';
import type { Present } from './present.ts';

/** A sum of the records of a ledger, made from the first to the last; it can be kept on the way. */
export interface Fold<T> {
  /** Names what is summed up and how it is written. */
  readonly name: string;
  /** The sum before the first record. */
  begin(start: LedgerState): T;
  /** The sum after one more record; the one before may be changed for it. */
  add(sum: T, recorded: Recorded): T;
  /** As plain JSON. */
  write(sum: T): unknown;
  /** The inverse; null for what cannot be the sum of the records up to this one of a ledger that began so. */
  read(written: unknown, last: Recorded, start: LedgerState): T | null;
}

/** A ledger, and the sum of its records. */
export interface Folded<T> {
  readonly kind: 'folded';
  readonly present: Present;
  /** The ledger before its first record. */
  readonly start: LedgerState;
  readonly sum: T;
}
