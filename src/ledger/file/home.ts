import { hash } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { isStamped, momentOf } from './stamp.ts';

const DIGITS = 16;

const digits = (place: string): string => hash('sha256', place).slice(0, DIGITS);

/** A file as the file system knows it; born at 0 where it does not know when. */
export interface FileIdentity {
  readonly ino: bigint;
  readonly birthtimeNs: bigint;
}

/** The place of a file that is being made, see {@link homeOfFile}. */
export function homeOfNew({ ino, birthtimeNs }: FileIdentity): string {
  return digits(birthtimeNs === 0n ? `file:${ino}` : `file:${ino}:${birthtimeNs}`);
}

/**
 * The place of a file: which file of the disk it is, by the number that the file system gave it and the moment when it was made. A
 * number alone is given to another file when this one is gone: where nobody knows when a file was made, it has its place only as
 * long as `isAsLeft`, and else one that nothing was ever written in.
 */
export const placeOf = (file: FileIdentity & { readonly ctimeNs: bigint }, isAsLeft: () => boolean): string =>
  file.birthtimeNs !== 0n || isAsLeft() ? homeOfNew(file) : digits(`file:${file.ino}:changed:${file.ctimeNs}`);

/**
 * The place of an open ledger file. A file that is renamed keeps its place; a copy, a file that git or an editor has put in its
 * stead, and one that was restored have another one.
 */
export const homeOfFile = (path: string, fd: number): string =>
  placeOf(fstatSync(fd, { bigint: true }), () => isStamped(path, momentOf(fd)));

/** Whether the file system knows when an open file was made. */
export const isBirthKnown = (fd: number): boolean => fstatSync(fd, { bigint: true }).birthtimeNs !== 0n;

/** The place of an open file that is being made. */
export const homeOfNewFile = (fd: number): string => homeOfNew(fstatSync(fd, { bigint: true }));
