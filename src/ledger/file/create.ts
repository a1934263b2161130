import { accessSync, closeSync, constants, fsyncSync, openSync, statSync, unlinkSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import { DISK, writeLine, type Disk } from './disk.ts';
import { failed, type Failed, type NotALedger, type NotWritten } from './fault.ts';
import { seal, type Sealed } from './line.ts';
import { LONGEST_RECORD } from './lines.ts';
import { headerFields, type Header } from './record.ts';
import { createFault, writeFault } from './system-error.ts';

/** Makes the name of a new file durable. */
function syncDirectory(path: string): void {
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
export function create(path: string, header: Header, disk: Disk = DISK): Sealed | Failed<NotALedger | NotWritten> {
  const fields = headerFields(header);
  const { text, hash } = seal(fields);
  const line = Buffer.from(text);
  if (line.length > LONGEST_RECORD) return failed({ code: 'too-long', bytes: line.length });
  let fd;
  try {
    fd = openSync(path, 'ax');
  } catch (error) {
    return failed(createFault(error));
  }
  try {
    writeLine(disk, fd, line);
    syncDirectory(path);
    return { kind: 'record', fields, hash };
  } catch (error) {
    unlinkSync(path);
    return failed(writeFault(error));
  } finally {
    closeSync(fd);
  }
}
