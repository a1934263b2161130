import type { Exposition } from '../../bounds/core/exposition.ts';
import type { ConditionId } from './condition.ts';

/** Every theorem a plan may rest on. */
export type TheoremId =
  | 'noninteractive'
  | 'concurrent-fixed'
  | 'concurrent-fixed-parameters'
  | 'concurrent-renyi'
  | 'concurrent-f-dp'
  | 'parallel-noninteractive'
  | 'parallel-interactive'
  | 'parallel-one'
  | 'parallel-first-pair-consistent'
  | 'parallel-pure'
  | 'parallel-delta-cap'
  | 'parallel-sets'
  | 'parallel-renyi-one'
  | 'parallel-renyi-interactive'
  | 'parallel-renyi-first-pair-consistent'
  | 'parallel-f-dp-interactive'
  | 'parallel-f-dp-first-pair-consistent'
  | 'parallel-none-differ'
  | 'disjoint-parts'
  | 'families'
  | 'local-alike'
  | 'local-different'
  | 'design';

/** A composition theorem of a plan. */
export interface Theorem {
  readonly id: TheoremId;
  /** `Thm 5.14` of the paper on which plans rest, or the whole place in another; `derived` where it is in none. */
  readonly number: string;
  /** Its statement, in a few words. */
  readonly name: string;
  readonly reference: string;
  readonly needs: readonly ConditionId[];
  readonly exposition: Exposition;
}

/** "Concurrent Composition for Differentially Private Continual Mechanisms", on which plans rest. */
export const THEIR_PAPER = 'Henzinger, Safavi, Vadhan 2025';

/** The reference to a place in that paper. */
export const henzingerSafaviVadhan = (place: string): string => `${THEIR_PAPER}, ${place}`;
