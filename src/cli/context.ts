import type { Io } from './io.ts';

/** What a command is given. */
export interface Context {
  readonly io: Io;
  readonly version: string;
  /** The time of day: for records that people read, never for a decision. */
  readonly now: () => Date;
  /** Sets the exit code. */
  readonly ends: (code: number) => void;
}
