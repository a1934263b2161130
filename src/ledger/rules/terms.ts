import { BOUND_IDS, type BoundId } from '../../bounds/core/bound.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';

/** The hash of what a guarantee was verified by: of a proof, a report, or the code that was reviewed. */
export const EVIDENCE = /^sha256:[0-9a-f]{64}$/;

/** A moment by the clock of a store, as `2026-03-02T09:15:00.000Z`: in UTC, so that the order of texts is that of moments. */
export type StoreTime = string;

/** Matches a {@link StoreTime}. */
export const STORE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/**
 * filter: a budget is fixed at the start, and what would exceed it is not run; odometer: no budget, the loss so far is
 * read off; compositor: all parameters are declared at the start.
 */
export const MODES = ['filter', 'odometer', 'compositor'] as const;
export type Mode = (typeof MODES)[number];

/** The consequence of a mechanism that does not fit in a filter: end for good, or refuse that one and go on. */
export const ON_EXCESS = ['refuse', 'halt'] as const;
export type OnExcess = (typeof ON_EXCESS)[number];

/** Whether interactive mechanisms may be asked in turns, or each only until the next one is launched. */
export const CONCURRENCIES = ['concurrent', 'sequential'] as const;
export type Concurrency = (typeof CONCURRENCIES)[number];

/** How the d of (e, d)-DP mechanisms add up: sum d_i, or 1 - prod (1 - d_i). */
export const DELTAS = ['sum', 'product'] as const;
export type Deltas = (typeof DELTAS)[number];

/** sum e_i, for (e_i, 0)-DP mechanisms. */
export interface PureRule {
  readonly id: 'pure';
}

/** sum e_i and the d_i, for (e_i, d_i)-DP mechanisms. */
export interface BasicRule {
  readonly id: 'basic';
  readonly deltas: Deltas;
}

/** The parameters that a rule which converts to (epsilon, delta)-DP fixes beforehand. */
interface ConversionDelta {
  /** The delta of the whole. */
  readonly delta: Decimal;
  /** delta': the part of it that pays for the conversion, above 0; the rest is for the mechanisms' own d_i. */
  readonly deltaPrime: Decimal;
  readonly deltas: Deltas;
}

/** sqrt(2 ln(1/delta') sum e_i^2) + sum e_i^2 / 2, for (e_i, d_i)-DP mechanisms. */
export interface ApproximateDpRule extends ConversionDelta {
  readonly id: 'approximate-dp';
}

/** sum rho_i, converted to (epsilon, delta') in the optimal way. */
export interface ZcdpOptimalRule extends ConversionDelta {
  readonly id: 'zcdp-optimal';
}

/** sum rho_i. */
export interface ZcdpRule {
  readonly id: 'zcdp';
}

/** sum rho_i and the d_i: d_i-approximate rho_i-zCDP; sequential only. */
export interface ApproximateZcdpRule {
  readonly id: 'approximate-zcdp';
  readonly deltas: Deltas;
}

/** sum of Renyi epsilons at one order alpha > 1. */
export interface RdpRule {
  readonly id: 'rdp';
  readonly alpha: Decimal;
}

/** sum of Renyi epsilons at one order alpha > 1, and the d_i; sequential only. */
export interface ApproximateRdpRule {
  readonly id: 'approximate-rdp';
  readonly alpha: Decimal;
  readonly deltas: Deltas;
}

/** sums of Renyi epsilons at each of several orders, all of which count. */
export interface RdpCurveRule {
  readonly id: 'rdp-curve';
  /** Ascending, each above 1, no two the same. */
  readonly alphas: readonly Decimal[];
}

/** sqrt(sum mu_i^2). */
export interface GdpRule {
  readonly id: 'gdp';
}

/** How losses accumulate where parameters are chosen adaptively. */
export type Rule =
  | PureRule
  | BasicRule
  | ApproximateDpRule
  | ZcdpOptimalRule
  | ZcdpRule
  | ApproximateZcdpRule
  | RdpRule
  | ApproximateRdpRule
  | RdpCurveRule
  | GdpRule;

export type RuleId = Rule['id'];

/** The numbers of a rule and its budget, by the names that people write. */
export type Amount = 'epsilon' | 'delta' | 'rho' | 'mu' | 'alpha' | 'orders' | 'deltaPrime' | 'deltas';

/** Which numbers belong to a rule: to the budget of a filter, to the rule itself, and those that may be left out. */
export interface RuleAmounts {
  readonly budget: readonly Amount[];
  readonly rule: readonly Amount[];
  readonly optional: readonly Amount[];
}

const AMOUNTS_OF = {
  pure: { budget: ['epsilon'], rule: [], optional: [] },
  basic: { budget: ['epsilon', 'delta'], rule: [], optional: ['deltas'] },
  'approximate-dp': { budget: ['epsilon'], rule: ['delta'], optional: ['deltaPrime', 'deltas'] },
  'zcdp-optimal': { budget: ['epsilon'], rule: ['delta'], optional: ['deltaPrime', 'deltas'] },
  zcdp: { budget: ['rho'], rule: [], optional: [] },
  'approximate-zcdp': { budget: ['rho', 'delta'], rule: [], optional: ['deltas'] },
  rdp: { budget: ['epsilon'], rule: ['alpha'], optional: [] },
  'approximate-rdp': { budget: ['epsilon', 'delta'], rule: ['alpha'], optional: ['deltas'] },
  'rdp-curve': { budget: ['orders'], rule: ['orders'], optional: [] },
  gdp: { budget: ['mu'], rule: [], optional: [] },
} as const satisfies Readonly<Record<RuleId, RuleAmounts>>;

/** The numbers of every rule, from which the types of budgets follow and what documents, options and files are held to. */
export const RULE_AMOUNTS: Readonly<Record<RuleId, RuleAmounts>> = AMOUNTS_OF;

export const RULE_IDS = Object.keys(AMOUNTS_OF) as readonly RuleId[] as readonly [RuleId, ...RuleId[]];

/** The budgets of filters, beside what their rules fix (such as delta); of several orders an epsilon for each. */
export type Budgets = {
  readonly [Id in RuleId]: {
    readonly [A in (typeof AMOUNTS_OF)[Id]['budget'][number] as A extends 'orders' ? 'epsilons' : A]: A extends 'orders'
      ? readonly Decimal[]
      : Decimal;
  };
};

/** The members of a budget, in the order in which they are recorded. */
export const budgetKeys = (id: RuleId): readonly string[] =>
  RULE_AMOUNTS[id].budget.map((amount) => (amount === 'orders' ? 'epsilons' : amount));

/** A rule together with a budget for it. */
export type RuleWithBudget = {
  [Id in RuleId]: { readonly rule: Extract<Rule, { id: Id }>; readonly budget: Budgets[Id] };
}[RuleId];

/** The terms that every ledger fixes at the start. */
export interface Common {
  readonly concurrency: Concurrency;
  /** The most mechanisms that may ever be launched; null: no limit. */
  readonly maxMechanisms: number | null;
  /** How far apart the data sets are between which the ledger's loss is meant; mechanisms are declared at distance 1. */
  readonly distance: Decimal;
  /** The meaning of a distance of 1, in the owner's words; carried into statements and compared between nested ledgers. */
  readonly neighbours: string | null;
  /** Mechanisms are launched only with the hash of what their guarantee was verified by. */
  readonly evidence?: 'required' | undefined;
  /** Of ledgers of earlier versions, which are not checked any more: mechanisms are launched only in this time, or with so many approvals. */
  readonly window?: Window | undefined;
  readonly approvals?: ApprovalTerms | undefined;
  /** What is refused is recorded too. */
  readonly refusals?: 'recorded' | undefined;
}

/** From one moment to before another; null where it has no beginning, or no end. */
export interface Window {
  readonly opens: StoreTime | null;
  readonly closes: StoreTime | null;
}

/** How many of whom must have approved a launch, each by name and public key. */
export interface ApprovalTerms {
  readonly required: number;
  readonly approvers: readonly { readonly name: string; readonly key: string }[];
}

/** Terms of earlier versions that nothing checks any more: where a ledger has one, nothing is launched. */
const UNCHECKED_TERMS = ['approvals', 'window'] as const;
export type UncheckedTerm = (typeof UNCHECKED_TERMS)[number];

/** The first of the terms that asks for what is not checked any more; null where none does. */
export const uncheckedIn = (terms: Terms): UncheckedTerm | null =>
  UNCHECKED_TERMS.find((name) => terms[name] !== undefined) ?? null;

export type FilterTerms = Common &
  RuleWithBudget & {
    readonly mode: 'filter';
    readonly onExcess: OnExcess;
    /** The filter never becomes an odometer, so that its budget can never be raised. */
    readonly conversions?: 'forbidden' | undefined;
  };

export interface OdometerTerms extends Common {
  readonly mode: 'odometer';
  readonly rule: Rule;
}

/** A bound that holds where all parameters are declared at the start and the mechanisms are still chosen adaptively. */
export type DeclaredBound = Exclude<BoundId, 'br-nonadaptive'>;
export const DECLARED_BOUNDS = BOUND_IDS.filter((id): id is DeclaredBound => id !== 'br-nonadaptive');

export interface CompositorTerms extends Common {
  readonly mode: 'compositor';
  readonly bound: DeclaredBound;
  /** The slots: every mechanism that may be launched. */
  readonly declared: readonly Entry[];
  readonly budget: { readonly epsilon: Decimal; readonly delta: Decimal };
  readonly onExcess: OnExcess;
}

/** Terms that are fixed when a ledger is opened; nothing of them may change afterwards. */
export type Terms = FilterTerms | OdometerTerms | CompositorTerms;

/** A bound asked for as the rule of a filter or an odometer, which none of those for declared parameters can be. */
export interface FixedParameterTerms {
  readonly mode: 'filter' | 'odometer';
  readonly bound: BoundId;
}

/** The rule that the kind of budget leaves no choice about; null where one has to be named. */
export function impliedRule(amounts: Readonly<Partial<Record<Amount, unknown>>>): RuleId | null {
  const has = (amount: Amount): boolean => amounts[amount] !== undefined;
  if (has('orders')) return 'rdp-curve';
  if (has('alpha')) return has('delta') ? 'approximate-rdp' : 'rdp';
  if (has('mu')) return 'gdp';
  if (has('rho')) return has('delta') ? 'approximate-zcdp' : 'zcdp';
  return has('epsilon') && !has('delta') ? 'pure' : null;
}
