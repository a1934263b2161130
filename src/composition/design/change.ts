import { Decimal } from '../../numeric/decimal.ts';
import type { Change, Times } from './design.ts';

/** No difference. */
export const NO_CHANGE: Change = new Decimal(0);

export const isBeyond = (change: Change, limit: Change): boolean =>
  limit !== 'any' && (change === 'any' || change.gt(limit));

export const larger = (a: Change, b: Change): Change => (isBeyond(b, a) ? b : a);

export const sumOf = (a: Change, b: Change): Change => (a === 'any' || b === 'any' ? 'any' : a.plus(b));

/**
 * How much a function changes that changes by at most `factor` where its arguments change by at most 1 (null: by nobody
 * knows what): a change of c is made in ceil(c) steps of at most 1. A smaller change need not change it less.
 */
export const scaled = (change: Change, factor: Decimal | null): Change =>
  factor === null || change === 'any' ? 'any' : change.ceil().times(factor);

/** A change that happens `times` times over. */
export const repeated = (change: Change, times: Times): Change =>
  times === 'unbounded' || change === 'any' ? 'any' : change.times(times);

export const moreThan = (times: Times, limit: Times): boolean =>
  limit !== 'unbounded' && (times === 'unbounded' || times > limit);

export const fewer = (a: Times, b: Times): Times => (moreThan(a, b) ? b : a);

export const together = (counts: readonly Times[]): Times =>
  counts.reduce<Times>((sum, times) => (sum === 'unbounded' || times === 'unbounded' ? 'unbounded' : sum + times), 0);
