import type { Mechanism } from '../../privacy/mechanism.ts';
import type { Work } from './literature.ts';

/** The statement of a theorem, for a person who wants to know on what a number rests. */
export interface Exposition {
  /** In one or two sentences. */
  readonly statement: string;
  /** In plain text, line by line; e, d: epsilon and delta of the whole, e_i, d_i: of the mechanisms. */
  readonly formula: readonly string[];
  /** Where the program departs from what is printed, and why; empty where it does not. */
  readonly departures: readonly string[];
  /** Keys of works in the literature. */
  readonly works: readonly Work[];
}

/** The compositions for which a bound holds. */
export interface Coverage {
  /** Mechanisms of these types, alone or together. */
  readonly types: readonly Mechanism['type'][];
  /** Types that may stand beside them, and mean nothing to the bound alone. */
  readonly beside?: readonly Mechanism['type'][];
  /** Whether some of `types` must stand with some of `beside`. */
  readonly together?: true;
  /** Those of the types that must be noninteractive; others may be interactive and continual. */
  readonly noninteractive: readonly Mechanism['type'][];
  readonly adaptivity: 'any' | 'adaptive' | 'nonadaptive';
  /** Further conditions. */
  readonly conditions: readonly string[];
}

/** The statement of a bound, and the compositions for which it holds. */
export interface BoundExposition extends Exposition {
  /** Its slack, in words that follow "it gives away:". */
  readonly slack: string;
  readonly coverage: Coverage;
}
