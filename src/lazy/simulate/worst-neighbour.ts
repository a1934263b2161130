import type { Decimal } from '../../numeric/decimal.ts';
import type { RandomSource } from '../../numeric/random.ts';
import { guaranteeAt, type GuaranteeAt } from '../accounting/guarantee-at.ts';
import type { L2pSetting } from '../core/setting.ts';
import { sumsOfBatches } from './batch-sums.ts';
import { epsilonBetween } from './exact-epsilon.ts';
import { lossRatios, type BatchChange } from './loss-ratios.ts';
import { neighbourCandidates, type NeighbourCandidate } from './neighbour-candidates.ts';
import { outcomeCount, outputDistribution } from './output-distribution.ts';
import { randomStreams } from './random-streams.ts';
import { chooseThreshold, testedEpsilon } from './tested-epsilon.ts';

/** What is searched, and how. */
export interface WorstNeighbourTask {
  readonly setting: L2pSetting;
  readonly rounds: readonly Float64Array[];
  readonly delta: Decimal;
  /** How many runs choose an event, and how many others test it. */
  readonly runs: number;
  readonly seed: number;
}

/** The neighbour that is told apart most of those that were tried, and by how much. */
export interface WorstNeighbour {
  readonly candidate: NeighbourCandidate;
  readonly tried: number;
  /**
   * exact: the epsilon at delta of all that is seen of this pair, in doubles. tested: an epsilon below which no claim at delta
   * holds, wrong with a small chance (see {@link testedEpsilon}).
   */
  readonly kind: 'exact' | 'tested';
  readonly epsilon: number;
  /** What exact accounting guarantees for every pair. */
  readonly accounting: GuaranteeAt;
}

/** Everything that can be seen is listed up to so many outcomes, and so many for all candidates together. */
const MOST_LISTED = 2 ** 17;
const MOST_LISTED_IN_ALL = 2 ** 22;

const PILOT_RUNS = 400;
const PILOT_QUANTILE = 0.98;
/** Products of candidates, batches and experts in the search. */
const MOST_PRODUCTS = 4e8;

const MULTIPLICATIVE = { type: 'multiplicative-weights' } as const;

/** Losses of the rounds with those of the candidate in their place. */
const replacing = (rounds: readonly Float64Array[], { round, losses }: NeighbourCandidate): readonly Float64Array[] =>
  rounds.map((own, t) => (t === round ? losses : own));

type Measured = Pick<WorstNeighbour, 'candidate' | 'tried' | 'kind' | 'epsilon'>;

/** By listing all that can be seen; null where that is too much. */
function exactly({ setting, rounds, delta }: WorstNeighbourTask): Measured | null {
  const experts = rounds[0]?.length ?? 0;
  const outcomes = outcomeCount(Math.ceil(rounds.length / setting.batch), experts, 'flags');
  if (outcomes > MOST_LISTED) return null;
  const lawOf = (losses: readonly Float64Array[]) =>
    outputDistribution(
      setting,
      losses.map((round) => [...round]),
      'flags',
    );
  const own = lawOf(rounds);
  let best: { candidate: NeighbourCandidate; epsilon: number } | null = null;
  let tried = 0;
  for (const candidate of neighbourCandidates(rounds, setting.batch)) {
    if (tried * outcomes > MOST_LISTED_IN_ALL) break;
    tried++;
    const epsilon = epsilonBetween(own, lawOf(replacing(rounds, candidate)), delta.toNumber());
    if (best === null || epsilon > best.epsilon) best = { candidate, epsilon };
  }
  return best && { ...best, tried, kind: 'exact' };
}

/** The loss at a quantile of the runs, each with its weight; that of the other order has the weights e^-loss. */
function quantile(losses: Float64Array, weight: (loss: number) => number): number {
  const sorted = losses.slice().sort().reverse();
  const total = sorted.reduce((sum, loss) => sum + weight(loss), 0);
  let sum = 0;
  for (const loss of sorted) {
    sum += weight(loss);
    if (sum >= (1 - PILOT_QUANTILE) * total) return loss;
  }
  return 0;
}

interface Order {
  readonly sums: readonly Float64Array[];
  readonly change: BatchChange;
}

/** The two orders of the neighbours: runs are on the first. */
function ordersOf(sums: readonly Float64Array[], { batch, change }: BatchChange): readonly Order[] {
  const other = sums.map((sum, s) => (s === batch ? sum.map((loss, i) => loss + change[i]!) : sum));
  return [
    { sums, change: { batch, change } },
    { sums: other, change: { batch, change: change.map((v) => -v) } },
  ];
}

/** The phases of a search by runs: a pilot, one for each order, and the test. */
const PHASES = 4;

/** By runs: some rank the candidates, others choose an event, and others again test it. */
function tested(
  { setting, rounds, delta, runs, seed }: WorstNeighbourTask,
  progress: ((share: number) => void) | undefined,
): Measured {
  let phase = 0;
  const play = (of: Order['sums'], neighbours: readonly BatchChange[], count: number): readonly Float64Array[] => {
    const losses = lossRatios(setting, of, neighbours, sources(count), (share) => progress?.((phase + share) / PHASES));
    phase++;
    return losses;
  };
  const streams = randomStreams(seed);
  streams.next();
  const sources = (count: number): RandomSource[] => Array.from({ length: count }, () => streams.next().value);
  const sums = sumsOfBatches(rounds, setting.batch);
  const most = Math.max(1, Math.floor(MOST_PRODUCTS / (sums.length * (rounds[0]?.length ?? 1))));
  const candidates = [...neighbourCandidates(rounds, setting.batch)].slice(0, most);
  const changes = candidates.map(({ round, losses }): BatchChange => {
    const own = rounds[round]!;
    return { batch: Math.floor(round / setting.batch), change: losses.map((loss, i) => loss - own[i]!) };
  });
  const scores = play(sums, changes, PILOT_RUNS).map((losses) =>
    Math.max(
      quantile(losses, () => 1),
      quantile(
        losses.map((loss) => -loss),
        (loss) => Math.exp(loss),
      ),
    ),
  );
  const best = scores.reduce((at, score, i) => (score > scores[at]! ? i : at), 0);
  const lossesOf = ({ sums: played, change }: Order): Float64Array => play(played, [change], runs)[0]!;
  const value = delta.toNumber();
  const chosen = ordersOf(sums, changes[best]!)
    .map((order) => ({ order, ...chooseThreshold(lossesOf(order), value) }))
    .reduce((one, other) => (other.promise > one.promise ? other : one));
  const epsilon = testedEpsilon(lossesOf(chosen.order), chosen.threshold, value);
  return { candidate: candidates[best]!, tried: candidates.length, kind: 'tested', epsilon };
}

/**
 * Searches neighbours of a loss sequence, which differ from it in one round, for the one that what is seen of L2P (x, y and
 * whether each was sampled anew) tells apart most; and how far that is, beside what exact accounting guarantees for every
 * pair: how tight the accounting is. Others may be told apart more.
 *
 * @param progress - called with the share of the work that is done
 */
export function worstNeighbour(task: WorstNeighbourTask, progress?: (share: number) => void): WorstNeighbour {
  const accounting = guaranteeAt(task.setting, MULTIPLICATIVE, task.delta);
  return { ...(exactly(task) ?? tested(task, progress)), accounting };
}

/** Steps of all runs together, by which the time is told. */
export const stepsOf = ({ rounds, batch }: L2pSetting, runs: number): number =>
  Math.ceil(rounds / batch) * (3 * runs + PILOT_RUNS);
