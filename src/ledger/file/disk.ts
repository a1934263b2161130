import { fdatasyncSync, ftruncateSync, writeSync } from 'node:fs';

/** How bytes get into a file that is open for appending; what the system does not do, it throws. */
export interface Disk {
  /** Writes some of the bytes, and says how many. */
  readonly write: (fd: number, bytes: Uint8Array) => number;
  /** Returns when all that was written would survive the loss of power. */
  readonly sync: (fd: number) => void;
  readonly truncate: (fd: number, length: number) => void;
}

/** The disk of this machine. */
export const DISK: Disk = {
  write: (fd, bytes) => writeSync(fd, bytes),
  sync: fdatasyncSync,
  truncate: ftruncateSync,
};

/** Writes all bytes at the end of the file. */
export function writeAll(disk: Disk, fd: number, bytes: Uint8Array): void {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(disk.write(fd, rest));
}

export const NEWLINE: Uint8Array = Uint8Array.of(10);

/**
 * Adds a line in two steps: first its text, then, when that is durable, its newline; returns when that is durable too.
 * So a line that ends in a newline is whole, and whoever was told of it finds it so.
 */
export function writeLine(disk: Disk, fd: number, text: Uint8Array): void {
  writeAll(disk, fd, text);
  disk.sync(fd);
  writeAll(disk, fd, NEWLINE);
  disk.sync(fd);
}
