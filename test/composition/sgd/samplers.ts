import type { BatchLog } from '../../../src/composition/sgd/batch-log.ts';
import type { TrainingScheme } from '../../../src/privacy/mechanism.ts';

/** Numbers from 0 to below 1 from a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function permuted(n: number, random: () => number): number[] {
  const all = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all;
}

const epochsOf = (t: number, batches: number, epoch: () => number[][]): number[][] =>
  Array.from({ length: Math.ceil(batches / t) }, epoch)
    .flat()
    .slice(0, batches);

/** So many batches of expected size `batch` as a sampler of a scheme draws them. */
export const SAMPLERS: Readonly<
  Record<TrainingScheme, (examples: number, batch: number, batches: number, random: () => number) => number[][]>
> = {
  poisson: (examples, batch, batches, random) =>
    Array.from({ length: batches }, () =>
      Array.from({ length: examples }, (_, i) => i).filter(() => random() < batch / examples),
    ),
  'without-replacement': (examples, batch, batches, random) =>
    Array.from({ length: batches }, () => permuted(examples, random).slice(0, batch)),
  'random-allocation': (examples, batch, batches, random) => {
    const t = examples / batch;
    return epochsOf(t, batches, () => {
      const epoch: number[][] = Array.from({ length: t }, () => []);
      for (let example = 0; example < examples; example++) epoch[Math.floor(random() * t)]!.push(example);
      return epoch;
    });
  },
  shuffled: (examples, batch, batches, random) => {
    const t = Math.ceil(examples / batch);
    return epochsOf(t, batches, () => {
      const list = permuted(examples, random);
      return Array.from({ length: t }, (_, j) => list.slice(j * batch, (j + 1) * batch));
    });
  },
};

/** A log of batches; `hasMembers`: whether their examples are known. */
export const logOf = (
  { examples, batch }: Pick<BatchLog, 'examples' | 'batch'>,
  batches: number[][],
  hasMembers = true,
): BatchLog => ({
  examples,
  batch,
  sizes: batches.map(({ length }) => length),
  members: hasMembers ? batches : null,
});
