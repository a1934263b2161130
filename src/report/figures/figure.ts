import type { Chart } from '../chart/chart.ts';

/** A figure of a paper, drawn again with the numbers of this program, or one of what is derived here. */
export interface Figure {
  /** As it is asked for. */
  readonly name: string;
  /** Its subject, in a few words. */
  readonly summary: string;
  /** Which figure of which paper it is, or what it shows. */
  readonly reference: string;
  /** Computes and describes it; the same each time. */
  readonly draw: () => Chart;
}
