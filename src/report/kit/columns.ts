import type { Style } from './style.ts';

/** Which characters may be printed. */
export type Characters = 'unicode' | 'ascii';

/** The width that a table has to fit in, and the style and characters it is drawn with. */
export interface Layout {
  /** Columns of the terminal; Infinity where there is none. */
  readonly width: number;
  readonly style: Style;
  /** With which characters lines are drawn and symbols written; ASCII where it is left out. */
  readonly characters?: Characters;
}
