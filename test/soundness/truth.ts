import type { Interval, Real } from './fixed-point.ts';

/** What a case is compared with. */
export interface Truth {
  /** Encloses the smallest delta at a real epsilon. */
  readonly deltaAt: (epsilon: Real) => Interval;
  /**
   * optimum: the smallest delta of the classes composed. adversary: the delta of legal adversaries, which no claim may
   * undercut; lower bounds are not compared with it, but with `attainedAt`. assignments: the best over all orders of the neighbours, which
   * claims may not undercut and lower bounds may not exceed.
   */
  readonly means: 'optimum' | 'adversary' | 'assignments';
  /** Of adversaries: the delta that lower bounds may not exceed, from above; absent: they are compared with nothing. */
  readonly attainedAt?: (epsilon: Real) => Interval;
  /** Encloses the delta that remains at every epsilon. */
  readonly failure: Interval;
  /** About the largest finite loss; Infinity where there is none. */
  readonly maximum: number;
}

export const NO_FAILURE: Interval = { low: 0n, high: 0n, bits: 64 };
