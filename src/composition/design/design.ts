import { type Decimal, ZERO } from '../../numeric/decimal.ts';
import { failureProbability } from '../../privacy/failure.ts';
import type { Warning } from '../core/outcome.ts';
import { isEntry, walk, withDescendants, type Parallel, type PlanNode } from '../core/plan-node.ts';

/** By how much a value may differ between neighbouring inputs, in its largest coordinate; any: there is no limit. */
export type Change = Decimal | 'any';

/** How many times something may happen; unbounded: no limit is known in advance. */
export type Times = number | 'unbounded';

/** Keys and indices that lead to a statement in the document. */
export type Place = readonly (string | number)[];

/** A stream of values that the mechanism is fed. */
export interface DesignInput {
  readonly name: string;
  /** How many of its values may differ between neighbours. */
  readonly differing: Times;
  /** By how much each of those may differ. */
  readonly change: Change;
  readonly label: string | null;
}

/** A part of a message to a sub-mechanism. */
export interface Argument {
  readonly name: string;
  /** By how much it may differ between neighbours, by the guarantee of the sub-mechanism; 0: not at all. */
  readonly change: Change;
}

/** Noise that an instance draws: shown to the author of the mechanism; its privacy is not computed from it. */
export interface Noise {
  readonly on: string;
  readonly distribution: 'laplace' | 'gaussian';
  /** The scale of Laplace noise, the standard deviation of Gaussian noise. */
  readonly scale: Decimal;
}

/** Messages that may be sent to a mechanism of the plan, and how its guarantee reads neighbours. */
export interface Submechanism {
  /** The label of the mechanism. */
  readonly mechanism: string;
  /** The data an instance is created with: its first message. */
  readonly data: readonly Argument[];
  /** The parts of each (later) message. */
  readonly receives: readonly Argument[];
  /** In how many messages to one instance neighbours may differ, by its guarantee. */
  readonly differing: number;
  readonly noise: readonly Noise[];
}

/** A declared limit on how neighbours differ in a variable. */
export interface DeclaredDifference {
  readonly change: Change;
  /** In how many of the values it is given. */
  readonly differing: Times;
}

/** One statement of the pseudocode; variables are named, functions are not. */
export type Statement =
  /** Creates an instance; `from` decides what is created (its start, its query), `data` is what it is given to hold. */
  | {
      readonly does: 'create';
      readonly mechanism: string;
      readonly from: readonly string[];
      readonly data: readonly string[];
    }
  /** Sends a message, to the newest instance or to the one that `which` names; `answer` becomes its answer. */
  | {
      readonly does: 'send';
      readonly values: readonly string[];
      readonly mechanism: string;
      readonly which: readonly string[];
      readonly answer: string | null;
    }
  /** `variable` becomes a function of `from`. */
  | {
      readonly does: 'set';
      readonly variable: string;
      readonly from: readonly string[];
      /** The most the function changes where all of `from` change by at most 1 in each coordinate; null: not known. */
      readonly sensitivity: Decimal | null;
      readonly declared: DeclaredDifference | null;
    }
  /** `variable` grows by `terms`. */
  | { readonly does: 'add'; readonly variable: string; readonly terms: readonly string[] }
  /** `then` is done where a function of `on` says so, at most `atMost` times in all. */
  | {
      readonly does: 'if';
      readonly on: readonly string[];
      readonly atMost: Times;
      readonly then: readonly Statement[];
    }
  | { readonly does: 'output'; readonly values: readonly string[] };

/** When a block of statements is run: once before all else, for each input, or whenever the mechanism likes. */
export const BLOCKS = ['start', 'input', 'round'] as const;

export type Block = (typeof BLOCKS)[number];

/** The pseudocode of a mechanism that is made of sub-mechanisms. */
export interface Design {
  /** At least one. */
  readonly inputs: readonly DesignInput[];
  /** Names that are fixed in advance or public: parameters, functions, the time. */
  readonly constants: readonly string[];
  readonly submechanisms: readonly Submechanism[];
  readonly procedure: Readonly<Record<Block, readonly Statement[]>>;
}

/** No difference. */
export const NO_CHANGE: Change = ZERO;

export const isBeyond = (change: Change, limit: Change): boolean =>
  limit !== 'any' && (change === 'any' || change.gt(limit));

export const larger = (a: Change, b: Change): Change => (isBeyond(b, a) ? b : a);

export const sumOf = (a: Change, b: Change): Change => (a === 'any' || b === 'any' ? 'any' : a.plus(b));

/**
 * How much a function changes that changes by at most `factor` where its arguments change by at most 1 (null: by nobody
 * knows what): a change of c is made in ceil(c) steps of at most 1. A smaller change need not change it less.
 */
export const scaled = (change: Change, factor: Decimal | null): Change =>
  factor === null || change === 'any' ? 'any' : change.ceil().times(factor);

/** A change that happens `times` times over. */
export const repeated = (change: Change, times: Times): Change =>
  times === 'unbounded' || change === 'any' ? 'any' : change.times(times);

export const moreThan = (times: Times, limit: Times): boolean =>
  limit !== 'unbounded' && (times === 'unbounded' || times > limit);

export const fewer = (a: Times, b: Times): Times => (moreThan(a, b) ? b : a);

export const together = (counts: readonly Times[]): Times =>
  counts.reduce<Times>((sum, times) => (sum === 'unbounded' || times === 'unbounded' ? 'unbounded' : sum + times), 0);

/** Elements of a document, and the design that runs them. */
export interface Documented {
  readonly entries: readonly PlanNode[];
  readonly design: Design | null;
}

/** The deltas of all continual mechanisms that one instance of a node runs. */
const deltasOf = (instance: PlanNode): { readonly delta: Decimal; readonly count: number }[] =>
  withDescendants(instance)
    .filter(isEntry)
    .flatMap(({ mechanism, count, kind }) =>
      kind === 'continual' && mechanism.type === 'dp' ? [{ delta: mechanism.delta, count }] : [],
    );

/** Whether any number of what a node holds is created during the run. */
const isCreator = (node: PlanNode): boolean =>
  !isEntry(node) && (node.node === 'parallel' || (node.node === 'local' && node.users.kind === 'alike'));

function tooSmallCap(node: Parallel, path: string): Warning[] {
  const { deltaCap, of, label, sparsity } = node;
  if (deltaCap === null || sparsity === 0) return [];
  const delta = failureProbability(deltasOf(of)).lower;
  return delta.gt(deltaCap) ? [{ code: 'cap-below-instance', path, label, deltaCap, delta }] : [];
}

/** Caps on delta that not even one instance keeps; of nested elements, those that are not in others. */
export const documentWarnings = ({ entries }: Pick<Documented, 'entries'>): Warning[] =>
  walk(entries).flatMap(({ node, path, above }) =>
    isEntry(node) || node.node !== 'parallel' || above.some((holder) => isCreator(holder.node))
      ? []
      : tooSmallCap(node, path),
  );

/** The same where the design of a document, if it has one, is left unchecked. */
export const uncheckedWarnings = (document: Documented): Warning[] => [
  ...(document.design === null ? [] : [{ code: 'design-not-checked' } as const]),
  ...documentWarnings(document),
];
