/** How many lines were answered (of them with warnings), refused for want of a theorem, and wrong. */
export interface Tally {
  answered: number;
  warned: number;
  refused: number;
  wrong: number;
}

/** Of no lines. */
export const emptyTally = (): Tally => ({ answered: 0, warned: 0, refused: 0, wrong: 0 });

/** Adds `other` to `tally`. */
export function addTally(tally: Tally, other: Readonly<Tally>): void {
  tally.answered += other.answered;
  tally.warned += other.warned;
  tally.refused += other.refused;
  tally.wrong += other.wrong;
}
