import { goldenSection } from '../../numeric/golden-section.ts';

/** Epsilons that are looked at first, on both sides of 0: 0.003 to about 80. */
const POSITIVE = Array.from({ length: 40 }, (_, index) => 0.003 * 1.3 ** index);
const EPSILONS: readonly number[] = [...POSITIVE.map((each) => -each).reverse(), 0, ...POSITIVE];

/** Golden sections between the neighbours of the best of them. */
const SECTIONS = 24;

/**
 * The smallest value found of a function of a real epsilon that need not be convex, as that of the claims of several
 * theorems, or of one that is not the best: any of its values may stand for all. For choosing a line where each holds.
 */
export function smallestFound(value: (epsilon: number) => number): number {
  const values = EPSILONS.map(value);
  const least = Math.min(...values);
  const at = values.indexOf(least);
  const [before, after] = [EPSILONS[Math.max(0, at - 1)]!, EPSILONS[Math.min(EPSILONS.length - 1, at + 1)]!];
  const near = goldenSection((x) => value(Math.log(x)), Math.exp(before), Math.exp(after), SECTIONS);
  return Math.min(least, value(Math.log(near)));
}
