import type { Exposition } from '../../bounds/core/exposition.ts';

/** An assumption of a theorem on composition. */
export type ConditionId =
  /** Parameters are fixed before anything runs. */
  | 'fixed-parameters'
  /** Each mechanism answers once, when it is created. */
  | 'answers-once'
  /** Guarantees hold against adversaries who choose each message after seeing the answers so far. */
  | 'adaptive-adversary'
  /** Every answer has countably many possible values. */
  | 'discrete'
  /** Finitely many possible messages and answers, and finitely many of them. */
  | 'finite-communication'
  /** Neighbouring pairs are neighbouring the other way round too. */
  | 'symmetric'
  /** Equal data are neighbours: instances whose data do not differ are legal. */
  | 'equal-data-allowed'
  /** Instances that differ have the record where the whole data have it: neighbours stand in one order everywhere. */
  | 'same-order'
  /** At most so many instances, parts or users get data in which neighbours differ. */
  | 'sparsity'
  /** Neighbours that agree on the first message to an instance agree on all that follow. */
  | 'first-pair-consistent'
  /** Every guarantee is (epsilon, 0)-DP. */
  | 'pure'
  /** 1 - prod(1 - d_j) over all instances ever created stays within a limit. */
  | 'delta-cap'
  /** The number of instances is limited. */
  | 'bounded-instances'
  /** Every part of the data goes to one of the mechanisms only. */
  | 'disjoint-parts'
  /** Users follow the protocol and do not pool what they know. */
  | 'honest-users';

/** met: declared in the specification, or a consequence of it; assumed: not declared; failing: a fallback stands in. */
export type ConditionState = 'met' | 'assumed' | 'failing';

/** A condition as a plan finds it. */
export interface Condition {
  readonly id: ConditionId;
  readonly state: ConditionState;
}

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

/** A theorem that stands in that paper as it is used here, but for the `departures`. */
export const theirTheorem = ({
  statement,
  formula,
  departures = [],
  ...theorem
}: Omit<Theorem, 'reference' | 'exposition'> &
  Pick<Exposition, 'statement' | 'formula'> &
  Partial<Pick<Exposition, 'departures'>>): Theorem => ({
  ...theorem,
  reference: henzingerSafaviVadhan(theorem.number),
  exposition: { statement, formula, departures, works: ['henzinger-safavi-vadhan-2025'] },
});
