declare module 'fs-native-extensions' {
  /** Takes an exclusive lock on a range of an open file if nobody else has one; the system frees it when the file is closed. */
  export function tryLock(fd: number, offset: number, length: number): boolean;
}
