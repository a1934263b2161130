import type { Nodes } from './nodes.ts';

/** Nodes that follow each other are turned together, so many at a time. */
const BLOCK = 32;

/**
 * The sum of Re(term e^(-i n h away)) over the nodes, of their terms for one factor. A turn is that of the first of its block
 * times one of a table: each is within 8 roundings of |n h away| and 40 roundings of 1.
 */
export function turnedSum({ size, n }: Nodes, terms: Float64Array, h: number, away: number): number {
  const angle = h * away;
  const [cosines, sines] = [new Float64Array(BLOCK), new Float64Array(BLOCK)];
  const filled = Math.min(BLOCK, size);
  for (let j = 0; j < filled; j++) {
    cosines[j] = Math.cos(j * angle);
    sines[j] = Math.sin(j * angle);
  }
  let sum = 0;
  for (let start = 0; start < size;) {
    const at = n[start]!;
    let [re, im] = [0, 0];
    let i = start;
    for (; i < size && n[i]! - at < BLOCK; i++) {
      const j = n[i]! - at;
      re += terms[2 * i]! * cosines[j]! + terms[2 * i + 1]! * sines[j]!;
      im += terms[2 * i + 1]! * cosines[j]! - terms[2 * i]! * sines[j]!;
    }
    const turn = at * h * away;
    sum += re * Math.cos(turn) + im * Math.sin(turn);
    start = i;
  }
  return sum;
}
