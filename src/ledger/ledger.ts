/*
 * Filters, odometers and compositors as pure functions: a state goes in, a decision comes out, and whoever acts on a
 * decision keeps its totals first. Nothing here reads a file or a clock.
 */
export { adaptiveCounterexample, type Branch, type Counterexample } from './core/adaptive-counterexample.ts';
export { convertGuarantee, convertSpent, isOneNumber } from './convert-loss.ts';
export type { Caveat } from './core/caveat.ts';
export type { Decision, Refused } from './core/state.ts';
export type { Refusal, RefusalCode } from './core/refusal.ts';
export type {
  ApproximateRdp,
  ApproximateZcdp,
  DeclaredTogether,
  Guarantee,
  LedgerGuarantee,
  Underlying,
} from './core/guarantee.ts';
export { loss, lossAfter, lossAtDistance, type Loss } from './loss.ts';
export { nest, type Nested } from './conversions.ts';
export { open, type Opened } from './open.ts';
export {
  remaining,
  type OpenMechanism,
  type OpenParameter,
  type Remaining,
  type RemainingQuestion,
} from './remaining.ts';
export { check, spend } from './spend.ts';
export type { HaltReason } from './core/refusal.ts';
export type { LedgerState, Provenance } from './core/state.ts';
export {
  RULE_IDS,
  type Budgets,
  type CompositorTerms,
  type Concurrency,
  type DeclaredBound,
  type Deltas,
  type FilterTerms,
  type FixedParameterTerms,
  type Mode,
  type OdometerTerms,
  type OnExcess,
  type Rule,
  type RuleId,
  type Terms,
} from './core/terms.ts';
export { totalsOf } from './core/state.ts';
export { type Totals } from './core/state.ts';
export type { AdaptivePlan } from './core/adaptive-counterexample.ts';
export { convert } from './convert-loss.ts';
export type { GuaranteeType, InvalidQuery, InvalidTerms, NoTheorem, Unverified } from './core/refusal.ts';
export type { Found } from './remaining.ts';
export { resume } from './open.ts';
export type { Added, CompiledRule, Launch } from './core/rule.ts';
export type {
  ApproximateDpRule,
  ApproximateRdpRule,
  ApproximateZcdpRule,
  BasicRule,
  Common,
  GdpRule,
  PureRule,
  RdpCurveRule,
  RdpRule,
  RuleWithBudget,
  ZcdpOptimalRule,
  ZcdpRule,
} from './core/terms.ts';
export { theoremOf } from './open.ts';
export { toFilter } from './conversions.ts';
export { toOdometer } from './conversions.ts';
