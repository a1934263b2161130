export { compose, type ComposeOptions, type Problem } from './composition/compose.ts';
export { gap, type Gap, type GapAnswer, type GapOptions, type GapQuestion, type GapRow } from './composition/gap.ts';
export { secondOpinion } from './composition/second-opinion.ts';
export type { Answer, BoundRow, DecimalValue, Outcome, Refusal, Warning } from './composition/outcome.ts';
export { BOUND_IDS, type BoundId, type Inapplicability } from './bounds/bound.ts';
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
export { readSpecification, type SpecResult } from './spec/read-specification.ts';
export { normalForm, type NormalForm } from './spec/normal-form.ts';
export type { InputError, Specification } from './spec/specification.ts';
