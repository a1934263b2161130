import { hash } from 'node:crypto';
import { fstatSync, statSync } from 'node:fs';

const DIGITS = 16;

/**
 * The place of a ledger file: which file of the disk it is, by the number that the file system gave it and the moment when it was
 * made. A file that is renamed keeps its place; a copy, a file that git or an editor has put in its stead, and one that was
 * restored have another one.
 */
export function homeOfFile(file: number | string): string {
  const { ino, birthtimeNs } =
    typeof file === 'number' ? fstatSync(file, { bigint: true }) : statSync(file, { bigint: true });
  return hash('sha256', `file:${ino}:${birthtimeNs}`).slice(0, DIGITS);
}
