import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Names that a file has for a moment while it is made: with a record of another ledger, or of lines from another place. */
const UNBORN = '.unborn';
const INCOMING = '.incoming';

/** The hidden name of the file of a ledger before the record of this hash counts, with which it comes into being. */
export const hiddenPathOf = (path: string, hash: string): string =>
  join(dirname(path), `.${basename(path)}.${hash.slice(0, 16)}${UNBORN}`);

/** The hidden name of a file into which the lines of a ledger are copied. */
export const incomingPathOf = (path: string): string =>
  join(dirname(path), `.${basename(path)}.${randomUUID()}${INCOMING}`);

/** All hidden names beside a file, which may have another name by now, as writers that were killed have left them. */
export const hiddenNames = (path: string): readonly string[] =>
  readdirSync(dirname(path))
    .filter((name) => name.startsWith('.') && (name.endsWith(UNBORN) || name.endsWith(INCOMING)))
    .map((name) => join(dirname(path), name));
