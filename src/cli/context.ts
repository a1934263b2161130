import type { Io } from './io.ts';

/** What a command is given. */
export interface Context {
  readonly io: Io;
  readonly version: string;
  /** Sets the exit code. */
  readonly ends: (code: number) => void;
}
