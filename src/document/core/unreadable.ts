import type { Problem } from './input-error.ts';

/** Where a text of lines could not be read, and why; `line` from 1, null where the mistake is in no line. */
export interface TextProblem {
  readonly problem: Problem;
  readonly line: number | null;
}

/** Ends the reading of a text of lines. */
export class Unreadable extends Error implements TextProblem {
  readonly problem: Problem;
  readonly line: number | null;

  constructor(line: number | null, message: string, hint: string, code: Problem['code'] = 'wrong-type') {
    super(message);
    this.problem = { code, message, hint };
    this.line = line;
  }
}

/** What is read, or why it could not be: `read` ends by throwing {@link Unreadable}. */
export function orUnreadable<T>(read: () => T): T | TextProblem {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { problem: error.problem, line: error.line };
  }
}
