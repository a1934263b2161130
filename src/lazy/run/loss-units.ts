/** Losses of a run are multiples of 1 / this, so that their sums are exact. */
export const UNIT = 2 ** 20;

/** Runs may have so many rounds: their sums stay whole numbers of 53 bits. */
export const MOST_ROUNDS = 2 ** 33;

/** A loss of [0, 1] in units, rounded to the nearest; off by at most half a unit. */
export const inUnits = (loss: number): number => Math.round(loss * UNIT);
