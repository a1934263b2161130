import {
  fdatasyncSync,
  ftruncateSync,
  writeSync,
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import { failed, type Failed, type NotALedger, type NotWritten } from '../../fault.ts';
import type { Sealed } from '../../line.ts';
import type { Header } from '../../record.ts';
import { sealHeader } from '../../prepare.ts';
import { placeIdOfNewFile, stampAfter } from './fingerprint.ts';
import { createFault, writeFault } from './system-error.ts';

/** How bytes get into a file that is open for appending; what the system does not do, it throws. */
export interface Disk {
  /** Writes some of the bytes, and says how many. */
  readonly write: (fd: number, bytes: Uint8Array) => number;
  /** Returns when all that was written would survive the loss of power. */
  readonly sync: (fd: number) => void;
  readonly truncate: (fd: number, length: number) => void;
}

export const DISK: Disk = {
  write: (fd, bytes) => writeSync(fd, bytes),
  sync: fdatasyncSync,
  truncate: ftruncateSync,
};

export function writeAll(disk: Disk, fd: number, bytes: Uint8Array): void {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(disk.write(fd, rest));
}

export const NEWLINE: Uint8Array = Uint8Array.of(10);

/**
 * Adds a line in two steps: first its text, then, when that is durable, its newline; returns when that is durable too.
 * So a line that ends in a newline is whole, and whoever was told of it finds it so.
 */
function writeLine(disk: Disk, fd: number, text: Uint8Array): void {
  writeAll(disk, fd, text);
  disk.sync(fd);
  writeAll(disk, fd, NEWLINE);
  disk.sync(fd);
}

/** Makes the name of a new file durable. */
export function syncDirectory(path: string): void {
  // Windows has no such thing for directories.
  if (platform() === 'win32') return;
  const fd = openSync(dirname(path), 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Why no file could be made here, as far as can be known without making one; null where nothing is in the way. */
export function obstacle(path: string): NotALedger | NotWritten | null {
  try {
    if (statSync(path, { throwIfNoEntry: false }) !== undefined) return { code: 'file-exists' };
    accessSync(dirname(path), constants.W_OK);
    return null;
  } catch (error) {
    return createFault(error);
  }
}

/** Makes the file of a new ledger, durably; it fails where there is a file already. */
export function create(
  path: string,
  header: Header,
  options: { readonly disk?: Disk; readonly nonce?: () => string } = {},
): Sealed | Failed<NotALedger | NotWritten> {
  const result = createUnnamed(path, header, options);
  if (result.kind !== 'failed') stampNew(path);
  return result;
}

function stampNew(path: string): void {
  const fd = openSync(path, 'r');
  try {
    stampAfter({ path, fd });
  } finally {
    closeSync(fd);
  }
}

/** The same of a file that is to get another name. */
export function createUnnamed(
  path: string,
  header: Header,
  { disk = DISK, nonce }: { readonly disk?: Disk; readonly nonce?: () => string } = {},
): Sealed | Failed<NotALedger | NotWritten> {
  let fd;
  try {
    fd = openSync(path, 'ax');
  } catch (error) {
    return failed(createFault(error, path));
  }
  let isComplete = false;
  try {
    const sealed = sealHeader(header, { placeId: placeIdOfNewFile(fd), nonce });
    if ('kind' in sealed) return sealed;
    writeLine(disk, fd, sealed.line);
    syncDirectory(path);
    isComplete = true;
    return sealed.record;
  } catch (error) {
    return failed(writeFault(error));
  } finally {
    closeSync(fd);
    if (!isComplete) unlinkSync(path);
  }
}
