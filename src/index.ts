export {
  compose,
  composeAsync,
  type ComposeAsyncOptions,
  pricePlan,
  composeDesign,
  secondOpinion,
} from './library/compose.ts';
export type { ComposeOptions, Problem, Budget, Verdict as BudgetVerdict } from './composition/compose/compose.ts';
export type { NodePrice, PricedNode, PricedPlan, Room } from './composition/plan/price-plan.ts';
export type { Plan, ResolvedNode } from './composition/plan/resolved-node.ts';
export type {
  Counted,
  Group,
  Instances,
  Local,
  LocalUsers,
  Parallel,
  Partition,
  PlanNode,
  Structure,
  PlacedNode,
} from './composition/core/plan-node.ts';
export { USUAL_SETTING, type Setting, type Standing } from './composition/core/setting.ts';
export type { Condition, ConditionId, ConditionState, Theorem, TheoremId } from './composition/theorems/theorem.ts';
export { remainingDelta, roomFor } from './library/delta-cap.ts';
export type { DesignOutcome, DesignProblem, DesignCheck, Verdict } from './composition/design/check-design.ts';
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
export { tradeOffPair, risk } from './library/risk.ts';
export { audit } from './library/audit.ts';
export type {
  Audit,
  AuditedClaim,
  AuditLevel,
  AuditOutcome,
  AuditQuestion,
  Observed,
} from './composition/audit/audit.ts';
export { AUDIT_METHODS, type AuditMethod } from './composition/audit/methods.ts';
export type { Guesses as AuditGuesses } from './composition/audit/one-run.ts';
export type { AuditedThreshold, Cut as AuditCut, Scores as AuditScores } from './composition/audit/thresholds.ts';
export { gap, curve } from './library/curve.ts';
export type { Gap, GapAnswer, GapOptions, GapQuestion, GapRow, LargestGap, Optimum } from './composition/gap/gap.ts';
export type {
  Along,
  CurveAnswer,
  CurveLine,
  CurveOptions,
  CurveOutcome,
  CurvePoint,
  CurveQuestion,
} from './composition/curve/curve.ts';
export type {
  Answer,
  BoundRow,
  DecimalValue,
  InexpressibleEvent,
  Outcome,
  PlanRefusal,
  PlanTotals,
  Refusal,
  Warning,
  SamplingRefusal,
  Place as PlanPlace,
  Uncovered,
  ImpossibilityBound,
  AdaptiveChoice as AlongTheWay,
} from './composition/core/outcome.ts';
export type { SchemeVerdict } from './composition/core/sampler-verdict.ts';
export { createSession, type Session } from './bounds/core/session.ts';
export type { Exposition } from './bounds/core/exposition.ts';
export { BOUND_IDS, type BoundId, type Inapplicability, type MechanismType, type RowId } from './bounds/core/bound.ts';
export type { Bracket, Enclosure, LowerBound, UpperBound } from './numeric/enclosure.ts';
export type {
  ApproximateDp,
  BoundedRange,
  Entry,
  DiscreteGaussian,
  DiscreteLaplace,
  FinitePairMechanism,
  Fraction,
  Gaussian,
  Gdp,
  Laplace,
  Mechanism,
  MechanismKind,
  Neighbours,
  RandomizedResponse,
  Rdp,
  RunLaw,
  RunMechanism,
  Sampled,
  SampledBase,
  SamplingScheme,
  Selection,
  ShuffledReports,
  SigmaForm,
  TradeOffForm,
  TradeOffPoint,
  VarianceForm,
  Zcdp,
} from './privacy/mechanism.ts';
export type { Directions } from './privacy/curve.ts';
export type { Adaptivity, Order, Query } from './privacy/curve.ts';
export { elementaryFunctions, explain, explainAnswer } from './library/explain.ts';
export type { Check, CheckGroup } from './composition/self-test/elementary.ts';
export {
  normalForm,
  readSpecification,
  readSpecificationAsync,
  type ReadOptions,
} from './library/read-specification.ts';
export type { NormalForm } from './document/structure/normal-form.ts';
export type { InputError, Specification } from './document/core/specification.ts';
export type { Chain, Link, Taint, Condition as DesignCondition, Located } from './composition/design/data-flow.ts';
export type { Difference, Reason, Source, Unending } from './composition/design/difference.ts';
export { PROPERTIES, type Property, type TaintedVariable, type Violation } from './composition/design/violation.ts';
/** Filters, odometers and compositors for parameters that are chosen adaptively, as pure functions. */
export * as ledger from './ledger/ledger.ts';
export type { Unavailable } from './bounds/precise/curve.ts';
export type { NoValue } from './composition/curve/curve.ts';
export { BLOCKS } from './composition/design/design.ts';
export type { Exposure } from './composition/design/neighbouring-mapping.ts';
export type { Cost } from './composition/plan/cost.ts';
export type { Conduct } from './composition/plan/rules.ts';
export { Decimal } from './numeric/decimal.ts';
export type { PureGroup } from './privacy/pure.ts';
export type { SpecFlags } from './document/flags/command-line.ts';
export { SYNTAX_NAMES, type SyntaxName } from './document/syntax/document-syntax.ts';
export {
  INPUT_ERROR_CODES,
  OPTION_ERROR_CODES,
  type ErrorCode,
  type InputErrorCode,
  type OptionErrorCode,
} from './document/core/error-codes.ts';
export type { Mistake, Path, Problem as InputProblem } from './document/core/input-error.ts';
export type { JsonValue } from './document/syntax/json-read.ts';
export type { NormalValue } from './document/core/exact-value.ts';
export type { NumberText } from './document/core/number-text.ts';
export type { SpecResult } from './document/flags/command-line.ts';
export { solve, solveTotal } from './library/solve.ts';
export type {
  Cut,
  Ended,
  Never,
  Solution,
  SolvedName,
  SolveOptions,
  SolveOutcome,
  SolveQuestion,
  Unknown as SolveUnknown,
} from './composition/solve/solve.ts';
export {
  check,
  type CheckOptions,
  diff,
  type DiffOutcome,
  statement,
  type StatementOptions,
  type StatementOutcome,
} from './library/check.ts';
export type { Allowance, Change as SufficientChange, ChangeOptions } from './composition/check/changes.ts';
export type {
  MatchedNodes,
  PlacedNode as ListedNode,
  Change as SpecificationChange,
  Comparison,
  PricedChange,
  Total,
} from './composition/diff/compare.ts';
export type { Checked, CheckRefusal, LimitStatus, SpecifiedChange, Spent } from './composition/check/check.ts';
export type { Limits, RiskLimit, RiskVerdict } from './composition/risk/limits.ts';
export type { Stated, StateOutcome, StatedRisk } from './composition/statement/state.ts';
export type { GroupClaim } from './composition/group-privacy/group-privacy.ts';
export type { Section } from './output/statement.ts';
export type { LeakedBits } from './composition/risk/leakage.ts';
export type {
  FittedGaussian,
  Guess,
  Reconstruction,
  Risk,
  RiskOptions,
  RiskOutcome,
  RiskQuestion,
  TestRates,
} from './composition/risk/risk.ts';
export type { Divergence } from './composition/risk/divergence.ts';
export type { Named } from './output/theorems.ts';
export type { CodeFacts, CodeKind } from './output/codes.ts';
export type { Explanation } from './output/kit/message.ts';
export type { TheoremFacts } from './output/theorems.ts';
export type { AnswerExplanation, Claimed, Fate, GivenAnswer, GivenRow } from './composition/compose/explain-answer.ts';
export type { DescribedProblem } from './library/read-problem.ts';
export type { Next, SearchOptions } from './composition/solve/largest.ts';
export type { ParameterOptions } from './composition/solve/largest-parameter.ts';
export type { ParameterName } from './privacy/mechanisms/record.ts';
export { STRUCTURE_NUMBERS, type StructureNumber } from './composition/solve/largest-count.ts';
export type { OutputDocument, OutputName } from './output/schema/schemas.ts';
