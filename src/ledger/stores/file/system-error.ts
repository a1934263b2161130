import { type NotALedger, type NotWritten, failed, type Failed } from '../../fault.ts';
import { closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** The system's reason for a failure, without the name of the call: `no space left on device`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return /^[A-Z0-9_]+: (.*?)(,|$)/.exec(error.message)?.[1] ?? error.message.split('\n')[0] ?? '';
}

const rethrowBugs = (error: unknown): void => {
  if (codeOf(error) === '') throw error;
};

export function readFault(error: unknown): NotALedger {
  rethrowBugs(error);
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { code: 'no-such-file' };
    case 'EISDIR':
      return { code: 'is-a-directory' };
    default:
      return { code: 'unreadable', reason: reasonOf(error) };
  }
}

export function writeFault(error: unknown): NotWritten {
  rethrowBugs(error);
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return { code: 'no-space' };
    case 'EROFS':
      return { code: 'read-only' };
    case 'EACCES':
    case 'EPERM':
      return { code: 'not-permitted' };
    default:
      return { code: 'write-failed', reason: reasonOf(error) };
  }
}

function openFault(error: unknown): NotALedger | NotWritten {
  const reading = readFault(error);
  return reading.code === 'unreadable' ? writeFault(error) : reading;
}

/** Why a file could not be made; `path` is where, if that its folder is there says more. */
export function createFault(error: unknown, path?: string): NotALedger | NotWritten {
  switch (codeOf(error)) {
    case 'EEXIST':
      return { code: 'file-exists' };
    case 'EISDIR':
      return { code: 'is-a-directory' };
    case 'ENOENT':
    case 'ENOTDIR': {
      const folder = path === undefined ? null : dirname(path);
      return { code: 'no-such-directory', ...(folder !== null && existsSync(folder) && { unwritable: folder }) };
    }
    default:
      return writeFault(error);
  }
}

const FLAGS = {
  read: constants.O_RDONLY,
  append: constants.O_RDWR | constants.O_APPEND,
};

/** The descriptor of a file that exists; it must be closed. */
export function openExisting(path: string, access: keyof typeof FLAGS): number | Failed {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return failed({ code: 'is-a-directory' });
    // To open a pipe would wait for whoever is at its other end.
    if (!stats.isFile()) return failed({ code: 'not-a-file' });
    return openSync(path, FLAGS[access]);
  } catch (error) {
    return failed(access === 'read' ? readFault(error) : openFault(error));
  }
}

/** Does something with an open file, and closes it. */
export function reading<T>(path: string, use: (fd: number) => T): T | Failed {
  const fd = openExisting(path, 'read');
  if (typeof fd !== 'number') return fd;
  try {
    return use(fd);
  } catch (error) {
    return failed(readFault(error));
  } finally {
    closeSync(fd);
  }
}
