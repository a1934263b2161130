import type { ExpertLosses } from './expert-weights.ts';
import { bit } from '../../numeric/random.ts';
import { randomStreams } from './random-streams.ts';

/**
 * Losses that can be generated. zero: none; coins: fair coins, for every expert in every round; blocks: one fair coin for
 * each batch, which decides whether the odd or the even experts lose all of it (no losses cost batching more).
 */
export const LOSS_KINDS = ['zero', 'coins', 'blocks'] as const;
export type LossKind = (typeof LOSS_KINDS)[number];

/** The losses of a run, round by round. */
export interface LossSequence {
  readonly rounds: number;
  readonly experts: number;
  /** From the first round on; each time the same. */
  readonly play: () => Iterable<ExpertLosses>;
}

/** Losses that are listed. */
export const listedLosses = (losses: readonly ExpertLosses[]): LossSequence => ({
  rounds: losses.length,
  experts: losses[0]?.length ?? 0,
  play: () => losses,
});

/** Generated losses; `batch` is that of L2P. */
export function generatedLosses(
  kind: LossKind,
  { rounds, experts, batch, seed }: Omit<LossSequence, 'play'> & { readonly batch: number; readonly seed: number },
): LossSequence {
  function* play(): Generator<ExpertLosses, void> {
    const random = randomStreams(seed).next().value;
    const coin = (): number => bit(random);
    let losses = new Array<number>(experts).fill(0);
    for (let t = 0; t < rounds; t++) {
      if (kind === 'coins') losses = losses.map(coin);
      if (kind === 'blocks' && t % batch === 0) {
        const side = coin();
        losses = losses.map((_, expert) => (expert % 2 === side ? 1 : 0));
      }
      yield losses;
    }
  }
  return { rounds, experts, play };
}
