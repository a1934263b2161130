import type { Risk } from '../../composition/risk/risk.ts';
import type { Specification } from '../../document/core/specification.ts';

/** The risks of a specification. */
export interface RiskReport {
  readonly risk: Risk;
  readonly specification: Specification;
}
