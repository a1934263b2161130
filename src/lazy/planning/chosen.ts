import type { Decimal } from '../../numeric/decimal.ts';
import type { Measure } from '../core/measure.ts';
import type { NamedSetting } from '../core/named-setting.ts';

/** The obstacle to a smaller regret by another value of one of the chosen parameters, all others being the same. */
export type Limit =
  /** The next value of four digits is not private enough by exact accounting. */
  | { readonly by: 'privacy'; readonly parameter: 'eta' | 'lambda'; readonly next: Decimal }
  /** The safe regret itself is least there, to four digits, whatever privacy asks. */
  | { readonly by: 'regret'; readonly parameter: 'eta' | 'lambda' }
  /** There is one batch: the first x is played in all rounds, and nothing is learned. */
  | { readonly by: 'one-batch' };

/** Parameters that a search found, and why these. */
export interface Chosen<M extends Measure = Measure> {
  readonly named: NamedSetting<M>;
  readonly limit: Limit;
  /** About the safe regret with other parameters, all else searched again; Infinity where nothing is private enough. */
  readonly others: readonly Change[];
}

/** A change of one parameter, and about what the safe regret would be then. */
export interface Change {
  readonly parameter: 'batch' | 'switchRate';
  readonly value: number;
  readonly regret: number;
}
