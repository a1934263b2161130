import type { InputError } from '../spec/specification.ts';

/** What a person may need beside the errors. */
export interface About {
  /** The file the places in the errors refer to. */
  readonly source?: string | null;
  /** Shown after the errors. */
  readonly help?: string | null;
  /** How many further errors there are. */
  readonly more?: number;
}

/** The input is wrong: all its mistakes, and where they are. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly errors: readonly InputError[];
  readonly about: Required<About>;

  constructor(errors: readonly InputError[], about: About = {}) {
    super(errors.map((error) => error.message).join('; '));
    this.errors = errors;
    this.about = { source: about.source ?? null, help: about.help ?? null, more: about.more ?? 0 };
  }
}
