/*
 * Filters, odometers and compositors as pure functions: a state goes in, a decision comes out, and whoever acts on a
 * decision keeps its totals first. Nothing here reads a file or a clock.
 */
export {
  adaptiveCounterexample,
  type Branch,
  type Counterexample,
  type AdaptivePlan,
} from './rules/adaptive-counterexample.ts';
export {
  convertGuarantee,
  convertSpent,
  isOneNumber,
  convert,
  nest,
  type Nested,
  toFilter,
  toOdometer,
} from './conversions.ts';
export type {
  Caveat,
  ApproximateRdp,
  ApproximateZcdp,
  DeclaredTogether,
  Guarantee,
  LedgerGuarantee,
  Underlying,
  Added,
  CompiledRule,
  Launch,
} from './rules/rule.ts';
export { type Decision, type Refused, type LedgerState, type Provenance, totalsOf, type Totals } from './state.ts';
export type {
  Refusal,
  RefusalCode,
  HaltReason,
  GuaranteeType,
  InvalidQuery,
  InvalidTerms,
  NoTheorem,
  Unverified,
} from './rules/refusal.ts';
export {
  loss,
  lossAfter,
  lossAtDistance,
  type Loss,
  remaining,
  type OpenMechanism,
  type OpenParameter,
  type Remaining,
  type RemainingQuestion,
  type Found,
} from './loss.ts';
export { open, type Opened, resume, theoremOf } from './open.ts';
export { check, spend } from './decide.ts';
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
  type ApproximateDpRule,
  type ApproximateRdpRule,
  type ApproximateZcdpRule,
  type BasicRule,
  type Common,
  type GdpRule,
  type PureRule,
  type RdpCurveRule,
  type RdpRule,
  type RuleWithBudget,
  type ZcdpOptimalRule,
  type ZcdpRule,
} from './rules/terms.ts';
