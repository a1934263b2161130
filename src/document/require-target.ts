import type { Query } from '../privacy/query.ts';
import type { InputError, Specification } from './core/specification.ts';

/** The target of a specification, or the error that there is none. */
export function requireTarget({ target }: Specification): Query | InputError {
  return (
    target ?? {
      code: 'no-target',
      path: '--delta',
      message: 'nothing says what to solve for: a target delta or a target epsilon is needed',
      hint: 'Add --delta 1e-6 (or --epsilon 1), or "target": {"delta": "1e-6"} to the document.',
    }
  );
}
