import type { Entry } from '../privacy/mechanism.ts';
import type { Adaptivity, Order, Query } from '../privacy/query.ts';

/** A validated specification in normal form: what a document or the `-m` flags mean, every default filled in. */
export interface Specification {
  readonly name: string | null;
  readonly adaptivity: Adaptivity;
  readonly order: Order;
  readonly target: Query | null;
  readonly entries: readonly Entry[];
}

/** One mistake in the input. */
export interface InputError {
  /** Stable, for programs: `unknown-key`, `out-of-range`, ... */
  readonly code: string;
  /** JSON path (`mechanisms[3].epsilon`) or flag (`-m #2 epsilon`, `--delta`). */
  readonly path: string;
  /** What was got and what is allowed. */
  readonly message: string;
  /** How to mend it. */
  readonly hint: string;
  /** Place in the document, counted from 1, where there is a document. */
  readonly line?: number;
  readonly column?: number;
}
