import type { Nodes } from './nodes.ts';

/** Nodes that follow each other are turned together, so many at a time. */
const BLOCK = 32;

/**
 * The sums of Re(term e^(-i n h away)) over the nodes, for both factors. A turn is that of the first of its block times one of
 * a table: each is within 8 roundings of |n h away| and 40 roundings of 1.
 */
export function turnedSum(
  { size, n, first: one, second: two }: Nodes,
  h: number,
  away: number,
): { first: number; second: number } {
  const angle = h * away;
  const [cosines, sines] = [new Float64Array(BLOCK), new Float64Array(BLOCK)];
  const filled = Math.min(BLOCK, size);
  for (let j = 0; j < filled; j++) {
    cosines[j] = Math.cos(j * angle);
    sines[j] = Math.sin(j * angle);
  }
  let [first, second] = [0, 0];
  for (let start = 0; start < size;) {
    const at = n[start]!;
    const turn = at * h * away;
    const [startCos, startSin] = [Math.cos(turn), Math.sin(turn)];
    let i = start;
    for (; i < size && n[i]! - at < BLOCK; i++) {
      const j = n[i]! - at;
      const cos = startCos * cosines[j]! - startSin * sines[j]!;
      const sin = startSin * cosines[j]! + startCos * sines[j]!;
      first += one[2 * i]! * cos + one[2 * i + 1]! * sin;
      second += two[2 * i]! * cos + two[2 * i + 1]! * sin;
    }
    start = i;
  }
  return { first, second };
}
