import type { InputError } from '../../document/core/specification.ts';
import type { ErrorDocumentCode } from '../../output/codes.ts';
import { EXIT } from './io.ts';

/** Details beside the errors: their source, further output, and the exit code. */
export interface About {
  /** The file to which the places in the errors refer; `-` for standard input. */
  readonly source?: string | null;
  /** Shown after the errors. */
  readonly help?: string | null;
  /** How many further errors there are. */
  readonly more?: number;
  /** The exit code; that of a wrong input, if it is left out. */
  readonly exit?: number;
}

/** A mistake of the input, or what is wrong with a ledger. */
export type UsageMistake = InputError<ErrorDocumentCode>;

/** Options, or what is given with them, that exclude each other. */
export const conflict = (path: string, message: string, hint: string): InputError => ({
  code: 'conflicting-options',
  path,
  message,
  hint,
});

/** A required option is missing. */
export const lacking = (path: string, message: string, hint: string): InputError => ({
  code: 'missing-option',
  path,
  message,
  hint,
});

/** --delta and --epsilon stand both; `other`: what becomes of the one that is not given. */
export const twoTargets = (other: string, hint = 'Keep one of them.'): InputError => ({
  code: 'two-targets',
  path: '--epsilon',
  message: `--delta and --epsilon exclude each other: one is given, the other is ${other}`,
  hint,
});

/** The input is wrong: all its mistakes, and where they are. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly errors: readonly UsageMistake[];
  readonly about: Required<About>;

  constructor(errors: readonly UsageMistake[], about: About = {}) {
    super(errors.map((error) => error.message).join('; '));
    this.errors = errors;
    const { source = null, help = null, more = 0, exit = EXIT.usage } = about;
    this.about = { source, help, more, exit };
  }
}
