import type { Decimal } from '../../numeric/decimal.ts';
import { exactAccounting } from '../accounting/accounting.ts';
import type { ExpertLosses } from './expert-weights.ts';
import {
  deltaBetween,
  largestLossBetween,
  MOST_OUTCOMES,
  outcomeCount,
  outputDistribution,
  VIEWS,
  VIEWS_WITHOUT_Y,
  type OutputDistribution,
  type View,
} from './output-distribution.ts';
import { guaranteesOf, type GuaranteeKind } from '../accounting/resampling-guarantee.ts';
import { isWithoutY, type L2pSetting } from '../core/setting.ts';

/** The difference that one view shows, exactly. */
export interface ViewComparison {
  readonly view: View;
  /** How many different things may be seen. */
  readonly outcomes: number;
  /** delta at each epsilon, in the worse order of the two. */
  readonly deltas: readonly number[];
  readonly largestLoss: number;
}

/** One thing that may be seen of what L2P plays, with its probability on both sequences. */
export interface PlayedOutcome {
  readonly played: string;
  readonly probability: number;
  readonly neighbour: number;
}

/** Two loss sequences that differ in one round, told apart by L2P's output. */
export interface NeighbourComparison {
  readonly setting: L2pSetting;
  readonly experts: number;
  readonly epsilons: readonly Decimal[];
  /** Views whose outcomes can be listed. */
  readonly views: readonly ViewComparison[];
  /** Upper bounds of exact accounting on every delta, for any neighbours of this size. */
  readonly accounting: readonly { readonly resampling: GuaranteeKind; readonly deltas: readonly number[] }[];
  readonly played: readonly PlayedOutcome[];
}

const MULTIPLICATIVE = { type: 'multiplicative-weights' } as const;

/** The number of rounds in which two sequences of the same size differ. */
export const differences = (one: readonly ExpertLosses[], other: readonly ExpertLosses[]): number =>
  one.filter((round, t) => round.some((loss, expert) => loss !== other[t]?.[expert])).length;

/** Whether what L2P plays can be listed for so many batches and experts. */
export const canBeListed = (batches: number, experts: number): boolean =>
  outcomeCount(batches, experts, 'played') <= MOST_OUTCOMES;

/**
 * The exact laws of what is seen of L2P with multiplicative weights on two loss sequences, what they tell apart at each
 * epsilon, and the exact accounting, which is never below.
 */
export function compareNeighbours(
  setting: L2pSetting,
  losses: readonly ExpertLosses[],
  neighbour: readonly ExpertLosses[],
  epsilons: readonly Decimal[],
): NeighbourComparison {
  const experts = losses[0]?.length ?? 0;
  const batches = Math.ceil(setting.rounds / setting.batch);
  const shown = isWithoutY(setting) ? VIEWS_WITHOUT_Y : VIEWS;
  const laws = shown
    .filter((view) => outcomeCount(batches, experts, view) <= MOST_OUTCOMES)
    .map((view) => ({
      view,
      one: outputDistribution(setting, losses, view),
      other: outputDistribution(setting, neighbour, view),
    }));
  const played: OutputDistribution = laws[0]?.one ?? new Map<string, number>();
  return {
    setting,
    experts,
    epsilons,
    views: laws.map(({ view, one, other }) => ({
      view,
      outcomes: one.size,
      deltas: epsilons.map((epsilon) => deltaBetween(one, other, epsilon.toNumber())),
      largestLoss: largestLossBetween(one, other),
    })),
    accounting: guaranteesOf(MULTIPLICATIVE, setting.eta).map((guarantee) => {
      const curve = exactAccounting(setting, MULTIPLICATIVE, guarantee);
      return { resampling: guarantee.kind, deltas: epsilons.map((epsilon) => curve.delta(epsilon).upper) };
    }),
    played: [...played].map(([seen, probability]) => ({
      played: seen,
      probability,
      neighbour: laws[0]?.other.get(seen) ?? 0,
    })),
  };
}
