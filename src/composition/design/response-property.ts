import type { Design } from './design.ts';
import { taintedOf } from './destination-property.ts';
import { statementsOf, those } from './statements.ts';
import { fullTaint, ownTaint, type Taint } from './taint.ts';
import type { TaintedVariable, Violation } from './violation.ts';

/** Outputs of a design that depend on its input. */
export interface ResponseFindings {
  readonly violations: readonly Violation[];
  /** Outputs that depend on the input only through a decision that fails the destination property. */
  readonly pending: readonly TaintedVariable[];
}

/**
 * Where a design fails the response property: outputs must be determined by untainted variables alone.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), section 6.3, property (2).
 */
export function responseFindings(design: Design): ResponseFindings {
  const outputs = those(statementsOf(design), 'output');
  const violations = (taint: Taint): Extract<Violation, { code: 'tainted-output' }>[] =>
    outputs.flatMap((at) => {
      const variables = taintedOf(at.statement.values, taint);
      return variables.length === 0 ? [] : [{ code: 'tainted-output', at, variables }];
    });
  const own = violations(ownTaint(design));
  const known = new Set(own.flatMap(({ variables }) => variables.map(({ variable }) => variable)));
  const all = violations(fullTaint(design)).flatMap(({ variables }) => variables);
  return { violations: own, pending: all.filter(({ variable }) => !known.has(variable)) };
}
