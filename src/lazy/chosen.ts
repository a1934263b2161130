import type { Measure } from './measure.ts';
import type { NamedSetting } from './named-setting.ts';

/** What a search found, and why. */
export interface Chosen<M extends Measure = Measure> {
  readonly named: NamedSetting<M>;
  /** What keeps eta (for convex losses beta) from being larger: privacy, or the regret itself. */
  readonly limit: 'privacy' | 'regret';
  /** About the safe regret with other parameters, all else searched again; Infinity where nothing is private enough. */
  readonly others: readonly Alternative[];
}

/** A change of one parameter, and about what the safe regret would be then. */
export interface Alternative {
  readonly parameter: 'batch' | 'fakeSwitch';
  readonly value: number;
  readonly regret: number;
}
