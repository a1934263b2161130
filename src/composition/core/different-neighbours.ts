/** Two of them that say of different data that they are neighbouring; null where none do. */
export function differentNeighbours(
  specified: readonly { readonly neighbours?: string | null }[],
): readonly [string, string] | null {
  const all = specified.flatMap(({ neighbours = null }) => (neighbours === null ? [] : [neighbours.trim()]));
  const other = all.find((each) => each !== all[0]);
  return all[0] === undefined || other === undefined ? null : [all[0], other];
}
