import { hash } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { failed, type Failed } from '../records/fault.ts';
import type { Sealed } from '../records/line.ts';
import { Walker } from '../records/walk.ts';
import { readEnds, readFirstLine, type FileEnds } from './ends.ts';
import { homeOfFile, cutSince, isStamped, momentOf, sizeLeft, stamp, stampCut } from './stamp.ts';
import { lineBatches } from './lines.ts';

/** Up to this size a ledger is read as a whole each time, in a few milliseconds. */
export const SMALL = 512 * 1024;

const HEX = 64;
const SEAL = `,"hash":"${'0'.repeat(HEX)}"}`.length;

/** Whether the lines of a file up to `length` are one chain of records in the usual form, each with the hash of its content. */
function isChain(fd: number, header: Sealed, length: number): boolean {
  const ledger = `,"ledger":"${header.hash}","prev":"`;
  const tail = ledger.length + HEX + 1 + SEAL;
  let prev = header.hash;
  for (const batch of lineBatches(fd, { end: length })) {
    for (const { bytes, number, tooLong } of batch) {
      if (number === 1) continue;
      if (tooLong || bytes.length < tail) return false;
      const seq = `{"seq":${number - 1},`;
      if (bytes.toString('latin1', 0, seq.length) !== seq) return false;
      const actual = hash('sha256', bytes.subarray(0, bytes.length - SEAL));
      if (bytes.toString('latin1', bytes.length - tail) !== `${ledger}${prev}","hash":"${actual}"}`) return false;
      prev = actual;
    }
  }
  return true;
}

/**
 * The first thing that keeps the lines of a file up to `length`, each with its newline, from being one chain; not one in the header,
 * without which nothing is read.
 */
export function chainFault(fd: number, length: number): Failed | null {
  const header = readFirstLine(fd);
  if (header.kind === 'failed' || isChain(fd, header, length)) return null;
  const walker = new Walker();
  for (const batch of lineBatches(fd, { end: length })) {
    for (const line of batch) {
      for (const found of walker.take(line)) {
        if (found.kind === 'flaw') return failed(found.flaw);
        if (found.kind === 'other') return failed(found.fault);
      }
    }
  }
  const flaw = walker.end().find((found) => found.kind === 'flaw');
  return flaw === undefined ? null : failed(flaw.flaw);
}

/** A file that is open, by its name. */
interface Open {
  readonly path: string;
  readonly fd: number;
}

/** Whether the last record was written to this very file. */
export const isAtHome = ({ fields }: Sealed, { path, fd }: Open): boolean => fields.home === homeOfFile(path, fd);

/** Whether a ledger was moved away from this file. Only the record that it has arrived can follow, by which nothing is granted. */
export const hasLeft = ({ ended }: FileEnds, file: Open): boolean =>
  ended.fields.event === 'move' && isAtHome(ended, file);

/**
 * The fault of a file that is shorter than who last added to it left it, or has other records there, or was so when it was recovered;
 * null where it is not, or is so by a newline only, without which a record counts too, or was moved away. A write that was cut short
 * makes no file shorter than it was before. Of a chain that is broken it is said where that is, and not what it was before.
 */
export function cutFault(file: Open, ends: FileEnds | Failed): Failed | null {
  const before = cutSince(file.path, file.fd);
  if (before === null) return null;
  const { size } = fstatSync(file.fd);
  const isWhole =
    !before.isOther && ends.kind === 'ends' && ends.rest.kind === 'whole' && size + 1 === Number(before.size);
  if (isWhole || (ends.kind === 'ends' && hasLeft(ends, file))) return null;
  if (before.isOther && (ends.kind === 'failed' || chainFault(file.fd, ends.length) !== null)) return null;
  const isOther = before.isOther && { isOther: true };
  return failed({ code: 'cut-off', size, before: Number(before.size), unit: 'bytes', ...isOther });
}

/** The same of a file whose ends are not read yet. */
export const cutFaultIn = (file: Open): Failed | null => cutFault(file, readEnds(file.fd));

/**
 * Makes sure that a ledger file that is held is one chain up to `length`, where its last line ends. It is read for that, unless it is
 * as a command of this program left it that had done so (`isStamped`), or was found so before it was held (`known`).
 */
export function requireChain({ path, fd }: Open, length: number, known: string | null): Failed | null {
  const moment = momentOf(fd);
  return length > SMALL && (moment === known || isStamped(path, moment)) ? null : chainFault(fd, length);
}

/**
 * Notes that a held file was added to by who had found it to be one chain. That records are gone from its end stays noted, unless it
 * is said to go on without them (`goesOn`).
 */
export function stampAfter({ path, fd }: Open, goesOn = false): void {
  const left = goesOn ? null : cutSince(path, fd);
  if (left === null) stamp(path, fd);
  else stampCut(path, fd, left.size);
}

/** Notes that records are gone from the end of a held file where it was left with more than these bytes, or with other records. */
export function noteCut({ path, fd }: Open, length: number): void {
  const size = sizeLeft(path, fd);
  if (size !== null && (size > length || cutSince(path, fd)?.isOther === true)) stampCut(path, fd, size);
}
