import { accessSync, closeSync, constants, fsyncSync, openSync, statSync, unlinkSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import { failed, type Failed, type NotALedger, type NotWritten } from '../records/fault.ts';
import type { Sealed } from '../records/line.ts';
import type { Header } from '../records/record.ts';
import { sealHeader } from '../journal/prepare.ts';
import { DISK, writeLine, type Disk } from './disk.ts';
import { homeOfNewFile } from './stamp.ts';
import { stampAfter } from './sound.ts';
import { createFault, writeFault } from './system-error.ts';

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
  const made = createUnnamed(path, header, options);
  if (made.kind !== 'failed') stampNew(path);
  return made;
}

/** Notes how a file was left that was just made, where it is still the one of this name. */
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
    return failed(createFault(error));
  }
  let made = false;
  try {
    const sealed = sealHeader(header, { home: homeOfNewFile(fd), nonce });
    if ('kind' in sealed) return sealed;
    writeLine(disk, fd, sealed.line);
    syncDirectory(path);
    made = true;
    return sealed.record;
  } catch (error) {
    return failed(writeFault(error));
  } finally {
    closeSync(fd);
    if (!made) unlinkSync(path);
  }
}
