import type { Command } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import type { Io } from './io.ts';

/** The version of this program. */
export const VERSION: string = manifest.version;

/** Where the program finds what belongs to it. */
export interface Installation {
  /** The file that threads of `batch` run. */
  readonly batchWorker?: string;
  /** The file of its documentation, which help names. */
  readonly readme?: string;
}

/** The environment in which a command runs. */
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
