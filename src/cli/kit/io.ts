import type { Command } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };

/** The exit codes. A process stopped by Ctrl-C ends with 130, which the system sees to. */
export const EXIT = {
  done: 0,
  no: 1,
  usage: 2,
  refused: 3,
  conflict: 4,
  internal: 70,
  output: 74,
} as const;

/** Where text goes. `process.stdout` is one, and so is a fake in a test. */
export interface Output {
  /** The number of the file that it is open on. */
  readonly fd?: number;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string, done: (error?: Error | null) => void): unknown;
  on?(event: 'error', listener: () => void): unknown;
}

/** Where text comes from. */
export interface Input extends AsyncIterable<Uint8Array | string> {
  /** The number of the file that it is open on. */
  readonly fd?: number;
  readonly isTTY?: boolean | undefined;
  /** Says that nothing more will be read. */
  destroy?(): unknown;
}

/** All the command line knows of the process it runs in; `process` itself fits. */
export interface Io {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of what runs this program. */
  readonly version?: string;
  cwd(): string;
  /** The time of day, where it is another than that of the machine. */
  now?(): Date;
  /** The id of this process, and how to send it a signal and to listen for one. */
  readonly pid?: number;
  kill?(pid: number, signal: 'SIGINT'): unknown;
  once?(event: 'SIGINT', listener: () => void): unknown;
  removeListener?(event: 'SIGINT', listener: () => void): unknown;
}

/** Takes the whole result: at once, or in pieces, of which the next is asked for when one is written. */
export type Destination = (text: string | AsyncIterable<string>) => Promise<void>;

/** The result could not be delivered. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/** The width of a terminal; undefined where there is none, or where it does not know. */
export const columnsOf = ({ columns }: Output): number | undefined =>
  columns === undefined || columns < 1 ? undefined : columns;

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Whether `error` is a system error of this code, such as `ENOENT`. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.some((code) => code === codeOf(error));

/** The message of a system error, without its code and the name of the call: `no space left on device`. */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return /^[A-Z0-9_]+: (.*?),/.exec(error.message)?.[1] ?? error.message;
}

const guarded = new WeakSet<Output>();

/** A stream also announces a failed write to all the world, and dies if nobody listens. */
function guard(output: Output): void {
  if (guarded.has(output)) return;
  guarded.add(output);
  output.on?.('error', () => undefined);
}

const writeTo = (output: Output, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    guard(output);
    output.write(text, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });

/**
 * Writes to standard output, and returns when it is written; a reader who has gone away is no error.
 *
 * @returns whether there still is a reader
 */
export async function writeStdout(io: Io, text: string): Promise<boolean> {
  try {
    await writeTo(io.stdout, text);
    return true;
  } catch (error) {
    if (hasCode(error, 'EPIPE', 'ERR_STREAM_DESTROYED')) return false;
    throw new OutputError(`standard output cannot be written: ${systemReason(error)}`, { cause: error });
  }
}

/** Writes to standard error at once, and does not wait; for a terminal, which takes it before this returns. */
export function drawStderr(io: Io, text: string): void {
  guard(io.stderr);
  io.stderr.write(text, () => undefined);
}

/** Writes to standard error; a failure of that is ignored, as there is no place to report it. */
export async function writeStderr(io: Io, text: string): Promise<void> {
  await writeTo(io.stderr, text).catch(() => undefined);
}

/** The version of this program. */
export const VERSION: string = manifest.version;

/** Where the program finds what belongs to it. */
export interface Installation {
  /** The file that threads of `batch` run. */
  readonly batchWorker?: string;
  /** The page for browsers. */
  readonly page?: string;
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
