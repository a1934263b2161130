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
export type {
  Argument,
  Block,
  Change,
  DeclaredDifference,
  Design,
  DesignInput,
  Noise,
  Place,
  Statement,
  Submechanism,
  Times,
} from './composition/design/design.ts';
export type { DesignCheck, Verdict } from './composition/design/check-design.ts';
export {
  gap,
  type Gap,
  type GapAnswer,
  type GapOptions,
  type GapQuestion,
  type GapRow,
  type LargestGap,
  type Optimum,
} from './composition/gap.ts';
export {
  curve,
  type Along,
  type CurveAnswer,
  type CurveLine,
  type CurveOptions,
  type CurveOutcome,
  type CurvePoint,
  type CurveQuestion,
} from './composition/curve.ts';
export type {
  Answer,
  BoundRow,
  DecimalValue,
  Outcome,
  PlanRefusal,
  PlanTotals,
  Refusal,
  Warning,
} from './composition/outcome.ts';
export { createSession, type Session } from './bounds/session.ts';
export { BOUND_IDS, type BoundId, type Inapplicability, type MechanismType, type RowId } from './bounds/bound.ts';
export type { Bracket, Enclosure, LowerBound, UpperBound } from './numeric/enclosure.ts';
export type {
  ApproximateDp,
  BoundedRange,
  Entry,
  DiscreteGaussian,
  DiscreteLaplace,
  FinitePairMechanism,
  Gaussian,
  Gdp,
  Laplace,
  Mechanism,
  MechanismKind,
  Rdp,
  SigmaForm,
  Zcdp,
} from './privacy/mechanism.ts';
export type { Adaptivity, Order, Query } from './privacy/query.ts';
export { normalForm, type NormalForm } from './spec/normal-form.ts';
export type { InputError, Specification } from './spec/specification.ts';
export type { Chain, Link, Taint } from './composition/design/taint.ts';
export type { Condition as DesignCondition, Located } from './composition/design/statements.ts';
export type { Difference, Reason, Source, Unending } from './composition/design/difference.ts';
export { PROPERTIES, type Property, type TaintedVariable, type Violation } from './composition/design/violation.ts';
export type { Place as PlanPlace, Uncovered } from './composition/plan/uncovered.ts';
/** Filters, odometers and compositors for parameters that are chosen along the way, as pure functions. */
export * as ledger from './ledger/ledger.ts';
export type { Unavailable } from './bounds/precise/curve.ts';
export type { Floor } from './composition/counterexamples/floor.ts';
export type { NoValue } from './composition/curve.ts';
export { BLOCKS } from './composition/design/design.ts';
export type { Exposure } from './composition/design/neighbouring-mapping.ts';
export type { Cost } from './composition/plan/cost.ts';
export type { Conduct } from './composition/plan/rules.ts';
export { secondOpinion } from './composition/second-opinion.ts';
export { Decimal } from './numeric/decimal.ts';
export type { PureGroup } from './privacy/pure-group.ts';
export type { SpecFlags } from './spec/command-line.ts';
export type { DocumentSyntax, TextReading } from './spec/document-syntax.ts';
export type { Mistake, Path, Problem as InputProblem } from './spec/input-error.ts';
export type { JsonValue } from './spec/json-read.ts';
export type { NormalValue } from './spec/normal-value.ts';
export type { NumberText } from './spec/number-text.ts';
export { readSpecification } from './spec/read-specification.ts';
export type { SpecResult } from './spec/specification-from-flags.ts';
