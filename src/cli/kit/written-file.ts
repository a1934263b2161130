import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { quote } from '../../document/core/quote.ts';
import { recogniseSyntax } from '../../document/syntax/document-syntax.ts';
import type { Io } from './io.ts';
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
