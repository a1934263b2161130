/** Losses in ascending order, closer to each other near 0: cells are stretches from one to the next. */
export type Mesh = Float64Array;

/**
 * A mesh from at most `low` to at least `high`, of points scale sinh(j / density): far from 0 the cells are a share 1 / density
 * of the loss.
 */
export function meshOver(low: number, high: number, scale: number, density: number): Mesh {
  const first = Math.floor(Math.asinh(low / scale) * density) - 1;
  const last = Math.ceil(Math.asinh(high / scale) * density) + 1;
  return Float64Array.from({ length: last - first + 1 }, (_, i) => scale * Math.sinh((first + i) / density));
}
