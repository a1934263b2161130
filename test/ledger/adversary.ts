import type { LedgerState } from '../../src/ledger/state.ts';
import { spend } from '../../src/ledger/decide.ts';
import type { Entry } from '../../src/privacy/mechanism.ts';
import { boundedRange, dp, type Text } from '../mechanisms.ts';
import type { Random } from '../soundness/random.ts';

/** One answer of a mechanism: its privacy loss, and its probability on the first of two neighbours. */
export interface Outcome {
  readonly loss: number;
  readonly chance: number;
}

/** A mechanism as it is declared, and what it does to one pair of neighbours. */
export interface Move {
  readonly entry: Entry;
  readonly outcomes: readonly Outcome[];
}

/** Randomized response, which is the worst of all (e, d)-DP mechanisms; `turned`: with the neighbours exchanged. */
export function response(epsilon: Text, delta: Text = 0): Move {
  const [e, d] = [Number(epsilon), Number(delta)];
  const plus = 1 / (1 + Math.exp(-e));
  return {
    entry: dp(epsilon, delta),
    outcomes: [
      { loss: Infinity, chance: d },
      { loss: e, chance: (1 - d) * plus },
      { loss: -e, chance: (1 - d) * (1 - plus) },
    ].filter(({ chance }) => chance > 0),
  };
}

/** RR(e, t): losses t and t - e, one of those that are worst among mechanisms of e-bounded range. */
export function ranged(epsilon: Text, share: number): Move {
  const e = Number(epsilon);
  const t = share * e;
  const high = Math.expm1(t - e) / Math.expm1(-e);
  return {
    entry: boundedRange(epsilon),
    outcomes: [
      { loss: t, chance: high },
      { loss: t - e, chance: 1 - high },
    ].filter(({ chance }) => chance > 0),
  };
}

/** Chooses the next mechanism from all that was seen; null: no more. */
export type Adversary = (state: LedgerState, seen: readonly number[]) => Move | null;

/** Every view of an adversary with a ledger, by the loss of its answers together. */
export function views(adversary: Adversary, start: LedgerState): Outcome[] {
  const found: Outcome[] = [];
  const play = (state: LedgerState, seen: readonly number[], loss: number, chance: number): void => {
    const move = adversary(state, seen);
    const decision = move && spend(state, move.entry);
    // A truncated view ends with the last answer before the ledger said no.
    if (decision?.kind !== 'accepted') {
      found.push({ loss, chance });
      return;
    }
    for (const outcome of move!.outcomes) {
      const [next, weight] = [loss + outcome.loss, chance * outcome.chance];
      if (next === Infinity) found.push({ loss: next, chance: weight });
      else play(decision.state, [...seen, outcome.loss], next, weight);
    }
  };
  play(start, [], 0, 1);
  return found;
}

/** delta at epsilon of a distribution of losses. */
export const deltaAt = (outcomes: readonly Outcome[], epsilon: number): number =>
  outcomes.reduce((sum, { loss, chance }) => (loss > epsilon ? sum - chance * Math.expm1(epsilon - loss) : sum), 0);

/** The Renyi divergence of order alpha, without the views that reveal everything. */
export function renyiAt(outcomes: readonly Outcome[], alpha: number): number {
  const finite = outcomes.filter(({ loss }) => loss < Infinity);
  return (
    Math.log(finite.reduce((sum, { loss, chance }) => sum + chance * Math.exp((alpha - 1) * loss), 0)) / (alpha - 1)
  );
}

/** The same views for the neighbours in the other order. */
export const exchanged = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.flatMap(({ loss, chance }) =>
    loss === Infinity ? [] : [{ loss: -loss, chance: chance * Math.exp(-loss) }],
  );

const text = (x: number): string => x.toPrecision(3);

/** How a random adversary picks its parameters. */
export interface Habits {
  /** Epsilons are around this size. */
  readonly size: number;
  /** Ds are around this size; 0: none. */
  readonly delta: number;
  /** Whether it also uses bounded-range mechanisms. */
  readonly ranged: boolean;
  /** How often it looks for the largest mechanism that is accepted. */
  readonly greed: number;
  /** The most mechanisms along one path. */
  readonly depth: number;
}

/**
 * An adversary that decides at random, anew after every answer, and prefers to use up what is left: of several sizes, the
 * largest one that is accepted.
 */
export const randomAdversary =
  (random: Random, habits: Habits): Adversary =>
  (state, seen) => {
    if (seen.length >= habits.depth || random.chance(0.03)) return null;
    const delta = habits.delta > 0 && random.chance(0.5) ? text(habits.delta * random.logBetween(0.05, 1)) : 0;
    const kind = habits.ranged && random.chance(0.4);
    const share = random.pick([0, 0.25, 0.5, 0.75, 1]);
    const sizes = random.chance(0.6)
      ? [3, 2, 1.5, 1.2, 1, 0.8, 0.6, 0.45, 0.3, 0.2, 0.1]
      : [random.logBetween(0.05, 1)];
    for (const factor of sizes) {
      const epsilon = text(habits.size * factor * random.between(0.9, 1.1));
      const move = kind && share > 0 && share < 1 ? ranged(epsilon, share) : response(epsilon, delta);
      if (spend(state, move.entry).kind === 'accepted') return move;
    }
    return null;
  };
