/** The longest line that is written, in bytes, and the longest that is read. */
export const LONGEST_RECORD = 4 * 1024 * 1024;
export const LONGEST_LINE = 2 * LONGEST_RECORD;

/** One line of a file. */
export interface RawLine {
  /** Its number, from 1. */
  readonly number: number;
  /** Where it begins, in bytes. */
  readonly offset: number;
  /** Its bytes without the newline; valid until the next line is asked for. */
  readonly bytes: Buffer;
  /** Whether a newline ends it; only the last line may have none. */
  readonly ended: boolean;
  /** Its bytes were too many to be read, and are not given. */
  readonly tooLong: boolean;
}
