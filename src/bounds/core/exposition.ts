import type { Mechanism } from '../../privacy/mechanism.ts';
import type { Work } from './literature.ts';

/** What a theorem says, for a person who wants to know on what a number rests. */
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

/** What a bound holds for. */
export interface Coverage {
  /** Mechanisms of these types, alone or together. */
  readonly types: readonly Mechanism['type'][];
  /** What may stand beside them, and means nothing to the bound alone. */
  readonly beside?: readonly Mechanism['type'][];
  /** Whether some of `types` must stand with some of `beside`. */
  readonly together?: true;
  /** Those of the types that must be noninteractive; others may be interactive and continual. */
  readonly noninteractive: readonly Mechanism['type'][];
  readonly adaptivity: 'any' | 'adaptive' | 'nonadaptive';
  /** What else it needs. */
  readonly conditions: readonly string[];
}

/** What a bound says and what it holds for. */
export interface BoundExposition extends Exposition {
  /** What it gives away, in words that follow "it gives away:". */
  readonly slack: string;
  readonly coverage: Coverage;
}
