import type { Decimal } from '../../numeric/decimal.ts';
import type { LowerBound, UpperBound, Bracket } from '../../numeric/enclosure.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import type { Structure } from './plan-node.ts';
import type { Query, Directions } from '../../privacy/curve.ts';
import type { Unavailable } from '../../bounds/precise/curve.ts';
import type { BoundId, Inapplicability, MechanismType, RowId } from '../../bounds/core/bound.ts';
import type { SchemeVerdict } from './sampler-verdict.ts';
import type { Theorem } from '../theorems/theorem.ts';

/** An impossibility lower bound, by a counterexample that is carried out with so many instances. */
export type ImpossibilityBound = { readonly instances: number } & (
  | { readonly solveFor: 'delta'; readonly epsilon: Decimal | 'any'; readonly delta: LowerBound }
  | { readonly solveFor: 'epsilon'; readonly epsilon: LowerBound; readonly delta: Decimal }
  | { readonly solveFor: 'renyi'; readonly alpha: Decimal; readonly epsilon: LowerBound }
);

/** Why mechanisms on samples are refused together. */
export type SamplingRefusal =
  | { readonly code: 'mixed-neighbours'; readonly relations: readonly string[] }
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

/** Where in a plan something stands: its place in the document, and its label if it has one. */
export interface Place {
  readonly path: string;
  readonly label: string | null;
}

/** Things that are created or chosen while mechanisms run: instances, the part or the users that differ, the data themselves. */
export type AdaptiveChoice = 'parallel' | 'partition' | 'local' | 'continual';

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
        readonly what: AdaptiveChoice;
      }
  );

/** The answer, computed in decimal arithmetic: its digits, rounded up, or why there are none. */
export type DecimalValue = { readonly digits: string } | { readonly unavailable: Unavailable };

/** One theorem's line in an answer. */
export type BoundRow =
  | {
      readonly id: RowId;
      readonly name: string;
      readonly reference: string;
      readonly applies: true;
      readonly epsilon: Bracket;
      readonly delta: Bracket;
      /** Where neighbours differ by a record. */
      readonly directions?: Directions<Bracket>;
      /** Where a second opinion was asked for. */
      readonly decimal?: DecimalValue;
    }
  | {
      readonly id: BoundId;
      readonly name: string;
      readonly reference: string;
      readonly applies: false;
      readonly reason: Inapplicability;
    };

/** A bound that covers the mechanisms, with both numbers. */
export type AppliedRow = Extract<BoundRow, { applies: true }>;

/** The number of a row that a query asks for. */
export const solvedIn = (row: { readonly epsilon: Bracket; readonly delta: Bracket }, query: Query): Bracket =>
  query.solveFor === 'epsilon' ? row.epsilon : row.delta;

/** Something the user should know about an answer; `entries` name mechanisms as `mechanisms[2]` or by their label. */
export type Warning =
  | { readonly code: 'laplace-as-dp'; readonly entries: readonly string[] }
  | { readonly code: 'bounded-range-interactive'; readonly entries: readonly string[] }
  | { readonly code: 'single-pair-interactive'; readonly entries: readonly string[] }
  | { readonly code: 'mixed-classes'; readonly classes: readonly string[] }
  /** No epsilon is large enough: `failure` is a chance of complete failure that mechanisms of these classes attain. */
  | { readonly code: 'delta-infeasible'; readonly failure: string; readonly smallestDelta: string }
  /** No theorem gives a finite epsilon below this delta; nothing shows that there is none. */
  | { readonly code: 'delta-not-covered'; readonly smallestDelta: string }
  | { readonly code: 'no-finite-epsilon' }
  /** A document holds a design, and what its mechanisms cost was asked without a check of that. */
  | { readonly code: 'design-not-checked' }
  /** A cap on delta is smaller than the delta of one instance. */
  | {
      readonly code: 'cap-below-instance';
      readonly path: string;
      readonly label: string | null;
      readonly deltaCap: Decimal;
      readonly delta: Decimal;
    }
  /** A delta that is not below one over the number of examples of a training. */
  | { readonly code: 'large-delta'; readonly delta: Decimal; readonly examples: number }
  /** Designs that are set beside each other say of different data that they are neighbouring. */
  | { readonly code: 'different-neighbours'; readonly relations: readonly [string, string] }
  /** `sharper` has no narrow number, or (`limit`) none of compositions so large, and a bound won that may be far above the truth. */
  | { readonly code: 'weaker-bound'; readonly bound: RowId; readonly sharper: BoundId; readonly limit?: string }
  /** Bounds that were given up before they had a number. */
  | { readonly code: 'interrupted'; readonly bounds: readonly BoundId[] }
  /**
   * `rows`: how many of several enclosures are wider than asked, of which `reached` is the widest; `cut`: time was up
   * before they were narrowed.
   */
  | {
      readonly code: 'tolerance-not-met';
      readonly asked: number;
      readonly reached: number;
      readonly cut: boolean;
      readonly rows?: number;
    };

/** How a composition with structure was priced. */
export interface PlanTotals {
  /** The answer for all parts in one list of mechanisms; null where no bound covers that. */
  readonly flattened: Bracket | null;
  /** The answer for each part as one (epsilon, delta); null where that adds nothing, or no bound covers a part. */
  readonly grouped: Bracket | null;
  /** The list of mechanisms whose cost pays for the plan: of its costliest choice, where it has several. */
  readonly entries: readonly Entry[];
  /** How often delta is paid for these: once for each set of instances that may differ. */
  readonly sets: Decimal;
  /** The theorems that it rests on, from the whole to the parts. */
  readonly theorems: readonly Theorem[];
}

/** The certified answer to a query about one composition. */
export interface Answer {
  readonly query: Query;
  readonly epsilon: Bracket;
  readonly delta: Bracket;
  /** The bound that gives the upper value. */
  readonly bound: RowId;
  /** What was asked, where a record is removed and where one is added: the answer is the larger. */
  readonly directions?: Directions<Bracket>;
  /** Lower and upper meet to the tolerance. */
  readonly tight: boolean;
  /** Those that apply first, best first; then those that do not, in their fixed order. */
  readonly bounds: readonly BoundRow[];
  readonly warnings: readonly Warning[];
  /** That of the bound which gives the upper value, where a second opinion was asked for. */
  readonly decimal?: DecimalValue;
  /** Where what is composed has structure. */
  readonly plan?: PlanTotals;
}

/** No theorem covers a part of a plan; what no claim could go below, where a counterexample says. */
export type PlanRefusal = Uncovered & { readonly impossibilityBound: ImpossibilityBound | null };

/** Why something has no event in dp_accounting. */
export type InexpressibleEvent =
  | 'structure'
  | 'type'
  | 'kind'
  | 'shuffled'
  | 'mixed-neighbours'
  | 'odd-sensitivity'
  | 'several-records'
  | 'runs'
  | 'adaptive-parameters'
  | 'design';

/** Why an answer has no certificate. */
export type Uncertifiable =
  | { readonly obstacle: 'structure' | 'negative-epsilon' | 'infinite' | 'too-large' }
  | { readonly obstacle: 'types'; readonly types: readonly MechanismType[] };

/** No theorem covers the setting. */
export type Refusal =
  | { readonly code: 'adaptive-parameters' | 'adaptive-parameters-in-parallel' }
  | PlanRefusal
  | SamplingRefusal
  /** Batches that were recorded contradict the sampling scheme that is claimed for them. */
  | {
      readonly code: 'contradicted-batches';
      readonly contradicted: SchemeVerdict;
      readonly batch: number;
      readonly threshold: number;
    }
  | { readonly code: 'not-offered'; readonly path: string; readonly type: string }
  /** A table, or an event of dp_accounting, cannot say what stands there. */
  | { readonly code: 'not-expressible'; readonly path: string; readonly event?: InexpressibleEvent }
  | ({ readonly code: 'not-certifiable' } & Uncertifiable)
  | { readonly code: 'no-bound'; readonly bounds: readonly BoundRow[]; readonly warnings: readonly Warning[] };

export type Outcome =
  { readonly kind: 'answer'; readonly answer: Answer } | { readonly kind: 'refusal'; readonly refusal: Refusal };

/** Warnings of several answers, each once. */
export const eachOnce = (warnings: readonly Warning[]): Warning[] => [
  ...new Map(warnings.map((warning) => [JSON.stringify(warning), warning])).values(),
];

/** A lower end may exceed an upper one by the rounding of parameters such as 1/3, relatively, and no more. */
const CROSSING = 1e-12;

/** A bound that is not a number would pass every comparison: it must never leave here. */
export function checked<B extends Bracket>(bracket: B, id: RowId): B {
  const { lower, upper } = bracket;
  if (Number.isNaN(upper) || Number.isNaN(lower ?? 0)) throw new Error(`${id} computed a bound that is not a number`);
  return bracket;
}

/** Two certified ends that cross prove a mistake in one of them: no claim is made then. */
export function consistent<B extends Bracket>(bracket: B, id: RowId): B {
  const { lower, upper } = bracket;
  const [low, high]: [number, number] = [lower ?? 0, upper];
  if (low > high && low - high > CROSSING * Math.abs(low)) {
    throw new Error(`${id} claims ${high}, but nothing below ${low} can be claimed`);
  }
  return bracket;
}
