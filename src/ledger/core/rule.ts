import type { MechanismKind } from '../../privacy/mechanism.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { Caveat } from './caveat.ts';
import type { Refusal } from './refusal.ts';
import type { Guarantee, LedgerGuarantee, Underlying } from './guarantee.ts';

/** A request to launch, at the ledger's distance. */
export interface Launch {
  /** One; or several of which, for any two neighbours, only one matters: parallel ledgers on disjoint parts. */
  readonly guarantees: readonly [Guarantee, ...Guarantee[]];
  readonly kind: MechanismKind;
  /** How many of it: a whole number of at least 1. */
  readonly count: number;
  /** Nothing is known that the guarantee was verified by. */
  readonly unproven?: boolean;
}

/** New totals, or why there are none. */
export type Added = { readonly spent: readonly Decimal[] } | { readonly refusal: Refusal };

/** A ledger's rule and budget, ready for decisions; every function is pure. */
export interface CompiledRule {
  /** The names of the totals. */
  readonly names: readonly string[];
  /** The most that each total may be; null: no limit. */
  readonly limits: readonly (Decimal | null)[];
  /** The totals before anything was launched. */
  readonly initial: readonly Decimal[];
  /** The totals with `launch`, within the budget or not; refused is only what the rule does not understand. */
  readonly extend: (spent: readonly Decimal[], launch: Launch) => Added;
  /** The totals with amounts that others have added to them. */
  readonly combine: (spent: readonly Decimal[], amounts: readonly Decimal[]) => readonly Decimal[];
  /** Why totals are not within the budget; null where they are. */
  readonly excess: (spent: readonly Decimal[]) => Refusal | null;
  /** How many of `launch` (its count aside) still fit; null: any number. */
  readonly capacity: (spent: readonly Decimal[], launch: Launch) => Decimal | null;
  /** The loss that totals amount to in the rule's measure, rounded up. */
  readonly reading: (spent: readonly Decimal[]) => LedgerGuarantee;
  /** The one guarantee that totals are of and their reading was converted from; null where the reading says all. */
  readonly underlying: (spent: readonly Decimal[]) => Underlying | null;
  /** The guarantee of the whole ledger; null for an odometer. */
  readonly guarantee: LedgerGuarantee | null;
  /** The largest guarantee that one more mechanism may have, rounded down; null for an odometer. */
  readonly left: (spent: readonly Decimal[]) => LedgerGuarantee | null;
  /** The rule with the charges of earlier versions, which records may have; absent: they were the same. */
  readonly earlier?: CompiledRule;
  /** Caveats that stand wherever the guarantee does. */
  readonly caveats: readonly Caveat[];
}
