import type { Statement } from './design.ts';
import type { Located } from './statements.ts';

/** One of the ways in which a variable gets its value. */
export interface Definition {
  readonly variable: string;
  readonly how: 'computed' | 'added' | 'answered';
  /** Its arguments; of an answer, none: that a sub-mechanism is private is what cuts the flow. */
  readonly from: readonly string[];
  readonly at: Located;
}

/** The variable that a statement gives a value, and how; null where it gives none. */
export function assignedBy(statement: Statement): Omit<Definition, 'at'> | null {
  switch (statement.does) {
    case 'set':
      return { variable: statement.variable, how: 'computed', from: statement.from };
    case 'add':
      return { variable: statement.variable, how: 'added', from: statement.terms };
    case 'send':
      return statement.answer === null ? null : { variable: statement.answer, how: 'answered', from: [] };
    case 'create':
    case 'if':
    case 'output':
      return null;
  }
}

/** Every place where a variable gets a value. */
export const definitionsIn = (statements: readonly Located[]): Definition[] =>
  statements.flatMap((at) => {
    const assigned = assignedBy(at.statement);
    return assigned === null ? [] : [{ ...assigned, at }];
  });
