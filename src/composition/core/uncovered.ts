import type { Entry } from '../../privacy/mechanism.ts';

/** Where in a plan something stands: its place in the document, and its label if it has one. */
export interface Place {
  readonly path: string;
  readonly label: string | null;
}

/** Things that are created or chosen while mechanisms run: instances, the part or the users that differ, the data themselves. */
export type AlongTheWay = 'parallel' | 'partition' | 'local' | 'continual';

/** Why no theorem covers a part of a plan. */
export type Uncovered = Place &
  (
    | {
        /**
         * Continual mechanisms without end, each of which may fail (approximate), or has no more than a Renyi or a
         * trade-off guarantee.
         */
        readonly code: 'unbounded-approximate' | 'unbounded-renyi' | 'unbounded-f-dp';
        /** The mechanisms that each instance pays, whether its data differ or not. */
        readonly each: readonly Entry[];
        /** The unit in which a document counts them. */
        readonly counted: 'instances' | 'users';
      }
    | {
        readonly code: 'oblivious-guarantee' | 'answers-not-discrete';
        readonly type: Entry['mechanism']['type'];
      }
    | { readonly code: 'too-many-mechanisms' }
    | {
        readonly code: 'chosen-along-the-way';
        /** The choice that is declared to be fixed in advance and is not. */
        readonly what: AlongTheWay;
      }
  );
