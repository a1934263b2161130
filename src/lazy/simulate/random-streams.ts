import { Xoshiro, type RandomSource } from '../../numeric/random.ts';

/**
 * As many sources of random words as are asked for, all from one seed (a whole number from 0 to 2^53 - 1): the first for
 * losses that are generated, then one for each run.
 */
export function* randomStreams(seed: number): Generator<RandomSource, never> {
  const words = new Xoshiro(seed);
  const word = (): number => words.word();
  for (;;) yield new Xoshiro([word(), word(), word(), word()]);
}
