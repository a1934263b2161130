import { closeSync, constants, openSync, statSync } from 'node:fs';
import { failed, type Failed } from '../records/fault.ts';
import { openFault, readFault } from './system-error.ts';

const FLAGS = {
  read: constants.O_RDONLY,
  append: constants.O_RDWR | constants.O_APPEND,
};

/** The descriptor of a file that exists; it must be closed. */
export function openExisting(path: string, access: keyof typeof FLAGS): number | Failed {
  try {
    const found = statSync(path);
    if (found.isDirectory()) return failed({ code: 'is-a-directory' });
    // To open a pipe would wait for whoever is at its other end.
    if (!found.isFile()) return failed({ code: 'not-a-file' });
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
