import type { Design } from './design.ts';
import { statementsOf, type Located } from './statements.ts';
import { actsUnder, ownTaint, type Taint } from './taint.ts';
import type { TaintedVariable, Violation } from './violation.ts';

/** The tainted ones of some variables, each once. */
export const taintedOf = (variables: readonly string[], taint: Taint): TaintedVariable[] =>
  [...new Set(variables)].flatMap((variable) => {
    const chain = taint.get(variable);
    return chain === undefined ? [] : [{ variable, chain }];
  });

function violationAt(at: Located, taint: Taint): Violation | null {
  const { statement } = at;
  switch (statement.does) {
    case 'if': {
      const condition = { ...at, statement };
      const variables = taintedOf(statement.on, taint);
      if (variables.length === 0 || !actsUnder(condition)) return null;
      return { code: 'tainted-condition', at: condition, variables };
    }
    case 'create': {
      const variables = taintedOf(statement.from, taint);
      return variables.length === 0
        ? null
        : { code: 'tainted-creation', at, mechanism: statement.mechanism, variables };
    }
    case 'send': {
      const variables = taintedOf(statement.which, taint);
      return variables.length === 0 ? null : { code: 'tainted-choice', at, mechanism: statement.mechanism, variables };
    }
    case 'set':
    case 'add':
    case 'output':
      return null;
  }
}

/**
 * Where a design fails the destination property: whether it outputs, creates or sends, what it creates, and which
 * instance it sends to must be decided by untainted variables alone. What follows only from another such decision is
 * not reported again.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), section 6.3, property (1).
 */
export function destinationViolations(design: Design): Violation[] {
  const taint = ownTaint(design);
  return statementsOf(design).flatMap((at) => violationAt(at, taint) ?? []);
}
