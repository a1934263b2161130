import type { BoundId, Inapplicability, MechanismType } from '../../bounds/core/bound.ts';
import type { Neighbours } from '../../privacy/mechanism.ts';
import type { Counterexample } from './adaptive-counterexample.ts';
import type { RuleId, UncheckedTerm } from './terms.ts';

/** Why a ledger takes no further launches. */
export type HaltReason = 'insufficient-budget' | 'count-limit';

/** Stable codes, one for each kind of refusal. */
export type RefusalCode = Refusal['code'];

/** Why a mechanism's declared guarantee says nothing in the ledger's measure. */
export type Unverified =
  /** The type of guarantee has no conversion to what the rule adds up. */
  | { readonly reason: 'wrong-measure'; readonly rule: RuleId; readonly found: GuaranteeType }
  /** A pure rule, or one at Renyi orders, and a mechanism with d > 0 (or outcomes that only one side has). */
  | { readonly reason: 'positive-delta'; readonly rule: RuleId; readonly found: GuaranteeType }
  /** Renyi guarantees at orders that are all below the ledger's. */
  | { readonly reason: 'order-too-high'; readonly alpha: string }
  /** A nested ledger whose distance or neighbouring relation is another. */
  | { readonly reason: 'other-neighbours' | 'other-distance' }
  /** A mechanism for another relation of neighbours than the ledger names. */
  | { readonly reason: 'other-relation'; readonly relation: Neighbours; readonly ledger: string | null }
  /** Nothing says how the guarantee was verified, or a nested ledger would not ask for it. */
  | { readonly reason: 'no-evidence' | 'no-evidence-in-child' }
  /** The terms ask for something that is not checked any more. */
  | { readonly reason: 'unchecked-terms'; readonly term: UncheckedTerm }
  /** More mechanisms in one launch than a ledger takes at once, whatever they cost. */
  | { readonly reason: 'too-many-at-once'; readonly limit: number; readonly asked: number }
  /** No declared slot that is free is of this type and at least as large. */
  | { readonly reason: 'not-declared' };

/** Why no theorem covers what was asked. */
export type NoTheorem =
  /** A rule for fixed parameters, with a run in which it would have let the budget be exceeded. */
  | { readonly reason: 'adaptive-parameters'; readonly bound: BoundId; readonly counterexample: Counterexample }
  /** Concurrent composition of approximate zCDP or approximate Renyi DP is an open question. */
  | { readonly reason: 'open-question'; readonly measure: 'approximate-zcdp' | 'approximate-rdp' }
  /** A document says that communication is not finite, and the rule covers such a mechanism only where it is. */
  | { readonly reason: 'communication-not-finite'; readonly rule: RuleId; readonly found: GuaranteeType }
  /** A nested ledger is spent from whenever its owner likes, which a sequential ledger does not allow. */
  | { readonly reason: 'nested-in-sequential' }
  /** The loss so far is several numbers, of which the best conversion would be chosen after the fact. */
  | { readonly reason: 'several-coordinates'; readonly rule: RuleId }
  /** A nested odometer has no budget that could be charged. */
  | { readonly reason: 'unbounded-child' }
  /** A guarantee that says nothing at the distance asked: of a mechanism, a nested ledger or a whole compositor. */
  | {
      readonly reason: 'no-map';
      readonly found: GuaranteeType | 'nested-ledger' | 'compositor';
      readonly distance: string;
    }
  /** The bound of a compositor does not cover what is declared. */
  | { readonly reason: 'bound-does-not-apply'; readonly inapplicability: Inapplicability };

export type InvalidQuery =
  | 'no-such-mechanism'
  /** Only filters and compositors have something that remains. */
  | 'no-budget'
  /** Only odometers become filters, and only filters odometers. */
  | 'wrong-mode'
  /** The budget of a nested ledger is what was paid for it, and stays. */
  | 'nested'
  /** The terms of the filter forbid that it becomes an odometer. */
  | 'fixed-budget';

/** Why terms cannot be those of a ledger. */
export interface InvalidTerms {
  /** Where in the terms, such as `rule.deltaPrime`. */
  readonly path: string;
  readonly allowed: string;
}

/** The type of the guarantee of a mechanism or a nested ledger. */
export type GuaranteeType = MechanismType | 'approximate-zcdp' | 'approximate-rdp';

/** The finer reason of a refusal: stable, for programs. */
export const finerCode = (refusal: Refusal): string => ('reason' in refusal ? refusal.reason : refusal.code);

/** What became of a reservation: it has expired, or a record says that it was launched or given back. */
export type PastReservation =
  | { readonly kind: 'expired'; readonly until: string }
  | { readonly kind: 'committed' | 'released'; readonly record: number };

export type Refusal =
  | {
      readonly code: 'insufficient-budget';
      /** The first coordinate (a name as in `Totals`) that would exceed its limit. */
      readonly coordinate: string;
      /** The total with the mechanism, and the most it may be; both in the coordinate's own unit. */
      readonly total: string;
      readonly limit: string;
      /** How many holds are open, whose amounts are in the total; left out where none is. */
      readonly holds?: number;
    }
  | { readonly code: 'halted'; readonly because: HaltReason }
  /** Nothing is held under this id: it was committed or released, or has expired. */
  | { readonly code: 'no-such-hold'; readonly hold: string; readonly past?: PastReservation }
  | {
      readonly code: 'count-limit';
      readonly limit: number;
      readonly launched: number;
      readonly asked: number;
      /** For how many mechanisms there are open holds; left out for none. */
      readonly holds?: number;
    }
  | ({ readonly code: 'unverified' } & Unverified)
  | { readonly code: 'invalid-query'; readonly reason: InvalidQuery }
  | ({ readonly code: 'no-theorem' } & NoTheorem)
  | ({ readonly code: 'invalid-terms' } & InvalidTerms);
