import { dirname, resolve } from 'node:path';
import { newLedgersOf, prepare } from '../../prepare.ts';
import { failed, type Failed } from '../../fault.ts';
import { numberOf, type Sealed, headNamedBy } from '../../line.ts';
import { readHeader } from '../../record.ts';
import { append, type Addition } from './append.ts';
import { publishMissing } from './drafts.ts';
import { NEWLINE, writeAll, type Disk } from './create.ts';
import { readEnds, type FileEnds, readRest, linesOf, search, searchAhead, type Ahead } from './lines.ts';
import { type LockedFile, lockFiles } from './lock-files.ts';
import { references } from './file-system.ts';
import {
  cutFault,
  hasLeft,
  wasWrittenHere,
  requireChain,
  stampAfter,
  chainFault,
  SMALL,
  placeIdOfFile,
  placeIdOfNewFile,
  isUnchangedSinceCheck,
  fileFingerprint,
} from './fingerprint.ts';
import { writeFault, readFault, openExisting } from './system-error.ts';
import type { Propose, LedgerView, Settled, TransactOptions, Transacted, Lookup } from '../../store.ts';
import { closeSync, fstatSync, statSync } from 'node:fs';

/** The ends of a held file after everything at its end was settled: what counts has its newline, and what does not is gone. */
export interface SettledEnds {
  readonly kind: 'settled';
  readonly ends: FileEnds;
  readonly settled: 'none' | 'finished' | 'removed';
}

/** Another file has to be held as well, to know whether the end of this one counts. */
export interface Needed {
  readonly kind: 'needed';
  readonly path: string;
}

/** The file of the head of a transaction, as a record in another file calls it. */
const headPath = (path: string, head: { readonly ledger: string }): string => resolve(dirname(path), head.ledger);

type Head = NonNullable<ReturnType<typeof headNamedBy>>;

const unsettled = (head: string, because: string): Failed => failed({ code: 'unsettled', head, because });

/** A member of a record by which a ledger goes on somewhere else, or without records that it had; in no text does it stand like this. */
const ADOPTED = Buffer.from('"event":"adopt"');

/**
 * Whether the ledger of the head has its record. It says no only where it is that ledger, in its own place, and always was: another
 * file of its name, a copy, an end that somebody cut short, and a ledger that was adopted without the record say nothing.
 */
function has(file: LockedFile, { header, seq, hash }: Head): boolean | Failed {
  const { fd, path } = file;
  const ends = readEnds(fd);
  if (ends.kind === 'failed') return unsettled(path, ends.fault.code);
  if (ends.rest.kind === 'torn') return unsettled(path, 'unfinished-record');
  if (ends.header.hash !== header) return unsettled(path, 'foreign-record');
  if (cutFault(file, ends) !== null) return unsettled(path, 'cut-off');
  const last = numberOf(ends.last);
  if (last === seq && ends.last.hash === hash) return true;
  const needle = Buffer.from(`,"hash":"${hash}"}`);
  let isAdopted = false;
  for (const { bytes, tooLong } of linesOf(fd)) {
    if (!tooLong && bytes.subarray(-needle.length).equals(needle)) return true;
    isAdopted ||= bytes.includes(ADOPTED);
  }
  if (isAdopted) return unsettled(path, 'adopted');
  return wasWrittenHere(ends.last, file) ? false : unsettled(path, 'moved');
}

/**
 * Whether a whole record without a newline counts. By itself it does. One of several of a transaction counts where that of the
 * head does, which was written after all others: while both files are held, nobody is about to write it any more.
 */
function counts(record: Sealed, { path }: LockedFile, lockedFiles: readonly LockedFile[]): boolean | Needed | Failed {
  const head = headNamedBy(record);
  if (head === null) return true;
  const there = headPath(path, head);
  const file = lockedFiles.find((lockedFile) => lockedFile.path === there);
  return file === undefined ? { kind: 'needed', path: there } : has(file, head);
}

/** Makes what comes into being with the last record, and gives it its newline; what was copied from elsewhere brings nothing into being. */
export function finish(file: LockedFile, { header: sealed, last, length, rest }: FileEnds, disk: Disk): Failed | null {
  const { path, fd } = file;
  const header = readHeader(sealed);
  if ('kind' in header) return header;
  const newLedgers = newLedgersOf({ name: path, header }, last, references);
  if ('kind' in newLedgers) return newLedgers;
  const fault = wasWrittenHere(last, file) ? publishMissing(newLedgers, last.hash) : null;
  if (fault !== null) return fault;
  disk.truncate(fd, length + (rest.kind === 'none' ? 0 : rest.bytes));
  writeAll(disk, fd, NEWLINE);
  disk.sync(fd);
  return null;
}

/** Settles the end of a held file; what it writes is durable. `adopt`: whether the file may be another one than it was written to. */
function settle(
  file: LockedFile,
  lockedFiles: readonly LockedFile[],
  { disk, adopt = false }: { readonly disk: Disk; readonly adopt?: boolean | undefined },
): SettledEnds | Needed | Failed {
  const ends = readEnds(file.fd);
  if (ends.kind === 'failed') return ends;
  const cut = adopt ? null : cutFault(file, ends);
  if (cut !== null) return cut;
  if (ends.rest.kind === 'none') return { kind: 'settled', ends, settled: 'none' };
  if (ends.rest.kind === 'torn' && !hasLeft(ends, file)) {
    const record = numberOf(ends.ended) + 1;
    return failed({ code: 'unfinished-record', line: record + 1, record, bytes: ends.rest.bytes });
  }
  if (!adopt && !wasWrittenHere(ends.last, file)) return failed({ code: 'moved' });
  const counted = ends.rest.kind === 'torn' ? false : counts(ends.last, file, lockedFiles);
  if (typeof counted === 'object') return counted;
  try {
    if (counted) {
      const fault = finish(file, ends, disk);
      if (fault !== null) return fault;
    } else {
      disk.truncate(file.fd, ends.length);
      disk.sync(file.fd);
    }
  } catch (error) {
    return failed(writeFault(error));
  }
  const after = readEnds(file.fd);
  return after.kind === 'failed' ? after : { kind: 'settled', ends: after, settled: counted ? 'finished' : 'removed' };
}

/** The file in which bytes are kept that were taken from the end of a ledger, until a record has them. */
export const asidePath = (path: string): string => `${path}.aside`;

/** How many bytes are kept beside a ledger by somebody who was stopped before a record had them; 0 where none are. */
const bytesAside = (path: string): number => statSync(asidePath(path), { throwIfNoEntry: false })?.size ?? 0;

/** What takes long with a large ledger file, done before it is held, so that nobody has to wait for it. */
export interface LookedAhead {
  /** The moment of the file at which it was one chain (`fileFingerprint`); null where that was not looked at. */
  readonly sound: string | null;
  /** The results of the searches; none where the file is small. */
  readonly searches: readonly Ahead[];
}

const NOTHING: LookedAhead = { sound: null, searches: [] };

/** Looks into a file that is not held; what cannot be done is left for when it is. */
function lookAhead(path: string, sought: readonly Lookup[]): LookedAhead {
  const fd = openExisting(path, 'read');
  if (typeof fd !== 'number') return NOTHING;
  try {
    if (fstatSync(fd).size <= SMALL) return NOTHING;
    const moment = fileFingerprint(fd);
    const { offset: length } = readRest(fd);
    const isUnchanged = isUnchangedSinceCheck(path, moment);
    const isSound = !isUnchanged && chainFault(fd, length) === null && fileFingerprint(fd) === moment;
    return { sound: isSound ? moment : null, searches: sought.map((lookup) => searchAhead(fd, length, lookup)) };
  } catch {
    return NOTHING;
  } finally {
    closeSync(fd);
  }
}

/** The ends of held files, settled. */
export interface Settlement {
  readonly kind: 'settlement';
  readonly ends: readonly FileEnds[];
  readonly settled: Settled;
}

function settleAll(
  files: readonly LockedFile[],
  lockedFiles: readonly LockedFile[],
  how: { readonly disk: Disk; readonly adopt?: boolean | undefined },
): Settlement | Needed | Failed {
  const all: FileEnds[] = [];
  let outcome: Settled = 'none';
  for (const file of files) {
    const result = settle(file, lockedFiles, how);
    if (result.kind === 'failed') return { ...result, ledger: result.ledger ?? file.path };
    if (result.kind === 'needed') return result;
    all.push(result.ends);
    if (result.settled !== 'none') outcome = result.settled;
  }
  return { kind: 'settlement', ends: all, settled: outcome };
}

/** Looks whether each held file is one chain; the first fault. */
export function requireChains(files: readonly LockedFile[], ahead: readonly LookedAhead[] = []): Failed | null {
  for (const [i, file] of files.entries()) {
    const fault = requireChain(file, readRest(file.fd).offset, ahead[i]?.sound ?? null);
    if (fault !== null) return { ...fault, ledger: file.path };
  }
  return null;
}

/** The fault of a file of which bytes were taken away, by somebody who was stopped before a record had them. */
function unrecovered(files: readonly LockedFile[]): Failed | null {
  for (const { path, fd } of files) {
    const bytes = bytesAside(path);
    if (bytes === 0) continue;
    const ends = readEnds(fd);
    const record = ends.kind === 'failed' ? 0 : numberOf(ends.last) + 1;
    return failed({ code: 'unfinished-record', line: record + 1, record, bytes }, path);
  }
  return null;
}

/** `recovers`: what was taken away from an end is about to be recorded. */
type Options = TransactOptions & { readonly disk: Disk; readonly recovers?: boolean };

/** Decides about held files, each one chain, whose ends are settled, and keeps what is to be added. */
export async function decideAndKeep<T>(
  files: readonly LockedFile[],
  { ends, settled }: Settlement,
  propose: Propose<T>,
  { disk, recovers = false, ...options }: Options,
  ahead: readonly LookedAhead[] = [],
): Promise<Transacted<T> | Failed> {
  const views = files.map(({ path, fd }, i): LedgerView => {
    const matches = (options.lookups ?? []).map((lookup, n) =>
      search(fd, ends[i]!.length, lookup, ahead[i]?.searches[n] ?? null),
    );
    return { name: path, ends: ends[i]!, found: matches };
  });
  // What goes on here has its place here from now on.
  const placeIds = files.map(({ path, fd }) =>
    options.adopt === true ? placeIdOfNewFile(fd) : placeIdOfFile(path, fd),
  );
  const prepared = prepare(views, propose, { placeIds, now: new Date().toISOString(), store: references, options });
  if (prepared.kind === 'failed') return prepared;
  const additions = files.flatMap((file, i): Addition[] => {
    const record = prepared.records[i];
    return record == null ? [] : [{ file, ends: ends[i]!, prepared: record }];
  });
  const fault = await append(additions, disk);
  if (fault !== null) return fault;
  if (additions.length > 0 || settled !== 'none') {
    for (const file of files) stampAfter(file, options.adopt === true && !recovers);
  }
  const records = prepared.records.map((part) => part?.record ?? null);
  return { kind: 'transacted', value: prepared.value, records, settled };
}

/**
 * One transaction over ledger files. The end of a file may belong to a transaction whose head is in another file; that one is
 * held then too, from the beginning again, so that all files are always locked in the same order.
 */
export async function transact<T>(
  paths: readonly string[],
  propose: Propose<T>,
  options: Options,
): Promise<Transacted<T> | Failed> {
  const ahead = paths.map((path) => lookAhead(path, options.lookups ?? []));
  const end = performance.now() + 1000 * options.patience;
  const needed: string[] = [];
  for (;;) {
    const patience = Math.max(0, end - performance.now()) / 1000;
    const lockedFiles = await lockFiles([...paths, ...needed], needed.length === 0 ? options.patience : patience);
    if (lockedFiles.kind === 'failed') return headFault(lockedFiles, needed) ?? lockedFiles;
    try {
      const files = lockedFiles.files.slice(0, paths.length);
      const fault = requireChains(files, ahead) ?? (options.recovers === true ? null : unrecovered(files));
      if (fault !== null) return fault;
      const settlement = settleAll(files, lockedFiles.files, options);
      if (settlement.kind === 'failed') return settlement;
      if (settlement.kind === 'settlement') return await decideAndKeep(files, settlement, propose, options, ahead);
      needed.push(settlement.path);
    } catch (error) {
      return failed(readFault(error));
    } finally {
      lockedFiles.release();
    }
  }
}

/** The fault of a file that was only needed to know what counts in another one. */
function headFault({ fault, ledger }: Failed, needed: readonly string[]): Failed | null {
  if (ledger === undefined || !needed.includes(ledger) || fault.code === 'busy') return null;
  return failed({ code: 'unsettled', head: ledger, because: fault.code });
}
