import type { Design } from '../../composition/design/design.ts';
import type { PlanNode } from '../../composition/core/plan-node.ts';
import type { Setting } from '../../composition/core/setting.ts';
import type { ErrorCode } from './error-codes.ts';
import type { Adaptivity, Order, Query } from '../../privacy/curve.ts';

/** A validated specification in normal form: what a document or the `-m` flags mean, every default filled in. */
export interface Specification {
  readonly name: string | null;
  readonly adaptivity: Adaptivity;
  readonly order: Order;
  readonly target: Query | null;
  /** Which data are neighbouring, in the user's words. */
  readonly neighbours: string | null;
  readonly setting: Setting;
  readonly entries: readonly PlanNode[];
  /** The pseudocode of a mechanism that runs them, where it is described. */
  readonly design: Design | null;
}

/** One mistake in the input. */
export interface InputError<Code extends string = ErrorCode> {
  /** Stable, for programs: `unknown-key`, `out-of-range`, ... */
  readonly code: Code;
  /** JSON path (`mechanisms[3].epsilon`) or flag (`-m #2 epsilon`, `--delta`). */
  readonly path: string;
  /** A clause: what was got and what is allowed. */
  readonly message: string;
  /** How to fix it. */
  readonly hint: string;
  /** Place in the document, counted from 1, where there is a document. */
  readonly line?: number;
  readonly column?: number;
}
