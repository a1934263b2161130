import type { NotALedger, NotWritten } from '../records/fault.ts';

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

/** Why a file could not be opened or read. */
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

/** Why a file could not be written. */
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

/** Why a file could not be opened for writing. */
export function openFault(error: unknown): NotALedger | NotWritten {
  const reading = readFault(error);
  return reading.code === 'unreadable' ? writeFault(error) : reading;
}

/** Why a file could not be created. */
export function createFault(error: unknown): NotALedger | NotWritten {
  switch (codeOf(error)) {
    case 'EEXIST':
      return { code: 'file-exists' };
    case 'EISDIR':
      return { code: 'is-a-directory' };
    case 'ENOENT':
    case 'ENOTDIR':
      return { code: 'no-such-directory' };
    default:
      return writeFault(error);
  }
}
