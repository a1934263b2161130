import type { Entry } from '../../privacy/mechanism.ts';

/** Where in a plan something stands: its place in the document, and its label if it has one. */
export interface Place {
  readonly path: string;
  readonly label: string | null;
}

/** Why no theorem covers a part of a plan. */
export type Uncovered = Place &
  (
    | {
        /**
         * Continual mechanisms without end, each of which may fail (approximate), or has no more than a Renyi or a
         * trade-off guarantee.
         */
        readonly code: 'unbounded-approximate' | 'unbounded-renyi' | 'unbounded-f-dp';
        /** What each instance pays, whether its data differ or not. */
        readonly each: readonly Entry[];
        /** What a document counts them by. */
        readonly counted: 'instances' | 'users';
      }
    | {
        readonly code: 'oblivious-guarantee' | 'answers-not-discrete' | 'needs-finite-communication';
        readonly type: Entry['mechanism']['type'];
      }
    | { readonly code: 'too-many-mechanisms' }
  );
