/** Sizes of batches are tried that make 1, 2^(1/4), 2^(1/2), ... batches of T rounds. */
const PER_DOUBLING = 4;

/** Batch sizes for T rounds: the least one for each of a few numbers of batches, among them all powers of two. */
export function batchSizes(rounds: number): readonly number[] {
  const sizes = new Set<number>();
  for (let j = 0; ; j++) {
    const batch = Math.ceil(rounds / 2 ** (j / PER_DOUBLING));
    sizes.add(batch);
    if (batch === 1) return [...sizes];
  }
}
