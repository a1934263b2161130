import { closeSync, constants, openSync, readSync, statSync, type Stats } from 'node:fs';
import { access, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { quote } from '../../document/core/quote.ts';
import { recogniseSyntax } from '../../document/syntax/document-syntax.ts';
import { hasCode, OutputError, systemReason, type Destination, type Io } from './io.ts';
import { noteOutput } from './source.ts';
import { UsageError, conflict } from './usage-error.ts';

const BESIDE_A_LEDGER = 'kept beside a ledger';

/** Files that are never overwritten, by how they begin, or what they have at a place. */
const KEPT: readonly { readonly what: string; readonly at: number; readonly text: string }[] = [
  { what: 'a ledger', at: 0, text: '{"schema":"dpcompose.ledger/' },
  { what: BESIDE_A_LEDGER, at: 0, text: 'dpcompose.ledger-stamp/' },
  { what: BESIDE_A_LEDGER, at: 0, text: '{"schema":"dpcompose.ledger-checkpoint/' },
  { what: 'a file of anchors', at: 0, text: '{"schema":"dpcompose.ledger-anchor/' },
  { what: 'a run', at: 0, text: '{"schema":"dpcompose.lazy-run/' },
  { what: 'a key', at: 0, text: '-----BEGIN ' },
  // The number of the application in the header of a database of SQLite, those of others, and the journal beside one.
  { what: 'a store of ledgers', at: 68, text: 'dpcl' },
  { what: 'a database', at: 0, text: 'SQLite format 3\0' },
  { what: 'the journal of a database', at: 0, text: '\xd9\xd5\x05\xf9\x20\xa1\x63\xd7' },
];

/** The names of files that are kept beside a ledger, whatever is in them. */
const BESIDE = /^\..*\.(?:stamp|checkpoint)(?:\.new)?$|\.aside(?:\.new|-[0-9a-f]{12})?$/;

/** So much of a file is looked at, in bytes. */
const HEAD = 2 ** 20;

const RESULT = /^(?:\s*\{\s*"schema"\s*:\s*"dpcompose\.|record,at,event,)/;
const VERSION = /(?:^|[{,])\s*["']?dpcompose["']?\s*:\s*["']?\d/m;
/** What other accountants write begins so: with one of their keys, or as a list of lists. */
const EVENTS = /^\s*(?:\{\s*"(?:history|events|class_name|spent_budget|compositions)"\s*:|\[\s*\[)/;

/** Whether a file is a document that commands read, right or wrong, or has one in it, and is no result of this program. */
function looksWritten(head: Buffer): boolean {
  const text = head.toString();
  return !RESULT.test(text) && (VERSION.test(text) || EVENTS.test(text) || recogniseSyntax(head) === 'csv');
}

/** What is never overwritten, of a file with this head; null for what may be. */
function keptIn(path: string, head: Buffer): string | null {
  if (head.length > 0 && BESIDE.test(basename(path))) return BESIDE_A_LEDGER;
  return KEPT.find(({ at, text }) => head.toString('latin1', at, at + text.length) === text)?.what ?? null;
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

/** Where a result goes: the option that says so, and whether it may replace a document that commands read. */
export interface WrittenFile {
  readonly flag: string;
  readonly force: boolean;
  /** What it is added to, and does not replace. */
  readonly adds?: 'a file of anchors';
}

/**
 * Throws where a file must not be written: the command reads it or writes it already; it is one that is kept, such as a ledger or a
 * file beside one; or, without `force`, it looks like a document that commands read, such as a specification.
 */
export function checkWritten(file: string, { flag, force, adds }: WrittenFile, io: Io): void {
  noteOutput(file, flag, io);
  let head;
  const path = resolve(io.cwd(), file);
  try {
    head = headOf(path);
  } catch {
    // It is found out elsewhere what cannot be read or written.
    return;
  }
  const content = keptIn(path, head);
  const fail = (message: string, hint: string): UsageError =>
    new UsageError([conflict(flag, `${quote(file)} ${message}`, hint)]);
  if (content !== null && content !== adds)
    throw fail(`is ${content}, which the result would overwrite`, 'Name another file.');
  if (!force && looksWritten(head)) {
    throw fail(
      'looks like a specification, a policy or a list of events, which the result would overwrite',
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
  const stats = await existing(path);
  if (stats?.isDirectory() === true) throw new Error('it is a directory');
  if (stats !== null && !stats.isFile()) {
    return (text) => fill(path, 'w', 0o666, text);
  }
  const target = stats === null ? path : await realpath(path);
  await access(dirname(target), constants.W_OK);
  if (stats !== null) await access(target, constants.W_OK);
  return (text) => replace(target, stats === null ? 0o666 : stats.mode & 0o777, text);
}

/**
 * The file of an option, ready to be written; throws where it must not be.
 *
 * A file that cannot be written is found out here, before the work; it is replaced as a whole or not at all.
 */
export async function openFile(file: string, target: WrittenFile, io: Io): Promise<Destination> {
  checkWritten(file, target, io);
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
