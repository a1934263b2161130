import {
  concurrentFixed,
  concurrentFixedParameters,
  noninteractive,
  concurrentFDp,
  concurrentRenyi,
} from './concurrent.ts';
import { ofSubmechanisms } from './design.ts';
import { disjointParts, families, localAlike, localDifferent } from './disjoint.ts';
import {
  parallelDeltaCap,
  parallelFDpFirstPairConsistent,
  parallelFDpInteractive,
  parallelFirstPairConsistent,
  parallelInteractive,
  parallelNoneDiffer,
  parallelNoninteractive,
  parallelOne,
  parallelPure,
  parallelRenyiFirstPairConsistent,
  parallelRenyiInteractive,
  parallelRenyiOne,
  parallelSets,
} from './parallel.ts';
import type { Theorem, TheoremId } from './theorem.ts';

const BY_ID: Readonly<Record<TheoremId, Theorem>> = {
  noninteractive,
  'concurrent-fixed': concurrentFixed,
  'concurrent-fixed-parameters': concurrentFixedParameters,
  'concurrent-renyi': concurrentRenyi,
  'concurrent-f-dp': concurrentFDp,
  'parallel-noninteractive': parallelNoninteractive,
  'parallel-interactive': parallelInteractive,
  'parallel-one': parallelOne,
  'parallel-first-pair-consistent': parallelFirstPairConsistent,
  'parallel-pure': parallelPure,
  'parallel-delta-cap': parallelDeltaCap,
  'parallel-sets': parallelSets,
  'parallel-renyi-one': parallelRenyiOne,
  'parallel-renyi-interactive': parallelRenyiInteractive,
  'parallel-renyi-first-pair-consistent': parallelRenyiFirstPairConsistent,
  'parallel-f-dp-interactive': parallelFDpInteractive,
  'parallel-f-dp-first-pair-consistent': parallelFDpFirstPairConsistent,
  'parallel-none-differ': parallelNoneDiffer,
  'disjoint-parts': disjointParts,
  families,
  'local-alike': localAlike,
  'local-different': localDifferent,
  design: ofSubmechanisms,
};

/** Every theorem a plan may rest on, from the simplest setting to the most particular. */
export const ALL_THEOREMS: readonly Theorem[] = Object.values(BY_ID);
