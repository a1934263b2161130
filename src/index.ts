export { compose, type ComposeOptions, type Problem } from './composition/compose.ts';
export {
  pricePlan,
  type NodePrice,
  type PricedNode,
  type PricedPlan,
  type Room,
} from './composition/plan/price-plan.ts';
export type { Plan, ResolvedNode } from './composition/plan/resolved-node.ts';
export type {
  Group,
  Instances,
  Local,
  LocalUsers,
  Parallel,
  Partition,
  PlanNode,
  Structure,
} from './composition/plan-node.ts';
export { USUAL_SETTING, type Setting, type Standing } from './composition/setting.ts';
export type { Condition, ConditionId, ConditionState } from './composition/theorems/condition.ts';
export type { Theorem, TheoremId } from './composition/theorems/theorem.ts';
export { remainingDelta, roomFor } from './composition/theorems/parallel-delta-cap.ts';
export { composeDesign, type DesignOutcome, type DesignProblem } from './composition/design/compose-design.ts';
export type { Design } from './composition/design/design.ts';
export { gap, type Gap, type GapAnswer, type GapOptions, type GapQuestion, type GapRow } from './composition/gap.ts';
export { secondOpinion } from './composition/second-opinion.ts';
export type { Answer, BoundRow, DecimalValue, Outcome, PlanTotals, Refusal, Warning } from './composition/outcome.ts';
export { BOUND_IDS, type BoundId, type Inapplicability, type RowId } from './bounds/bound.ts';
export { Decimal } from './numeric/decimal.ts';
export type { Bracket, Enclosure, LowerBound, UpperBound } from './numeric/enclosure.ts';
export type {
  ApproximateDp,
  BoundedRange,
  Entry,
  Gaussian,
  Gdp,
  Laplace,
  Mechanism,
  MechanismKind,
  Rdp,
  Zcdp,
} from './privacy/mechanism.ts';
export type { Adaptivity, Order, Query } from './privacy/query.ts';
export { readSpecification } from './spec/read-specification.ts';
export type { SpecResult } from './spec/specification-from-flags.ts';
export { normalForm, type NormalForm } from './spec/normal-form.ts';
export type { InputError, Specification } from './spec/specification.ts';
/** Filters, odometers and compositors for parameters that are chosen along the way, as pure functions. */
export * as ledger from './ledger/ledger.ts';
