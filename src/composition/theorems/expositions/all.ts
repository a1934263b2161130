import type { Exposition } from '../../../bounds/core/exposition.ts';
import type { TheoremId } from '../theorem.ts';
import { concurrentFDp } from './concurrent-f-dp.ts';
import { concurrentFixed } from './concurrent-fixed.ts';
import { concurrentFixedParameters } from './concurrent-fixed-parameters.ts';
import { concurrentRenyi } from './concurrent-renyi.ts';
import { design } from './design.ts';
import { disjointParts } from './disjoint-parts.ts';
import { families } from './families.ts';
import { localAlike } from './local-alike.ts';
import { localDifferent } from './local-different.ts';
import { noninteractive } from './noninteractive.ts';
import { parallelDeltaCap } from './parallel-delta-cap.ts';
import { parallelFDpFirstPairConsistent } from './parallel-f-dp-first-pair-consistent.ts';
import { parallelFDpInteractive } from './parallel-f-dp-interactive.ts';
import { parallelFirstPairConsistent } from './parallel-first-pair-consistent.ts';
import { parallelInteractive } from './parallel-interactive.ts';
import { parallelNoneDiffer } from './parallel-none-differ.ts';
import { parallelNoninteractive } from './parallel-noninteractive.ts';
import { parallelPure } from './parallel-pure.ts';
import { parallelRenyiFirstPairConsistent } from './parallel-renyi-first-pair-consistent.ts';
import { parallelRenyiOne } from './parallel-renyi-one.ts';
import { parallelSets } from './parallel-sets.ts';
import { parallelRenyiInteractive } from './parallel-renyi-interactive.ts';

/** What every theorem of plans says. */
export const THEOREM_EXPOSITIONS: Readonly<Record<TheoremId, Exposition>> = {
  noninteractive,
  'concurrent-fixed': concurrentFixed,
  'concurrent-fixed-parameters': concurrentFixedParameters,
  'concurrent-renyi': concurrentRenyi,
  'concurrent-f-dp': concurrentFDp,
  'parallel-noninteractive': parallelNoninteractive,
  'parallel-interactive': parallelInteractive,
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
  design,
};
