import { closeSync, constants, openSync, readSync, statSync, type Stats } from 'node:fs';
import { access, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { quote } from '../../document/core/quote.ts';
import { recogniseSyntax } from '../../document/syntax/document-syntax.ts';
import { hasCode, OutputError, systemReason, type Destination, type Io } from './io.ts';
import { noteOutput } from './run-files.ts';
import { UsageError } from './usage-error.ts';

/** Files of this program by how they begin, or have at a place, that are never overwritten. */
const KEPT: readonly { readonly what: string; readonly at: number; readonly text: string }[] = [
  { what: 'a ledger', at: 0, text: '{"schema":"dpcompose.ledger/' },
  { what: 'a run', at: 0, text: '{"schema":"dpcompose.lazy-run/' },
  // The number of the application in the header of a database of SQLite.
  { what: 'a store of ledgers', at: 68, text: 'dpcl' },
];

/** So much of a file is looked at, in bytes. */
const HEAD = 2 ** 20;

const RESULT = /^(?:\s*\{\s*"schema"\s*:\s*"dpcompose\.|record,at,event,)/;
const VERSION = /(?:^|[{,])\s*["']?dpcompose["']?\s*:\s*["']?\d/m;

/** Whether a file is a specification or a policy, right or wrong, or has one in it, and is no result of this program. */
function looksWritten(head: Buffer): boolean {
  const text = head.toString();
  return !RESULT.test(text) && (VERSION.test(text) || recogniseSyntax(head) === 'csv');
}

function headOf(path: string): Buffer {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return Buffer.alloc(0);
  const fd = openSync(path, 'r');
  try {
    const head = Buffer.alloc(HEAD);
    return head.subarray(0, readSync(fd, head, 0, HEAD, 0));
  } finally {
    closeSync(fd);
  }
}

/** Where a result goes: the option that says so, and whether it may replace a specification or policy. */
export interface WrittenFile {
  readonly flag: string;
  readonly force: boolean;
}

/**
 * Throws where a file must not be written: the command reads it or writes it already; it is a ledger, a run or a store; or, without
 * `force`, it looks like a specification or policy.
 */
export function checkWritten(file: string, { flag, force }: WrittenFile, io: Io): void {
  noteOutput(file, flag, io);
  let head;
  try {
    head = headOf(resolve(io.cwd(), file));
  } catch {
    // It is found out elsewhere what cannot be read or written.
    return;
  }
  const kept = KEPT.find(({ at, text }) => head.toString('latin1', at, at + text.length) === text);
  const fail = (message: string, hint: string): UsageError =>
    new UsageError([{ code: 'conflicting-options', path: flag, message: `${quote(file)} ${message}`, hint }]);
  if (kept !== undefined) throw fail(`is ${kept.what}, which the result would overwrite`, 'Name another file.');
  if (!force && looksWritten(head)) {
    throw fail(
      'looks like a specification or policy, which the result would overwrite',
      'Name another file, or add --force.',
    );
  }
}

const failure = (file: string, error: unknown): OutputError =>
  new OutputError(`${file} cannot be written: ${systemReason(error)}`, { cause: error });

async function existing(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function fill(path: string, flags: string, mode: number, text: string | AsyncIterable<string>): Promise<void> {
  const handle = await open(path, flags, mode);
  try {
    // From where the last one has ended.
    for await (const part of typeof text === 'string' ? [text] : text) await handle.writeFile(part);
  } finally {
    await handle.close();
  }
}

/** Writes a file beside `path` and moves it there, so that nobody sees half of it. */
async function replace(path: string, mode: number, text: string | AsyncIterable<string>): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${Math.random().toString(36).slice(2)}.tmp`);
  try {
    await fill(draft, 'wx', mode, text);
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
}

async function prepare(path: string): Promise<Destination> {
  const found = await existing(path);
  if (found?.isDirectory() === true) throw new Error('it is a directory');
  if (found !== null && !found.isFile()) {
    return (text) => fill(path, 'w', 0o666, text);
  }
  const target = found === null ? path : await realpath(path);
  await access(dirname(target), constants.W_OK);
  if (found !== null) await access(target, constants.W_OK);
  return (text) => replace(target, found === null ? 0o666 : found.mode & 0o777, text);
}

/**
 * The file of an option, ready to be written; throws where it must not be.
 *
 * A file that cannot be written is found out here, before the work; it is replaced as a whole or not at all.
 */
export async function openFile(file: string, written: WrittenFile, io: Io): Promise<Destination> {
  checkWritten(file, written, io);
  try {
    const put = await prepare(resolve(io.cwd(), file));
    return async (text) => {
      try {
        await put(text);
      } catch (error) {
        // A pipe whose reader has gone away, as with standard output.
        if (!hasCode(error, 'EPIPE')) throw failure(file, error);
      }
    };
  } catch (error) {
    throw failure(file, error);
  }
}
