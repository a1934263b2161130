import type { Style } from './style.ts';

/** Which characters may be printed. */
export type Characters = 'unicode' | 'ascii';

/** What a table has to fit in, and how it is marked. */
export interface Layout {
  /** Columns of the terminal; Infinity where there is none. */
  readonly width: number;
  readonly style: Style;
  /** With which characters lines are drawn and symbols written; ASCII where it is left out. */
  readonly characters?: Characters;
}
