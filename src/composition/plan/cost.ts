import { Decimal } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { dpOnce } from './approximate-dp.ts';

/**
 * The mechanisms that a part of a plan adds to the composition, which each answer once or are post-processings of such:
 * composed with those of the other parts they dominate it.
 */
export interface Cost {
  /** Paid where it gets data in which neighbours differ. */
  readonly differing: readonly Entry[];
  /** Paid whenever it is created, whatever its data. */
  readonly created: readonly Entry[];
}

export const NOTHING: Cost = { differing: [], created: [] };

/** A mechanism whose loss is always 0. */
const ZERO_LOSS: Entry = dpOnce(new Decimal(0), new Decimal(0), 'noninteractive');

/** All of several parts. */
export const together = (costs: readonly Cost[]): Cost => ({
  differing: costs.flatMap(({ differing }) => differing),
  created: costs.flatMap(({ created }) => created),
});

/** The same of a part that pays nothing unless it gets different data. */
export const onlyIfDiffering = ({ differing, created }: Cost): Cost => ({
  differing: [...differing, ...created],
  created: [],
});

/** The mechanisms to compose for a part that does get different data; at least one. */
export function entriesOf({ differing, created }: Cost): readonly Entry[] {
  const all = [...differing, ...created];
  return all.length === 0 ? [ZERO_LOSS] : all;
}
