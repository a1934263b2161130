import { hash } from 'node:crypto';
import {
  fstatSync,
  statSync,
  type BigIntStats,
  closeSync,
  constants,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LINE_FEED, readAt, readEnds, readFirstLine, type FileEnds, lineBatches } from './lines.ts';
import { failed, type Failed } from '../../fault.ts';
import type { Sealed } from '../../line.ts';
import { Walker } from '../../chain.ts';

/** What is kept beside a ledger file to be faster the next time: the ledger says all without it, and it can be deleted. */
type SidecarKind = 'stamp' | 'checkpoint';

const LONGEST = 64 * 1024 * 1024;

/** Nobody is waited for, as by who opens a pipe. Windows has no such flag. */
const READ = constants.O_RDONLY | ((constants as { readonly O_NONBLOCK?: number }).O_NONBLOCK ?? 0);

export const sidecarPath = (path: string, kind: SidecarKind): string =>
  join(dirname(path), `.${basename(path)}.${kind}`);

/** The content of a file beside a ledger; null where there is none that can be read. */
export function readSidecar(path: string, kind: SidecarKind): Buffer | null {
  try {
    const fd = openSync(sidecarPath(path, kind), READ);
    try {
      const stats = fstatSync(fd);
      return stats.isFile() && stats.size <= LONGEST ? readFileSync(fd) : null;
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

/** Puts a file beside a ledger, as a whole; where that is not possible there is none, and the next time is slower. */
export function writeSidecar(path: string, kind: SidecarKind, content: string): void {
  try {
    const target = sidecarPath(path, kind);
    const draft = `${target}.new`;
    const fill = (): void => {
      writeFileSync(draft, content, { flag: 'wx' });
    };
    try {
      fill();
    } catch {
      // Left by somebody who was stopped.
      unlinkSync(draft);
      fill();
    }
    renameSync(draft, target);
  } catch {
    // A folder that nobody may write to.
  }
}

const described = (file: number | string): BigIntStats =>
  typeof file === 'number' ? fstatSync(file, { bigint: true }) : statSync(file, { bigint: true });

/**
 * A file, open or by its path, as the system describes it: its identity, its size, and its last change. An edit changes that,
 * also in the middle, and also where the time of its content is set back. The number of the device is no part of it: it may be
 * another one after a restart, or on another machine.
 */
export function fileFingerprint(file: number | string): string {
  const { ino, birthtimeNs, size, mtimeNs, ctimeNs } = described(file);
  const facts = { file: ino, born: birthtimeNs, size, modified: mtimeNs, changed: ctimeNs };
  return Object.entries(facts)
    .map(([name, value]) => `${name} ${value}`)
    .join('\n');
}

/** Seconds after which an edit cannot have the same time as the one before it, however coarse the clock of a file system. */
const SETTLED = 3;

/** Whether an edit from now on would change the moment of a file, for sure. */
export const isSettled = (file: number | string): boolean =>
  Date.now() - Number(described(file).ctimeMs) > 1000 * SETTLED;

const textOf = (facts: string): string => `dpcompose.ledger-stamp/1\n${facts}\n${hash('sha256', facts)}\n`;

const factsOf = (text: string): ReadonlyMap<string, bigint> =>
  new Map([...text.matchAll(/^(\w+) (\d+)$/gm)].map(([, name, digits]) => [name!, BigInt(digits!)]));

/** The numbers that the stamp beside a file has, by their names; none if there is no sound stamp. */
export function readStamp(path: string): ReadonlyMap<string, bigint> {
  const [, ...facts] = readSidecar(path, 'stamp')?.toString('latin1').trimEnd().split('\n') ?? [];
  const stamped = facts.slice(0, -1).join('\n');
  return factsOf(facts.at(-1) === hash('sha256', stamped) ? stamped : '');
}

/** Whether the file is unchanged since the last append that verified the whole chain. */
export function isUnchangedSinceCheck(path: string, moment: string): boolean {
  const stamped = readStamp(path);
  return !stamped.has('cut') && [...factsOf(moment)].every(([name, value]) => stamped.get(name) === value);
}

const SEAL = /"hash":"([0-9a-f]{64})"\}$/;
const SEAL_LENGTH = '"hash":""}'.length + 64;

/** The number by which the record of a hash is told from others beside it: its first 64 bits. */
export const recordNumber = (hash: string): bigint => BigInt(`0x${hash.slice(0, 16)}`);

/** The number of the record whose text ends at a place in an open file, see {@link recordNumber}; null where none ends there. */
function recordEndingAt(fd: number, end: number): bigint | null {
  const from = Math.max(0, end - SEAL_LENGTH);
  const recordHash = SEAL.exec(readAt(fd, from, end - from).toString('latin1'))?.[1];
  return recordHash === undefined ? null : recordNumber(recordHash);
}

/** Where the text of the last record of an open file of this size ends, and its number; nothing where it does not end in one. */
function lastRecordIn(fd: number, size: number): string {
  const end = readAt(fd, Math.max(0, size - 1), 1)[0] === LINE_FEED ? size - 1 : size;
  const last = recordEndingAt(fd, end);
  return last === null ? '' : `\nend ${end}\nlast ${last}`;
}

/** How a file was left, of which records are gone now. */
export interface Left {
  readonly size: bigint;
  /** Whether it has another record where the last one was: other lines were put there. */
  readonly isOther: boolean;
}

/** The size with which this very file was left by who last added to it; null where nothing is known of it. */
function sizeLeft(path: string, fd: number): bigint | null {
  const stamped = readStamp(path);
  return isOf(stamped, fd) ? (stamped.get('cut') ?? stamped.get('size') ?? null) : null;
}

function isOf(stamped: ReadonlyMap<string, bigint>, fd: number): boolean {
  const facts = factsOf(fileFingerprint(fd));
  return ['file', 'born'].every((name) => stamped.get(name) === facts.get(name));
}

/**
 * How this very file was left, where records are gone from its end: it is shorter now, or does not have the record any more in which
 * it ended, though it is only ever added to; or was so when it was recovered, and nobody has yet said that they are lost. Null where
 * that is not so, or nothing is known of it.
 */
function cutSince(path: string, fd: number): Left | null {
  // Before the file itself is looked at, to which others may add meanwhile.
  const stamped = readStamp(path);
  const [cut, size, end] = [stamped.get('cut'), stamped.get('size'), stamped.get('end')];
  if (size === undefined || !isOf(stamped, fd)) return null;
  if (cut !== undefined) return { size: cut, isOther: false };
  if (fstatSync(fd, { bigint: true }).size < size) return { size, isOther: false };
  const isOther = end !== undefined && recordEndingAt(fd, Number(end)) !== stamped.get('last');
  return isOther ? { size, isOther } : null;
}

/** Notes that records are gone from the end of a file, which had this size: until somebody says that it goes on without them. */
function stampCut(path: string, fd: number, size: bigint): void {
  writeStamp(path, `${fileFingerprint(fd)}\ncut ${size}`);
}

/** Notes that an open file is one chain, and what it ends in: whoever adds to it does, while nobody else can. */
export function stamp(path: string, fd: number): void {
  const moment = fileFingerprint(fd);
  // Others may add to a file that was just made.
  writeStamp(path, `${moment}${lastRecordIn(fd, Number(factsOf(moment).get('size')))}`);
}

/** Puts facts beside a file, each a name and a number in a line. */
export function writeStamp(path: string, facts: string): void {
  writeSidecar(path, 'stamp', textOf(facts));
}

const DIGITS = 16;

const digits = (place: string): string => hash('sha256', place).slice(0, DIGITS);

/** A file as the file system knows it; born at 0 where it does not know when. */
interface FileIdentity {
  readonly ino: bigint;
  readonly birthtimeNs: bigint;
}

/** The place of a file that is being made, see {@link placeIdOfFile}. */
export function placeIdOfNew({ ino, birthtimeNs }: FileIdentity): string {
  return digits(birthtimeNs === 0n ? `file:${ino}` : `file:${ino}:${birthtimeNs}`);
}

/**
 * The place of a file: which file of the disk it is, by the number that the file system gave it and the moment when it was made. A
 * number alone is given to another file when this one is gone: where nobody knows when a file was made, it has its place only as
 * long as `isAsLeft`, and else one that nothing was ever written in.
 */
export const placeIdOf = (file: FileIdentity & { readonly ctimeNs: bigint }, isAsLeft: () => boolean): string =>
  file.birthtimeNs !== 0n || isAsLeft() ? placeIdOfNew(file) : digits(`file:${file.ino}:changed:${file.ctimeNs}`);

/**
 * The place of an open ledger file. A file that is renamed keeps its place; a copy, a file that git or an editor has put in its
 * stead, and one that was restored have another one.
 */
export const placeIdOfFile = (path: string, fd: number): string =>
  placeIdOf(fstatSync(fd, { bigint: true }), () => isUnchangedSinceCheck(path, fileFingerprint(fd)));

/** Whether the file system knows when an open file was made. */
export const isBirthKnown = (fd: number): boolean => fstatSync(fd, { bigint: true }).birthtimeNs !== 0n;

/** The place of an open file that is being made. */
export const placeIdOfNewFile = (fd: number): string => placeIdOfNew(fstatSync(fd, { bigint: true }));

/** Up to this size a ledger is read as a whole each time, in a few milliseconds. */
export const SMALL = 512 * 1024;

const HEX = 64;
const SEAL_BYTES = `,"hash":"${'0'.repeat(HEX)}"}`.length;

/** Whether the lines of a file up to `length` are one chain of records in the usual form, each with the hash of its content. */
function isChain(fd: number, header: Sealed, length: number): boolean {
  const ledger = `,"ledger":"${header.hash}","prev":"`;
  const tail = ledger.length + HEX + 1 + SEAL_BYTES;
  let prev = header.hash;
  for (const batch of lineBatches(fd, { end: length })) {
    for (const { bytes, number, tooLong } of batch) {
      if (number === 1) continue;
      if (tooLong || bytes.length < tail) return false;
      const seq = `{"seq":${number - 1},`;
      if (bytes.toString('latin1', 0, seq.length) !== seq) return false;
      const actual = hash('sha256', bytes.subarray(0, bytes.length - SEAL_BYTES));
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
      for (const parsedLine of walker.take(line)) {
        if (parsedLine.kind === 'flaw') return failed(parsedLine.flaw);
        if (parsedLine.kind === 'other') return failed(parsedLine.fault);
      }
    }
  }
  const flaw = walker.end().find((parsedLine) => parsedLine.kind === 'flaw');
  return flaw === undefined ? null : failed(flaw.flaw);
}

interface Open {
  readonly path: string;
  readonly fd: number;
}

/** Whether the last record was written to this very file. */
export const wasWrittenHere = ({ fields }: Sealed, { path, fd }: Open): boolean =>
  fields.home === placeIdOfFile(path, fd);

/** Whether a ledger was moved away from this file. Only the record that it has arrived can follow, by which nothing is granted. */
export const hasLeft = ({ ended }: FileEnds, file: Open): boolean =>
  ended.fields.event === 'move' && wasWrittenHere(ended, file);

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
  const isComplete = ends.kind === 'ends' && ends.rest.kind === 'none' && { isComplete: true };
  return failed({ code: 'cut-off', size, before: Number(before.size), unit: 'bytes', ...isOther, ...isComplete });
}

/** The same of a file whose ends are not read yet. */
export const cutFaultIn = (file: Open): Failed | null => cutFault(file, readEnds(file.fd));

/**
 * Makes sure that a ledger file that is held is one chain up to `length`, where its last line ends. It is read for that, unless it is
 * as a command of this program left it that had done so (`isUnchangedSinceCheck`), or was found so before it was held (`sound`).
 */
export function requireChain({ path, fd }: Open, length: number, sound: string | null): Failed | null {
  const moment = fileFingerprint(fd);
  return length > SMALL && (moment === sound || isUnchangedSinceCheck(path, moment)) ? null : chainFault(fd, length);
}

/**
 * Notes that a held file was added to by who had found it to be one chain. That records are gone from its end stays noted, unless it
 * is said to go on without them (`goesOn`).
 */
export function stampAfter({ path, fd }: Open, goesOn = false): void {
  const cut = goesOn ? null : cutSince(path, fd);
  if (cut === null) stamp(path, fd);
  else stampCut(path, fd, cut.size);
}

/** Notes that records are gone from the end of a held file where it was left with more than these bytes, or with other records. */
export function noteCut({ path, fd }: Open, length: number): void {
  const size = sizeLeft(path, fd);
  if (size !== null && (size > length || cutSince(path, fd)?.isOther === true)) stampCut(path, fd, size);
}
