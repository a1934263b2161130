import { clopperPearson } from '../../numeric/clopper-pearson.ts';
import type { Enclosure } from '../../numeric/enclosure.ts';

/** The chance with which a confidence interval contains the truth. */
export const CONFIDENCE = 0.99;

/** How often something happened, and an interval for its probability. */
export interface Rate {
  readonly times: number;
  readonly of: number;
  /** The exact (Clopper-Pearson) interval at {@link CONFIDENCE}; null where nothing was tried. */
  readonly interval: Enclosure | null;
}

/** The rate of something that happened `times` times of so many. */
export const rateOf = (times: number, of: number): Rate => ({
  times,
  of,
  interval: of === 0 ? null : clopperPearson(times, of, CONFIDENCE),
});
