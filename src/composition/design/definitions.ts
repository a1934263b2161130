import type { Located } from './statements.ts';

/** One of the ways in which a variable gets its value. */
export interface Definition {
  readonly variable: string;
  readonly how: 'computed' | 'added' | 'answered';
  /** What it is computed from; of an answer, nothing: that a sub-mechanism is private is what cuts the flow. */
  readonly from: readonly string[];
  readonly at: Located;
}

function definitionIn(at: Located): Definition[] {
  const { statement } = at;
  switch (statement.does) {
    case 'set':
      return [{ variable: statement.variable, how: 'computed', from: statement.from, at }];
    case 'add':
      return [{ variable: statement.variable, how: 'added', from: statement.terms, at }];
    case 'send':
      return statement.answer === null ? [] : [{ variable: statement.answer, how: 'answered', from: [], at }];
    case 'create':
    case 'if':
    case 'output':
      return [];
  }
}

/** Every place where a variable gets a value. */
export const definitionsIn = (statements: readonly Located[]): Definition[] => statements.flatMap(definitionIn);
