import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, fsyncSync, openSync, readFileSync, renameSync, unlinkSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { failed, type Failed, type FaultCode } from '../../fault.ts';
import { type Sealed, numberOf, unseal, type Damage } from '../../line.ts';
import type { Aside } from '../../record.ts';
import type { Propose, TransactOptions, Transacted } from '../../store.ts';
import { asidePath, decideAndKeep, requireChains, transact, finish } from './transact.ts';
import { NEWLINE, writeAll, type Disk } from './create.ts';
import { readEnds, linesOf, readAt } from './lines.ts';
import { lockFiles, type LockedFile } from './lock-files.ts';
import { noteCut, requireChain } from './fingerprint.ts';
import { writeFault } from './system-error.ts';

/** The end of a ledger file that is no record. */
export interface BrokenTail {
  readonly offset: number;
  readonly bytes: Buffer;
}

/** What is no record, nor one that was changed: pieces, blank lines, anything that was written behind it. */
const NO_RECORD: ReadonlySet<Damage['what']> = new Set(['blank', 'not-text', 'not-json', 'unsealed']);

/**
 * What stands after the last record of an open ledger file that follows the one before it, with newlines in it or not; null where
 * nothing does, or a line in it is a record, or was one before it was changed.
 */
function brokenTail(fd: number): BrokenTail | null {
  let [seq, prev]: [number, string | null] = [0, null];
  let offset: number | null = null;
  for (const line of linesOf(fd)) {
    const record = line.tooLong ? null : unseal(line.bytes);
    const isRecord = record?.kind === 'record';
    if (offset === null && isRecord && (prev === null || (numberOf(record) === seq && record.fields.prev === prev))) {
      seq++;
      prev = record.hash;
      continue;
    }
    // What has no newline was never told to be kept, whatever it is.
    const isCounted = line.ended && record !== null && (isRecord || !NO_RECORD.has(record.what));
    if (isCounted) return null;
    offset ??= line.offset;
  }
  if (offset === null || prev === null) return null;
  return { offset, bytes: readAt(fd, offset, fstatSync(fd).size - offset) };
}

type Options = TransactOptions & { readonly disk: Disk };

/** Why the end of a ledger is not settled by itself. */
const SET_ASIDE: ReadonlySet<FaultCode> = new Set([
  'unfinished-record',
  'damaged-record',
  'damaged-end',
  'line-too-long',
  'unsettled',
]);

/** More bytes are kept in a file of their own, and in the record by their hash. */
const MOST_IN_RECORD = 1024 * 1024;

function asideOf(bytes: Buffer): Aside {
  const isText = isUtf8(bytes);
  if (bytes.length > MOST_IN_RECORD) {
    return { bytes: bytes.length, text: null, base64: null, sha256: hash('sha256', bytes) };
  }
  return {
    bytes: bytes.length,
    text: isText ? bytes.toString('utf8') : null,
    base64: isText ? null : bytes.toString('base64'),
    sha256: null,
  };
}

/** Whether a record has these bytes; what they have not is left out in it. */
const isAsideOf = ({ fields }: Sealed, aside: Aside): boolean =>
  isDeepStrictEqual({ text: null, base64: null, sha256: null, ...(fields.aside as Partial<Aside> | undefined) }, aside);

/** Ends the keeping of bytes beside the ledger, which are in a record now; those that are there by their hash stay. */
function settleAside(beside: string, { sha256 }: Aside): void {
  if (sha256 === null) unlinkSync(beside);
  else renameSync(beside, `${beside}-${sha256.slice(0, 12)}`);
}

/** Keeps bytes in a file beside the ledger until the record that has them is durable; what was there before stays until they are. */
function keepBeside(beside: string, bytes: Buffer, disk: Disk): void {
  const draft = `${beside}.new`;
  const fd = openSync(draft, 'w');
  try {
    writeAll(disk, fd, bytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(draft, beside);
}

/** All that is to be set aside: these bytes, after those that an earlier attempt took away and did not record. */
function withEarlier(earlier: Buffer, bytes: Buffer): Buffer {
  // It may have been stopped before it took them away, while it kept them.
  return bytes.subarray(0, earlier.length).equals(earlier) ? bytes : Buffer.concat([earlier, bytes]);
}

/** A record whose transaction cannot be looked into counts: what is counted too often harms nobody's privacy. */
async function count<T>(file: LockedFile, propose: Propose<T>, options: Options): Promise<Transacted<T> | Failed> {
  const broken = requireChains([file]);
  if (broken !== null) return broken;
  const ends = readEnds(file.fd);
  if (ends.kind === 'failed') return ends;
  if (ends.rest.kind !== 'whole') return failed({ code: 'nothing-to-recover' });
  noteCut(file, fstatSync(file.fd).size + NEWLINE.length);
  const fault = finish(file, ends, options.disk);
  if (fault !== null) return fault;
  const after = readEnds(file.fd);
  if (after.kind === 'failed') return after;
  return await decideAndKeep([file], { kind: 'settlement', ends: [after], settled: 'finished' }, propose, options);
}

async function setAside<T>(
  file: LockedFile,
  propose: (aside: Aside) => Propose<T>,
  options: Options,
): Promise<Transacted<T> | Failed> {
  const { disk } = options;
  const ends = readEnds(file.fd);
  if (ends.kind === 'failed' && !SET_ASIDE.has(ends.fault.code)) return ends;
  const isSettled = ends.kind === 'ends' && ends.rest.kind !== 'torn';
  const tail = isSettled ? null : brokenTail(file.fd);
  if (!isSettled && tail === null) return requireChains([file]) ?? failed({ code: 'nothing-to-recover' });
  const fault = tail === null ? requireChains([file]) : requireChain(file, tail.offset, null);
  if (fault !== null) return fault;
  const bytes = tail?.bytes ?? Buffer.alloc(0);
  const beside = asidePath(file.path);
  const earlier = existsSync(beside) ? readFileSync(beside) : Buffer.alloc(0);
  const all = withEarlier(earlier, bytes);
  if (all.length === 0) return failed({ code: 'nothing-to-recover' });
  const aside = asideOf(all);
  if (isSettled && isAsideOf(ends.last, aside)) {
    // An earlier attempt was stopped when all but this was done.
    settleAside(beside, aside);
    return failed({ code: 'nothing-to-recover' });
  }
  if (tail !== null) {
    // What is set aside was there, or more was, when somebody was told that it is kept.
    noteCut(file, tail.offset);
    keepBeside(beside, all, disk);
    disk.truncate(file.fd, tail.offset);
    disk.sync(file.fd);
  }
  const after = readEnds(file.fd);
  if (after.kind === 'failed') return after;
  const settlement = { kind: 'settlement', ends: [after], settled: 'none' } as const;
  // What was torn of a ledger that was moved here is the record by which it goes on here.
  const adopt = after.last.fields.event === 'move';
  const done = await decideAndKeep([file], settlement, propose(aside), { ...options, adopt, recovers: true });
  if (done.kind === 'failed' && (isSettled || done.fault.code === 'outcome-unknown')) return done;
  if (done.kind === 'failed') writeAll(disk, file.fd, bytes);
  if (done.kind !== 'failed') settleAside(beside, aside);
  else if (earlier.length > 0) keepBeside(beside, earlier, disk);
  else unlinkSync(beside);
  return done;
}

/**
 * See `Store.recover`. What counts by itself is finished first. Where it is stopped in the middle, what it has taken away is in a
 * file beside the ledger, `NAME.aside`, and is recorded by the next one.
 */
export async function recover<T>(
  path: string,
  propose: (aside: Aside) => Propose<T>,
  options: Options,
): Promise<Transacted<T> | Failed> {
  const { patience, disk } = options;
  const nothing = { kind: 'proposal', additions: [null], value: null } as const;
  const settled = await transact([path], () => nothing, { patience, disk, adopt: true, recovers: true });
  const why = settled.kind === 'failed' ? settled.fault.code : null;
  if (settled.kind === 'failed' && !SET_ASIDE.has(settled.fault.code)) return settled;
  const lockedFiles = await lockFiles([path], patience);
  if (lockedFiles.kind === 'failed') return lockedFiles;
  try {
    const file = lockedFiles.files[0]!;
    return why === 'unsettled'
      ? await count(file, propose(asideOf(Buffer.alloc(0))), options)
      : await setAside(file, propose, options);
  } catch (error) {
    return failed(writeFault(error));
  } finally {
    lockedFiles.release();
  }
}
