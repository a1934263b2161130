/** In which steps of a run the data of one person may be used. */
export interface Participation {
  /** Steps of the run, numbered from 0. */
  readonly steps: number;
  /** The most steps in which one person takes part. */
  readonly participations: number;
  /** Each of them is at least so many steps after the one before; 1: they may follow each other. */
  readonly separation: number;
}

/** Steps and separations up to here: sums of a few of them are exact in doubles. */
export const MOST_STEPS = 1e15;

/** How often one person can take part at most: the separation leaves room for no more than ceil(steps / separation). */
export const mostParticipations = ({ steps, participations, separation }: Participation): number =>
  Math.min(participations, Math.ceil(steps / separation));
