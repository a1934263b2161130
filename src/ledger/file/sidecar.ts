import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What is kept beside a ledger file to be faster the next time: the ledger says all without it, and it can be deleted. */
export type SidecarKind = 'stamp' | 'checkpoint';

const LONGEST = 64 * 1024 * 1024;

/** Nobody is waited for, as by who opens a pipe. Windows has no such flag. */
const READ = constants.O_RDONLY | ((constants as { readonly O_NONBLOCK?: number }).O_NONBLOCK ?? 0);

/** The file that is kept beside a ledger. */
export const sidecarPath = (path: string, kind: SidecarKind): string =>
  join(dirname(path), `.${basename(path)}.${kind}`);

/** The content of a file beside a ledger; null where there is none that can be read. */
export function readSidecar(path: string, kind: SidecarKind): Buffer | null {
  try {
    const fd = openSync(sidecarPath(path, kind), READ);
    try {
      const found = fstatSync(fd);
      return found.isFile() && found.size <= LONGEST ? readFileSync(fd) : null;
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
