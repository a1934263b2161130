/** The losses of each batch of rounds, added up, for every expert; the last batch may be shorter. */
export function sumsOfBatches(rounds: readonly ArrayLike<number>[], batch: number): Float64Array[] {
  const sums: Float64Array[] = [];
  rounds.forEach((losses, t) => {
    if (t % batch === 0) sums.push(new Float64Array(losses.length));
    const sum = sums.at(-1)!;
    for (let i = 0; i < sum.length; i++) sum[i]! += losses[i]!;
  });
  return sums;
}
