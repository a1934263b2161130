import type { LineTransform } from './transform.ts';

/** A line on which nothing is known. */
export const UNKNOWN_LINE: LineTransform = {
  deviation: Infinity,
  logMost: () => 0,
  at: (_, ratio) => {
    ratio.modulus = ratio.angle = 0;
    ratio.error = Infinity;
  },
};
