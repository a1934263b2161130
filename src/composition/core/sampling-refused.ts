import type { LowerBound, UpperBound } from '../../numeric/enclosure.ts';
import type { Neighbours } from '../../privacy/mechanism.ts';
import type { Structure } from './plan-node.ts';
import type { Query } from '../../privacy/query.ts';

/** Why mechanisms on samples are refused together. */
export type SamplingRefusal =
  | { readonly code: 'mixed-neighbours'; readonly relations: readonly Neighbours[] }
  | {
      readonly code: 'sampled-in-structure';
      readonly path: string;
      /** The element around it for which no theorem is known, and its place. */
      readonly element: Structure['node'];
      readonly within: string;
      /** Whether that is so because several instances or users may differ. */
      readonly several: boolean;
    }
  | {
      readonly code: 'shuffled-batches';
      readonly solveFor: Query['solveFor'];
      /** What they cost at least; null where nothing is known. */
      readonly least: LowerBound | null;
      /** What would be claimed if each batch were a Poisson sample; null where nothing would. */
      readonly asPoisson: UpperBound | null;
    };
