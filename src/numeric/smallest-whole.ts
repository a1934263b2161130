/**
 * The smallest whole number from 1 to `most` that passes a test which all larger ones pass too; Infinity where not even
 * `most` passes. By doubling, then by halving.
 */
export function smallestWhole(passes: (n: number) => boolean, most: number): number {
  let [low, high] = [0, 1];
  while (!passes(high)) {
    if (high >= most) return Infinity;
    [low, high] = [high, Math.min(2 * high, most)];
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (passes(middle)) high = middle;
    else low = middle;
  }
  return high;
}
