import type { Command } from 'commander';
import type { Io } from './io.ts';

/** Where the program finds what belongs to it. */
export interface Installation {
  /** The file that threads of `batch` run. */
  readonly batchWorker?: string;
  /** What it is documented in. */
  readonly readme?: string;
}

/** What a command is given. */
export interface Context {
  readonly io: Io;
  readonly version: string;
  /** The time of day: for records that people read, never for a decision. */
  readonly now: () => Date;
  readonly installation: Installation;
  /** The program with all commands in full. */
  readonly program: () => Promise<Command>;
  /** Sets the exit code. */
  readonly ends: (code: number) => void;
}
