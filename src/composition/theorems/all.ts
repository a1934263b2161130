import { concurrentFixed, concurrentFixedParameters, noninteractive } from './concurrent.ts';
import { concurrentFDp } from './concurrent-f-dp.ts';
import { concurrentRenyi } from './concurrent-renyi.ts';
import { ofSubmechanisms } from './design.ts';
import { disjointParts } from './disjoint-parts.ts';
import { families } from './families.ts';
import { localAlike, localDifferent } from './local.ts';
import { parallelDeltaCap } from './parallel-delta-cap.ts';
import { parallelFDpFirstPairConsistent, parallelFDpInteractive } from './parallel-f-dp.ts';
import { parallelFirstPairConsistent } from './parallel-first-pair-consistent.ts';
import {
  parallelInteractive,
  parallelNoneDiffer,
  parallelNoninteractive,
  parallelOne,
} from './parallel-interactive.ts';
import { parallelPure } from './parallel-pure.ts';
import { parallelRenyiFirstPairConsistent, parallelRenyiInteractive } from './parallel-renyi.ts';
import { parallelRenyiOne, parallelSets } from './parallel-sets.ts';
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
