import type { Decimal } from '../../numeric/decimal.ts';
import type { ApproximateDp, Entry, Gdp, Mechanism, Rdp, Zcdp, MechanismKind } from '../../privacy/mechanism.ts';
import type { DeclaredBound } from './terms.ts';
import type { Refusal } from './refusal.ts';

/** What limits an answer, and is said with it. */
export type Caveat =
  /** An odometer's reading means something only against a threshold that was fixed before the run. */
  | 'threshold-fixed-before'
  /** The guarantee of a filter is its budget, however little was spent. */
  | 'budget-is-the-guarantee'
  /** Assumed of interactive and continual mechanisms: guarantees against adaptive adversaries; and besides what is named. */
  | 'adaptive-adversaries'
  | 'discrete-answers'
  | 'finite-communication'
  /** The loss so far is several numbers, and was not converted; the guarantee was. */
  | 'spent-not-converted'
  /** No epsilon follows at the delta that was asked for. */
  | 'no-finite-epsilon'
  /** A ledger that became an odometer no longer enforces its budget. */
  | 'budget-no-longer-enforced'
  /** Several nested ledgers cost as much as the largest only where neighbours differ in the part of one of them. */
  | 'disjoint-parts'
  /** The budget of a part of the data covers neighbours that differ in one record, of that part alone. */
  | 'one-record-one-part'
  /** The budget of a person covers that person's own results, as long as nobody else's reach them. */
  | 'own-results-only'
  /** What all results together tell is bounded by nothing. */
  | 'no-budget-over-all'
  /** Something was counted that ran without having been granted, so that nothing had kept it within the budget. */
  | 'not-granted-beforehand'
  /** What ran without having been granted is beyond the budget, which is no guarantee any more. */
  | 'budget-exceeded'
  /** A nested ledger is beyond the budget that another one paid for. */
  | 'more-than-was-paid';

/** delta-approximate rho-zCDP: apart from a share delta of the outcomes, rho-zCDP. */
export interface ApproximateZcdp {
  readonly type: 'approximate-zcdp';
  readonly rho: Decimal;
  readonly delta: Decimal;
}

/** delta-approximate Renyi DP at one order: apart from a share delta of the outcomes, (alpha, epsilon)-Renyi DP. */
export interface ApproximateRdp {
  readonly type: 'approximate-rdp';
  readonly alpha: Decimal;
  readonly epsilon: Decimal;
  readonly delta: Decimal;
}

/** The guarantee of something that is launched: a mechanism, or a nested ledger. */
export type Guarantee = Mechanism | ApproximateZcdp | ApproximateRdp;

export const isMechanism = (guarantee: Guarantee): guarantee is Mechanism =>
  guarantee.type !== 'approximate-zcdp' && guarantee.type !== 'approximate-rdp';

/** An amount that a ledger can guarantee, spend or have left, in the measure of its rule. A loss may be Infinity. */
export type LedgerGuarantee = ApproximateDp | Zcdp | ApproximateZcdp | Rdp | ApproximateRdp | Gdp;

/** Mechanisms whose parameters were fixed at the start, with the bound for all of them together. */
export interface DeclaredTogether {
  readonly type: 'declared';
  readonly bound: DeclaredBound;
  readonly entries: readonly Entry[];
}

/** The guarantee that an (epsilon, delta) of a ledger was read off from, which says more, at every delta. */
export type Underlying = ApproximateZcdp | DeclaredTogether;

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
