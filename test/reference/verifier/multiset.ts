/** Whole numbers with how many there are of each, in order: `[3, 2, 7, 1]` is two of 3 and one of 7. */
export type Multiset = readonly number[];

/** `count` of one number. */
export const many = (number: number, count: number): Multiset => [number, count];

/** The same with one of `from`, which must be in it, replaced by one of `to`. */
export function replaced(multiset: Multiset, from: number, to: number): Multiset {
  if (from === to) return multiset;
  const result: number[] = [];
  let placed = false;
  for (let at = 0; at < multiset.length; at += 2) {
    const number = multiset[at]!;
    if (!placed && number >= to) {
      result.push(to, number === to ? multiset[at + 1]! + 1 : 1);
      placed = true;
      if (number === to) continue;
    }
    const left = multiset[at + 1]! - (number === from ? 1 : 0);
    if (left > 0) result.push(number, left);
  }
  if (!placed) result.push(to, 1);
  return result;
}
