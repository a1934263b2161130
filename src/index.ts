export { compose, composeAsync, type ComposeAsyncOptions } from './library/compose.ts';
export type { ComposeOptions, Problem } from './composition/compose.ts';
export { pricePlan } from './library/price-plan.ts';
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
} from './composition/plan-node.ts';
export { USUAL_SETTING, type Setting, type Standing } from './composition/setting.ts';
export type { Condition, ConditionId, ConditionState } from './composition/theorems/condition.ts';
export type { Theorem, TheoremId } from './composition/theorems/theorem.ts';
export { remainingDelta, roomFor } from './library/delta-cap.ts';
export { composeDesign } from './library/compose-design.ts';
export type { DesignOutcome, DesignProblem } from './composition/design/compose-design.ts';
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
export { gap } from './library/gap.ts';
export type { Gap, GapAnswer, GapOptions, GapQuestion, GapRow, LargestGap, Optimum } from './composition/gap.ts';
export { curve } from './library/curve.ts';
export type {
  Along,
  CurveAnswer,
  CurveLine,
  CurveOptions,
  CurveOutcome,
  CurvePoint,
  CurveQuestion,
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
  VarianceForm,
  Zcdp,
} from './privacy/mechanism.ts';
export type { Adaptivity, Order, Query } from './privacy/query.ts';
export { elementaryFunctions } from './library/elementary-functions.ts';
export type { Check, CheckGroup } from './composition/self-test/check.ts';
export { normalForm } from './library/normal-form.ts';
export type { NormalForm } from './spec/normal-form.ts';
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
export { secondOpinion } from './library/second-opinion.ts';
export { Decimal } from './numeric/decimal.ts';
export type { PureGroup } from './privacy/pure-group.ts';
export type { SpecFlags } from './spec/command-line.ts';
export { SYNTAX_NAMES, type SyntaxName } from './spec/document-syntax.ts';
export { OPTION_ERROR_CODES, type ErrorCode, type OptionErrorCode } from './spec/error-codes.ts';
export {
  INPUT_ERROR_CODES,
  type InputErrorCode,
  type Mistake,
  type Path,
  type Problem as InputProblem,
} from './spec/input-error.ts';
export type { JsonValue } from './spec/json-read.ts';
export type { NormalValue } from './spec/normal-value.ts';
export type { NumberText } from './spec/number-text.ts';
export { readSpecification, readSpecificationAsync, type ReadOptions } from './library/read-specification.ts';
export type { SpecResult } from './spec/specification-from-flags.ts';
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
} from './composition/vary/solve.ts';
export { check, type CheckOptions } from './library/check.ts';
export type { Allowance, Change as SufficientChange, ChangeOptions } from './composition/check/changes.ts';
export type { Budget, Verdict as BudgetVerdict } from './composition/budget.ts';
export type { MatchedNodes, PlacedNode as ListedNode } from './composition/diff/match-nodes.ts';
export type { Checked, CheckRefusal, SpecifiedChange } from './composition/check/check.ts';
export { diff, type DiffOutcome } from './library/diff.ts';
export type { Change as SpecificationChange, Comparison, PricedChange, Total } from './composition/diff/compare.ts';
export { statement, type StatementOptions, type StatementOutcome } from './library/statement.ts';
export type { Stated, StateOutcome } from './composition/state.ts';
export type { GroupClaim } from './composition/group-privacy/group-privacy.ts';
export type { Section } from './report/privacy-statement.ts';
export { explain, explainAnswer } from './library/explain.ts';
export type { Named } from './report/named.ts';
export type { CodeFacts, CodeKind, Explanation } from './report/codes/code.ts';
export type { TheoremFacts } from './report/theorem-facts.ts';
export type { AnswerExplanation, Fate, GivenAnswer, GivenRow } from './composition/explain-answer.ts';
export type { DescribedProblem } from './library/described.ts';
export type { Next, SearchOptions } from './composition/vary/largest.ts';
export type { ParameterOptions } from './composition/vary/largest-parameter.ts';
export type { PlacedNode } from './composition/vary/mechanisms.ts';
export type { ParameterName } from './composition/vary/parameter.ts';
export { STRUCTURE_NUMBERS, type StructureNumber } from './composition/vary/structure-number.ts';
export type { AlongTheWay } from './composition/plan/uncovered.ts';
